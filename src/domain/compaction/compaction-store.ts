import { Prisma } from '../../generated/prisma/client.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { KeysetQuery } from '../pagination.ts';
import { parseId, toPublicId } from '../ids.ts';
import type { MemoryStatus } from '../memories/memory.ts';
import type { SeenMemory } from '../memories/stated-memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import { afterFilter } from '../tenancy/keyset-store.ts';
import type { CompactionTarget } from './compact-turns.ts';
import type { Compaction, CompactionBody, CompactionStrategy } from './compaction.ts';

/** A version as it is stored, with what it was made by. */
export interface StoredCompaction extends Compaction {
  readonly targetTokens: number | null;
}

/** A version about to be kept. */
export interface NewCompaction extends CompactionTarget, Omit<Compaction, 'strategy'> {
  /** The memories whose words it may hold. */
  readonly memoryIds: readonly string[];
}

type Row = Omit<NonNullable<Awaited<ReturnType<Tx['compaction']['findUnique']>>>, 'instanceNumber' | 'memoryIds'>;

/** The newest version, or the one that is asked for; null when there is none. */
export async function readCompaction(
  sql: Sql,
  access: Access,
  { conversationId, version }: { conversationId: string; version?: number | undefined },
): Promise<StoredCompaction | null> {
  const row = await sql.compaction.findFirst({
    where: { conversationId, ...(version === undefined ? {} : { version }), instanceNumber: access.instanceNumber },
    orderBy: { version: 'desc' },
    omit: { memoryIds: true },
  });
  return row && toCompaction(access, row);
}

/** A page of the versions of a conversation. */
export async function readCompactions(
  sql: Sql,
  access: Access,
  conversationId: string,
  { direction, after, limit }: KeysetQuery<number>,
): Promise<StoredCompaction[]> {
  const rows = await sql.compaction.findMany({
    where: {
      conversationId,
      ...(after === undefined ? {} : { version: afterFilter(direction, after) }),
      instanceNumber: access.instanceNumber,
    },
    orderBy: { version: direction },
    take: limit,
    omit: { memoryIds: true },
  });
  return rows.map((row) => toCompaction(access, row));
}

const columns = Prisma.sql`
  c.id, c.conversation_id AS "conversationId", c.version, c.strategy, c.target_tokens AS "targetTokens",
  c.through_turn AS "throughTurn", c.original_tokens AS "originalTokens", c.compacted_tokens AS "compactedTokens",
  c.score, c.extends_previous AS "extendsPrevious", c.created_at AS "createdAt", c.body`;

/**
 * The newest version of a conversation; null when there is none, when it tells nothing, or when a memory whose words it
 * may hold has been replaced since: it tells what was.
 */
export async function readCurrentCompaction(
  sql: Sql,
  access: Access,
  conversationId: string,
): Promise<StoredCompaction | null> {
  const [row] = await sql.$queryRaw<Row[]>`
    SELECT ${columns} FROM compaction c
    WHERE c.conversation_id = ${conversationId}::uuid AND c.i = ${access.instanceNumber}
      AND c.version = (
        SELECT max(version) FROM compaction WHERE conversation_id = ${conversationId}::uuid AND i = ${access.instanceNumber})
      AND NOT EXISTS (
        SELECT 1 FROM unnest(c.memory_ids) AS held (id)
        CROSS JOIN LATERAL (SELECT status FROM memory m WHERE m.i = ${access.instanceNumber} AND m.id = held.id OFFSET 0) AS m
        WHERE m.status = 'superseded')`;
  const newest = row && toCompaction(access, row);
  return newest?.narrative && !(await tellsReplacedTurns(sql, access, newest)) ? newest : null;
}

/** Whether a memory was replaced of turns that a version holds as they were said, and so names no memories of. */
export async function tellsReplacedTurns(
  sql: Sql,
  { instanceNumber }: Access,
  {
    conversationId,
    firstUningestedTurn,
    throughTurn,
  }: Pick<Compaction, 'conversationId' | 'firstUningestedTurn' | 'throughTurn'>,
): Promise<boolean> {
  if (firstUningestedTurn === null) return false;
  const rows = await sql.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM message t
      JOIN memory_evidence e ON e.i = t.i AND e.document_id = t.document_id AND t.turn = ANY(e.turns)
      JOIN memory m ON m.i = e.i AND m.id = e.memory_id AND m.status = 'superseded'
      WHERE t.i = ${instanceNumber} AND t.conversation_id = ${conversationId}::uuid
        AND t.n BETWEEN ${firstUningestedTurn} AND ${throughTurn}) AS found`;
  return rows[0]!.found;
}

/** The memories whose words a version may hold, as they are now. */
export const memoriesToldIn = (
  sql: Sql,
  { instanceNumber }: Access,
  { conversationId, version }: CompactionKey,
): Promise<(SeenMemory & { status: MemoryStatus })[]> => sql.$queryRaw`
  SELECT m.id, m.content_version AS "contentVersion", m.owner_no AS "ownerNo", m.status
  FROM compaction c CROSS JOIN unnest(c.memory_ids) AS held (id)
  CROSS JOIN LATERAL (SELECT * FROM memory WHERE i = ${instanceNumber} AND id = held.id OFFSET 0) AS m
  WHERE c.conversation_id = ${conversationId}::uuid AND c.version = ${version} AND c.i = ${instanceNumber}`;

/** Keeps a version; false when there is one of its number already. */
export async function saveCompaction(
  tx: Tx,
  { instanceNumber, keys }: Access,
  compaction: NewCompaction,
): Promise<boolean> {
  const { systemPrompt, narrative, pins, memories, qualityWarning, isWritten, firstUningestedTurn, ...row } =
    compaction;
  const id = parseId('compaction', compaction.id);
  const body: CompactionBody = {
    systemPrompt,
    narrative,
    pins,
    memories,
    qualityWarning,
    isWritten,
    firstUningestedTurn,
  };
  const { count } = await tx.compaction.createMany({
    data: {
      instanceNumber,
      id,
      conversationId: row.conversationId,
      version: row.version,
      strategy: row.strategy,
      targetTokens: row.targetTokens,
      throughTurn: row.throughTurn,
      originalTokens: row.originalTokens,
      compactedTokens: row.compactedTokens,
      score: row.validationScore,
      extendsPrevious: row.extendsPrevious,
      memoryIds: [...row.memoryIds],
      createdAt: row.createdAt,
      body: keys.seal('compaction.body', id, JSON.stringify(body)),
    },
    skipDuplicates: true,
  });
  return count === 1;
}

/** Selects compactions that may hold words of these memories, and those of these conversations and owners. */
export interface CompactionsToRemove {
  readonly memoryIds: readonly string[];
  readonly conversationIds: readonly string[];
  readonly ownerNos?: readonly number[] | undefined;
}

/** Removes compactions; returns how many versions there were. */
export function removeCompactions(
  tx: Tx,
  access: Access,
  { memoryIds, conversationIds, ownerNos = [] }: CompactionsToRemove,
): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM compaction WHERE i = ${access.instanceNumber} AND (i, conversation_id, version) IN (
      SELECT i, conversation_id, version FROM compaction WHERE memory_ids && ${memoryIds}::uuid[] AND i = ${access.instanceNumber}
      UNION
      SELECT i, conversation_id, version FROM compaction
      WHERE conversation_id = ANY(${conversationIds}::uuid[]) AND i = ${access.instanceNumber}
      UNION
      SELECT c.i, c.conversation_id, c.version FROM conversation v
      JOIN compaction c ON c.i = v.i AND c.conversation_id = v.id
      WHERE v.owner_no = ANY(${ownerNos}::int[]) AND v.i = ${access.instanceNumber})`;
}

/** A version by its conversation. */
export interface CompactionKey {
  readonly conversationId: string;
  readonly version: number;
}

/** The place before every version. */
export const beforeFirstVersion: CompactionKey = {
  conversationId: '00000000-0000-0000-0000-000000000000',
  version: 0,
};

/** The versions of the conversations of these owners, from behind the place `after`. */
export async function compactionsOfOwners(
  sql: Sql,
  access: Access,
  { ownerNos, after, limit }: { ownerNos: readonly number[]; after: CompactionKey; limit: number },
): Promise<StoredCompaction[]> {
  const rows = await sql.$queryRaw<Row[]>`
    SELECT ${columns} FROM compaction c JOIN conversation v ON v.i = c.i AND v.id = c.conversation_id
    WHERE v.owner_no = ANY(${ownerNos}::int[])
      AND (c.conversation_id, c.version) > (${after.conversationId}::uuid, ${after.version}::int) AND c.i = ${access.instanceNumber}
    ORDER BY c.conversation_id, c.version LIMIT ${limit}`;
  return rows.map((row) => toCompaction(access, row));
}

function toCompaction(access: Access, row: Row): StoredCompaction {
  const { id, conversationId, version, targetTokens, throughTurn, originalTokens, compactedTokens } = row;
  return {
    id: toPublicId('compaction', id),
    conversationId,
    version,
    strategy: row.strategy as CompactionStrategy,
    targetTokens,
    throughTurn,
    originalTokens,
    compactedTokens,
    validationScore: Math.round(row.score * 1_000) / 1_000,
    extendsPrevious: row.extendsPrevious,
    createdAt: row.createdAt,
    ...bodyOf(access, row),
  };
}

/** One that was kept by an earlier release does not tell which turns were not ingested. */
const bodyOf = ({ keys }: Access, { id, body }: Pick<Row, 'id' | 'body'>): CompactionBody => ({
  firstUningestedTurn: null,
  ...(JSON.parse(keys.open('compaction.body', id, body)) as Omit<CompactionBody, 'firstUningestedTurn'>),
});
