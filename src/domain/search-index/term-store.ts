import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Provenance } from '../extraction/provenance.ts';
import { readableOwnerNumbers, type Access, type NarrowedAccess } from '../tenancy/access.ts';

/** The stems of one memory: how often each occurs, under its keyed hash. */
export interface MemoryTerms {
  readonly memoryId: string;
  readonly ownerNo: number;
  readonly terms: ReadonlyMap<bigint, number>;
  /** Stems in all. */
  readonly length: number;
}

const maxCount = 32_767; // smallint

export async function saveTerms(tx: Tx, access: Access, memories: readonly MemoryTerms[]): Promise<void> {
  const rows = memories.flatMap(({ memoryId, ownerNo, terms, length }) =>
    [...terms].map(([term, tf]) => ({ memoryId, ownerNo, term, tf, length })),
  );
  if (!rows.length) return;
  await tx.$executeRaw`
    INSERT INTO memory_term (i, owner_no, term, memory_id, tf, len)
    SELECT ${access.instanceNumber}, t.owner_no, t.term, t.memory_id, t.tf, t.len
    FROM unnest(${rows.map((row) => row.ownerNo)}::int[], ${rows.map((row) => row.term)}::bigint[],
      ${rows.map((row) => row.memoryId)}::uuid[], ${rows.map((row) => Math.min(row.tf, maxCount))}::smallint[],
      ${rows.map((row) => Math.min(row.length, maxCount))}::smallint[]) AS t (owner_no, term, memory_id, tf, len)
    ON CONFLICT DO NOTHING`;
}

/**
 * Removes the terms; returns how many memories had words and the sum of their lengths, for the owner's counts. A record
 * may have terms of its metadata alone, and counts for none.
 */
export async function removeTerms(
  tx: Tx,
  access: Access,
  memoryIds: readonly string[],
): Promise<{ removed: number; memories: number; terms: number }> {
  const rows = await tx.$queryRaw<{ removed: bigint; memories: bigint; terms: bigint }[]>`
    WITH gone AS (
      DELETE FROM memory_term WHERE i = ${access.instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[]) RETURNING memory_id, len
    ), per_memory AS (SELECT memory_id, max(len) AS len, count(*) AS n FROM gone GROUP BY memory_id)
    SELECT coalesce(sum(n), 0)::bigint AS removed, count(*) FILTER (WHERE len > 0) AS memories,
      coalesce(sum(len), 0)::bigint AS terms
    FROM per_memory`;
  const { removed, memories, terms } = rows[0]!;
  return { removed: Number(removed), memories: Number(memories), terms: Number(terms) };
}

/** The terms of a memory, how often it has each, and its length in stems. */
export interface TermCounts {
  readonly terms: readonly bigint[];
  readonly counts: readonly number[];
  readonly length: number;
}

/**
 * The terms of these memories of one owner, by id, of those that have any. `OFFSET 0` keeps the planner, which knows
 * nothing of the sizes, at one look-up a memory: else it reads all words of the owner for each.
 */
export async function readTerms(
  sql: Sql,
  { instanceNumber, ownerNo }: { instanceNumber: bigint; ownerNo: number },
  memoryIds: readonly string[],
): Promise<Map<string, TermCounts>> {
  if (!memoryIds.length) return new Map();
  const rows = await sql.$queryRaw<(TermCounts & { memoryId: string })[]>`
    SELECT given.id AS "memoryId", t.* FROM unnest(${memoryIds}::uuid[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT array_agg(m.term) AS terms, array_agg(m.tf::int) AS counts, max(m.len)::int AS length
      FROM (SELECT * FROM memory_term f WHERE f.i = ${instanceNumber} AND f.memory_id = given.id OFFSET 0) AS m
      WHERE m.i = ${instanceNumber} AND m.owner_no = ${ownerNo}) AS t
    WHERE t.length IS NOT NULL`;
  return new Map(rows.map((row) => [row.memoryId, row]));
}

/** Counts the terms that the table holds of these memories. */
export async function countTerms(sql: Sql, { instanceNumber }: Access, memoryIds: readonly string[]): Promise<number> {
  const rows = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM memory_term WHERE i = ${instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
  return rows[0]!.count;
}

/** Beyond this many memories a term says nothing, and counting on costs more than it tells. */
export const maxDocumentFrequency = 5_000;

/** Counts the memories that `access` may read in which each term occurs; counts stop at 5,000. */
export async function documentFrequencies(
  sql: Sql,
  access: NarrowedAccess,
  terms: readonly bigint[],
): Promise<Map<bigint, number>> {
  if (!terms.length) return new Map();
  const rows = await sql.$queryRaw<{ term: bigint; df: number }[]>`
    SELECT q.term, (
      SELECT count(*) FROM (
        SELECT 1 FROM memory_term t
        WHERE t.i = ${access.instanceNumber} AND t.owner_no = ANY(${readableOwnerNumbers(access)}) AND t.term = q.term LIMIT ${maxDocumentFrequency}
      ) AS counted)::int AS df
    FROM unnest(${terms}::bigint[]) AS q (term)`;
  return new Map(rows.map(({ term, df }) => [term, df]));
}

/** The parameters of a BM25 search: the idf of each term, the mean length of a memory in stems, the constants. */
export interface TermQuery {
  readonly idf: ReadonlyMap<bigint, number>;
  readonly averageLength: number;
  readonly k1: number;
  readonly b: number;
  /** Only memories of these provenances; default: any. */
  readonly provenance?: readonly Provenance[] | undefined;
  /** Only these memories; default: any. */
  readonly among?: readonly string[] | undefined;
  readonly limit: number;
}

/** A memory that shares words with a query. */
export interface TermMatch {
  readonly memoryId: string;
  readonly documentId: string;
  readonly turn: number;
  readonly bm25: number;
}

/**
 * Okapi BM25 (Robertson et al. 1994) with idf given, best first, over what `access` may read, of any status.
 * `OFFSET 0` keeps the planner at one index look-up a term and a row.
 */
export async function searchTerms(sql: Sql, access: NarrowedAccess, query: TermQuery): Promise<TermMatch[]> {
  if (!query.idf.size) return [];
  const { k1, b, averageLength, provenance, among } = query;
  const ofProvenance = provenance
    ? Prisma.sql`HAVING EXISTS (SELECT 1 FROM memory s
        WHERE s.i = ${access.instanceNumber} AND s.id = t.memory_id AND s.provenance = ANY(${[...provenance]}::text[]))`
    : Prisma.empty;
  const amongThese = among ? Prisma.sql`WHERE t.memory_id = ANY(${[...among]}::uuid[])` : Prisma.empty;
  return sql.$queryRaw<TermMatch[]>`
    SELECT scored.memory_id AS "memoryId", m.document_id AS "documentId", m.turn, scored.bm25
    FROM (
      SELECT t.memory_id, sum(q.idf * t.tf * ${k1 + 1}::float8
        / (t.tf + ${k1}::float8 * (${1 - b}::float8 + ${b / averageLength}::float8 * t.len))) AS bm25
      FROM unnest(${[...query.idf.keys()]}::bigint[], ${[...query.idf.values()]}::float8[]) AS q (term, idf)
      CROSS JOIN LATERAL (
        SELECT memory_id, tf, len FROM memory_term p
        WHERE p.i = ${access.instanceNumber} AND p.owner_no = ANY(${readableOwnerNumbers(access)}) AND p.term = q.term OFFSET 0) AS t
      ${amongThese} GROUP BY t.memory_id ${ofProvenance} ORDER BY bm25 DESC, t.memory_id LIMIT ${query.limit}
    ) AS scored
    CROSS JOIN LATERAL (
      SELECT document_id, turn FROM memory WHERE i = ${access.instanceNumber} AND id = scored.memory_id OFFSET 0) AS m
    ORDER BY scored.bm25 DESC, scored.memory_id`;
}
