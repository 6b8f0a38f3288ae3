import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { statementKey } from '../extraction/content-key.ts';
import { toPublicId } from '../ids.ts';
import { memoryTypes } from '../memory-types.ts';
import { findActiveDuplicates, type MemoryDuplicate, type NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';

/** The content of a memory as it is, or is to become. */
interface Statement extends Pick<NewMemory, 'id' | 'ownerNo' | 'content' | 'event'> {
  readonly saidAt: Date;
  /** The key by which it will be known again; default: the present one. */
  readonly contentKey?: NewMemory['contentKey'];
}

/**
 * The other active memories of the owner that say the same, with or without the time of its event: whatever their type,
 * and whatever type they had when they were said, since a memory that is given another type keeps its key.
 */
export function findDuplicates(
  { db }: { db: Db },
  access: Access,
  { id, ownerNo, content, event, saidAt, contentKey }: Statement,
): Promise<MemoryDuplicate[]> {
  const keys = memoryTypes.flatMap((type) =>
    [event, null].map((each) => access.keys.hash('content', statementKey({ type, content, event: each }, saidAt))),
  );
  return findActiveDuplicates(db, access, { id, ownerNo, contentKeys: contentKey ? [contentKey, ...keys] : keys });
}

/** Throws `conflict` where another active memory of this type says the same, or is known again by the same key. */
export async function refuseDuplicate(
  deps: { db: Db },
  access: Access,
  { type, ...statement }: Statement & Pick<NewMemory, 'type'>,
): Promise<void> {
  const same = (await findDuplicates(deps, access, statement)).find(
    (each) => each.type === type || statement.contentKey?.equals(each.contentKey),
  );
  if (same) throw new DomainError('conflict', `another memory says the same: ${toPublicId('memory', same.id)}`);
}
