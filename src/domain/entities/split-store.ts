import type { Tx } from '../../db/database.ts';
import { groupBy } from '../flow/group-by.ts';
import { newUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBy } from '../tenancy/readable-by.ts';

/**
 * The mentions of these names by these memories, as far as `access` may read them, and how many each name has in all.
 */
export async function findMentions(
  tx: Tx,
  access: Access,
  nameIds: readonly string[],
  memoryIds: readonly string[],
): Promise<{ chosen: Map<string, string[]>; counts: Map<string, number> }> {
  const entityId = { in: [...nameIds] };
  const rows = await tx.mention.findMany({
    where: { entityId, memoryId: { in: [...memoryIds] }, ...readableBy(access) },
    select: { entityId: true, memoryId: true },
    orderBy: { memoryId: 'asc' },
  });
  const chosen = groupBy(
    rows,
    (row) => row.entityId,
    (row) => row.memoryId,
  );
  const counts = await tx.mention.groupBy({
    by: ['entityId'],
    where: { entityId, instanceNumber: access.instanceNumber },
    _count: true,
  });
  return { chosen, counts: new Map(counts.map((row) => [row.entityId, row._count])) };
}

/** Gives these mentions of a name to another of the same name, an entity of its own; returns its id. */
export async function splitName(
  tx: Tx,
  access: Access,
  { nameId, memoryIds }: { nameId: string; memoryIds: readonly string[] },
  at: Date,
): Promise<string> {
  const { instanceNumber, keys } = access;
  const { ownerNo, customerId, nameKey, name } = await tx.entity.findUniqueOrThrow({
    where: { instanceNumber_id: { instanceNumber, id: nameId } },
  });
  const last = await tx.entity.aggregate({ where: { ownerNo, nameKey, instanceNumber }, _max: { variant: true } });
  const id = newUuid();
  const variant = (last._max.variant ?? 0) + 1;
  const sealed = keys.seal('entity.name', id, keys.open('entity.name', nameId, name));
  await tx.entity.create({
    data: { instanceNumber, id, ownerNo, customerId, name: sealed, nameKey, variant, rootId: id, createdAt: at },
  });
  await tx.$executeRaw`
    INSERT INTO entity_blocking_key (i, owner_no, key, entity_id)
    SELECT i, owner_no, key, ${id}::uuid FROM entity_blocking_key WHERE i = ${instanceNumber} AND entity_id = ${nameId}::uuid`;
  await tx.mention.updateMany({
    where: { entityId: nameId, memoryId: { in: [...memoryIds] }, instanceNumber },
    data: { entityId: id },
  });
  return id;
}
