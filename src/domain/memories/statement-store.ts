import type { Tx } from '../../db/database.ts';
import type { Sense } from '../extraction/candidate.ts';
import type { Access } from '../tenancy/access.ts';
import type { AttributeStatement, Tenure } from './attribute-timeline.ts';

/** Every statement of these attributes: what was said stays said when it is superseded, or archived. */
export async function findStatements(
  tx: Tx,
  access: Access,
  ownerNo: number,
  attributeKeys: readonly Uint8Array<ArrayBuffer>[],
): Promise<(AttributeStatement & { tenure: Tenure })[]> {
  if (!attributeKeys.length) return [];
  const rows = await tx.memory.findMany({
    where: { attributeKey: { in: [...attributeKeys] }, ownerNo, i: access.i },
    select: {
      id: true,
      attributeKey: true,
      attributeValue: true,
      attributeSense: true,
      attributeUntil: true,
      type: true,
      validUntil: true,
      supersededBy: true,
    },
  });
  if (!rows.length) return [];
  const memoryId = { in: rows.map((row) => row.id) };
  const evidence = await tx.memoryEvidence.findMany({
    where: { memoryId, i: access.i },
    select: { memoryId: true, saidAt: true, documentId: true, turns: true },
  });
  const undone = await tx.supersessionUndone.findMany({
    where: { OR: [{ oldId: memoryId }, { newId: memoryId }], i: access.i },
  });
  return rows.map((row) => ({
    id: row.id,
    attributeKey: Buffer.from(row.attributeKey!).toString('hex'),
    value: Buffer.from(row.attributeValue!).toString('hex'),
    sense: row.attributeSense as Sense | null,
    until: row.attributeUntil,
    said: evidence
      .filter((saying) => saying.memoryId === row.id)
      .flatMap(({ saidAt: at, documentId, turns }) => turns.map((turn) => ({ at, documentId, turn }))),
    isPassage: row.type === 'episodes',
    standsBeside: new Set(undone.flatMap(({ oldId, newId }) => besideOf(row.id, oldId, newId))),
    tenure: { validUntil: row.validUntil, supersededBy: row.supersededBy },
  }));
}

/** The other of a pair. */
const besideOf = (id: string, oldId: string, newId: string) => (id === oldId ? newId : id === newId ? oldId : []);

/** Records that the later statements do not replace the earlier ones, whatever they say. */
export async function saveUndone(
  tx: Tx,
  access: Access,
  pairs: readonly { oldId: string; newId: string }[],
  undoneAt: Date,
): Promise<void> {
  const data = pairs.map((pair) => ({ ...pair, i: access.i, undoneAt }));
  await tx.supersessionUndone.createMany({ data, skipDuplicates: true });
}
