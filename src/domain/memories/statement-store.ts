import type { Sql, Tx } from '../../db/database.ts';
import { rowsSql } from '../../db/rows-sql.ts';
import type { StatementSense } from '../extraction/candidate.ts';
import { isTrustedProvenance, type Provenance } from '../extraction/provenance.ts';
import type { Access } from '../tenancy/access.ts';
import type { AttributeStatement, StatementSource, StatementValidity } from './attribute-timeline.ts';

/** An attribute's latest statements are read, and no more than these: what is said now is said after them. */
const mostStatementsOfAttribute = 1_000;

/** An attribute to give to a memory that has none. The key and the value are hashes. */
export interface AttributeAssignment {
  /** The id of the memory. */
  readonly id: string;
  readonly key: Buffer<ArrayBuffer>;
  readonly value: Buffer<ArrayBuffer>;
  readonly sense: StatementSense | null;
}

/** A statement with the time that its row gives it. */
export type StoredStatement = AttributeStatement & { readonly statementValidity: StatementValidity };

/** The statements of these attributes: what was said stays said when it is superseded, or archived. */
export async function findStatements(
  sql: Sql,
  access: Access,
  ownerNo: number,
  attributeKeys: readonly Uint8Array<ArrayBuffer>[],
): Promise<StoredStatement[]> {
  if (!attributeKeys.length) return [];
  const keys = [...new Map(attributeKeys.map((key) => [Buffer.from(key).toString('hex'), Buffer.from(key)])).values()];
  const rows = await sql.$queryRaw<Row[]>`
    SELECT m.* FROM unnest(${keys}::bytea[]) AS k (attribute_key) CROSS JOIN LATERAL (
      SELECT id, attribute_key AS "attributeKey", attribute_value AS "attributeValue",
        attribute_sense AS "attributeSense", attribute_until AS "attributeUntil", type, valid_until AS "validUntil",
        superseded_by AS "supersededBy"
      FROM memory WHERE attribute_key = k.attribute_key AND owner_no = ${ownerNo} AND i = ${access.instanceNumber}
      ORDER BY valid_from DESC, id DESC LIMIT ${mostStatementsOfAttribute}) AS m`;
  return statementsOf(sql, access, rows);
}

/** Stored memories as statements of the attributes that they are to have, as far as they had none. */
export async function findStatementsOf(
  sql: Sql,
  access: Access,
  ownerNo: number,
  attributes: readonly AttributeAssignment[],
): Promise<StoredStatement[]> {
  if (!attributes.length) return [];
  const given = new Map(attributes.map((attribute) => [attribute.id, attribute]));
  type Bare = Omit<Row, 'attributeKey' | 'attributeValue' | 'attributeSense'>;
  const rows = await sql.$queryRaw<Bare[]>`
    SELECT id, attribute_until AS "attributeUntil", type, valid_until AS "validUntil", superseded_by AS "supersededBy"
    FROM memory
    WHERE i = ${access.instanceNumber} AND id = ANY(${[...given.keys()]}::uuid[]) AND owner_no = ${ownerNo} AND attribute_key IS NULL`;
  return statementsOf(
    sql,
    access,
    rows.map((row) => {
      const { key, value, sense } = given.get(row.id)!;
      return { ...row, attributeKey: key, attributeValue: value, attributeSense: sense };
    }),
  );
}

/** Gives memories that had none their attribute. */
export async function saveAttributes(
  tx: Tx,
  access: Access,
  attributes: readonly AttributeAssignment[],
): Promise<void> {
  if (!attributes.length) return;
  await tx.$executeRaw`
    UPDATE memory SET attribute_key = t.key, attribute_value = t.value, attribute_sense = t.sense
    FROM ${rowsSql('t', attributes, [
      ['id', 'uuid', ({ id }) => id],
      ['key', 'bytea', ({ key }) => key],
      ['value', 'bytea', ({ value }) => value],
      ['sense', 'text', ({ sense }) => sense],
    ])}
    WHERE memory.id = t.id AND memory.attribute_key IS NULL AND memory.i = ${access.instanceNumber}`;
}

async function statementsOf(sql: Sql, access: Access, rows: readonly Row[]): Promise<StoredStatement[]> {
  if (!rows.length) return [];
  const ids = rows.map((row) => row.id);
  const evidence = await sql.$queryRaw<SayingRow[]>`
    SELECT memory_id AS "memoryId", said_at AS "saidAt", document_id AS "documentId", turns, provenance
    FROM memory_evidence WHERE memory_id = ANY(${ids}::uuid[]) AND i = ${access.instanceNumber}`;
  const exclusions = await sql.$queryRaw<{ oldId: string; newId: string }[]>`
    SELECT old_id AS "oldId", new_id AS "newId" FROM supersession_undone
    WHERE (old_id = ANY(${ids}::uuid[]) OR new_id = ANY(${ids}::uuid[])) AND i = ${access.instanceNumber}`;
  const said = new Map<string, StatementSource[]>();
  for (const { memoryId, saidAt: at, documentId, turns, provenance } of evidence) {
    const existing = said.get(memoryId) ?? [];
    for (const turn of turns) existing.push({ at, documentId, turn, isTrusted: isTrustedProvenance(provenance) });
    said.set(memoryId, existing);
  }
  const stated = rows.filter(({ id }) => said.has(id)); // the others were forgotten between the two reads
  return stated.map((row) => ({
    id: row.id,
    attributeKey: Buffer.from(row.attributeKey).toString('hex'),
    value: Buffer.from(row.attributeValue).toString('hex'),
    sense: row.attributeSense,
    until: row.attributeUntil,
    said: said.get(row.id)!,
    isPassage: row.type === 'episodes',
    neverReplacedBy: new Set(exclusions.flatMap(({ oldId, newId }) => otherOf(row.id, oldId, newId))),
    statementValidity: { validUntil: row.validUntil, supersededBy: row.supersededBy },
  }));
}

interface Row {
  readonly id: string;
  readonly attributeKey: Uint8Array;
  readonly attributeValue: Uint8Array;
  readonly attributeSense: StatementSense | null;
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

/** The other of a pair; none where it is neither. */
export const otherOf = (id: string, oldId: string, newId: string) => (id === oldId ? newId : id === newId ? oldId : []);

/** Records that the later statements do not replace the earlier ones, whatever they say. */
export async function saveSupersessionExclusions(
  tx: Tx,
  access: Access,
  pairs: readonly { oldId: string; newId: string }[],
  undoneAt: Date,
): Promise<void> {
  if (!pairs.length) return;
  const data = pairs.map((pair) => ({ ...pair, instanceNumber: access.instanceNumber, undoneAt }));
  await tx.supersessionUndone.createMany({ data, skipDuplicates: true });
}
