import type { Sql, Tx } from '../../db/database.ts';
import type { Sense } from '../extraction/candidate.ts';
import { isTrusted, type Provenance } from '../extraction/provenance.ts';
import type { Access } from '../tenancy/access.ts';
import type { AttributeStatement, Saying, Tenure } from './attribute-timeline.ts';

/** An attribute's latest statements are read, and no more than these: what is said now is said after them. */
const mostStatementsOfAttribute = 1_000;

/** The statements of these attributes: what was said stays said when it is superseded, or archived. */
export async function findStatements(
  sql: Sql,
  access: Access,
  ownerNo: number,
  attributeKeys: readonly Uint8Array<ArrayBuffer>[],
): Promise<(AttributeStatement & { tenure: Tenure })[]> {
  if (!attributeKeys.length) return [];
  const keys = [...new Map(attributeKeys.map((key) => [Buffer.from(key).toString('hex'), Buffer.from(key)])).values()];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.* FROM unnest(${keys}::bytea[]) AS k (attribute_key) CROSS JOIN LATERAL (
      SELECT id, attribute_key AS "attributeKey", attribute_value AS "attributeValue",
        attribute_sense AS "attributeSense", attribute_until AS "attributeUntil", type, valid_until AS "validUntil",
        superseded_by AS "supersededBy"
      FROM memory WHERE attribute_key = k.attribute_key AND owner_no = ${ownerNo} AND i = ${access.i}
      ORDER BY valid_from DESC, id DESC LIMIT ${mostStatementsOfAttribute}) AS m`;
  if (!rows.length) return [];
  const ids = rows.map((row) => row.id);
  const evidence = await sql.$queryRaw<SayingRow[]>`
    SELECT memory_id AS "memoryId", said_at AS "saidAt", document_id AS "documentId", turns, provenance
    FROM memory_evidence WHERE memory_id = ANY(${ids}::uuid[]) AND i = ${access.i}`;
  const undone = await sql.$queryRaw<{ oldId: string; newId: string }[]>`
    SELECT old_id AS "oldId", new_id AS "newId" FROM supersession_undone
    WHERE (old_id = ANY(${ids}::uuid[]) OR new_id = ANY(${ids}::uuid[])) AND i = ${access.i}`;
  const said = new Map<string, Saying[]>();
  for (const { memoryId, saidAt: at, documentId, turns, provenance } of evidence) {
    const known = said.get(memoryId) ?? [];
    for (const turn of turns) known.push({ at, documentId, turn, isTrusted: isTrusted(provenance) });
    said.set(memoryId, known);
  }
  return rows.map((row) => ({
    id: row.id,
    attributeKey: Buffer.from(row.attributeKey).toString('hex'),
    value: Buffer.from(row.attributeValue).toString('hex'),
    sense: row.attributeSense,
    until: row.attributeUntil,
    said: said.get(row.id) ?? [],
    isPassage: row.type === 'episodes',
    standsBeside: new Set(undone.flatMap(({ oldId, newId }) => besideOf(row.id, oldId, newId))),
    tenure: { validUntil: row.validUntil, supersededBy: row.supersededBy },
  }));
}

interface Row {
  readonly id: string;
  readonly attributeKey: Uint8Array;
  readonly attributeValue: Uint8Array;
  readonly attributeSense: Sense | null;
  readonly attributeUntil: Date | null;
  readonly type: string;
  readonly validUntil: Date | null;
  readonly supersededBy: string | null;
}

interface SayingRow {
  readonly memoryId: string;
  readonly saidAt: Date;
  readonly documentId: string;
  readonly turns: number[];
  readonly provenance: Provenance;
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
