import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from '../tenancy/access.ts';

/**
 * A memory that a later statement may have replaced, both by their UUIDs. Only an `open` one marks a memory; one that
 * was decided keeps the question from being asked again.
 */
export interface PossibleSupersession {
  readonly oldId: string;
  readonly newId: string;
  /** The probability that the newer one replaces or ends the older. */
  readonly confidence: number;
}

/**
 * The UUID of the memory that may have replaced another, or of its successor, and the probability of the first step.
 */
export interface PossibleSuccessor {
  readonly id: string;
  readonly confidence: number;
}

/** Records what may have been replaced; a pair that is known keeps what was decided of it. */
export async function savePossibleSupersessions(
  tx: Tx,
  { instanceNumber }: Access,
  pairs: readonly PossibleSupersession[],
  createdAt: Date,
): Promise<void> {
  if (!pairs.length) return;
  const data = pairs.map((pair) => ({ ...pair, instanceNumber, status: 'open', createdAt }));
  await tx.possibleSupersession.createMany({ data, skipDuplicates: true });
}

/** Records whether the newer ones replace the older ones, as far as they might have. */
export async function decidePossibleSupersessions(
  tx: Tx,
  { instanceNumber }: Access,
  pairs: readonly { oldId: string; newId: string }[],
  decision: { status: 'confirmed' | 'rejected'; decidedAt: Date },
): Promise<void> {
  await tx.possibleSupersession.updateMany({ where: { OR: [...pairs], instanceNumber }, data: decision });
}

/** Drops the open questions of a memory whose words are others now: they were asked of the former words. */
export async function deletePossibleSupersessions(tx: Tx, { instanceNumber }: Access, id: string): Promise<void> {
  await tx.possibleSupersession.deleteMany({
    where: { OR: [{ oldId: id }, { newId: id }], status: 'open', instanceNumber },
  });
}

/**
 * Every later statement that a question about a row of `memory` is about, as `new_id`, with itself and what replaced
 * it, one after the other.
 */
const successors = Prisma.sql`
  WITH RECURSIVE chain AS (
    SELECT p.new_id, p.confidence, n.id, n.status, n.superseded_by, n.valid_from FROM possible_supersession p
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = memory.i AND m.id = p.new_id OFFSET 0) AS n
    WHERE p.i = memory.i AND p.old_id = memory.id AND p.status = 'open'
      AND (SELECT max(v.said_at) FROM memory_evidence v WHERE v.i = memory.i AND v.memory_id = memory.id)
        <= (SELECT max(v.said_at) FROM memory_evidence v WHERE v.i = memory.i AND v.memory_id = n.id)
    UNION
    SELECT chain.new_id, chain.confidence, n.id, n.status, n.superseded_by, n.valid_from FROM chain
    CROSS JOIN LATERAL (SELECT * FROM memory m WHERE m.i = memory.i AND m.id = chain.superseded_by OFFSET 0) AS n
    WHERE chain.superseded_by IS NOT NULL)
  SELECT * FROM chain`;

/**
 * The memory that most likely replaced this one and holds now, of equally likely ones the latest, as an expression over
 * a row of `memory`: null, or JSON as `PossibleSuccessor` has it. It is told from the rows whenever it is read, so that
 * it ends when either is superseded or archived, or when the older one is said again, and comes back with them. When
 * the newer one was replaced, what replaced it stands for it. Both are of one owner: whoever may read the older may
 * read the newer.
 */
export const possibleSuccessorSql = Prisma.sql`
  CASE WHEN memory.status = 'active' AND EXISTS (
    SELECT 1 FROM possible_supersession p
    WHERE p.i = memory.i AND p.old_id = memory.id AND p.status = 'open')
  THEN (SELECT jsonb_build_object('id', later.id, 'confidence', later.confidence) FROM (${successors}) AS later
    WHERE later.status = 'active' AND later.id <> memory.id
    ORDER BY later.confidence DESC, later.valid_from DESC, later.id LIMIT 1) END`;

/** The memories (UUIDs) that may have replaced this one and hold now, or their successors; the likeliest first. */
export async function findPossibleSuccessors(sql: Sql, { instanceNumber }: Access, id: string): Promise<string[]> {
  const rows = await sql.$queryRaw<{ newId: string }[]>`
    SELECT later.new_id::text AS "newId"
    FROM (SELECT * FROM memory m WHERE m.i = ${instanceNumber} AND m.id = ${id}::uuid AND m.status = 'active') AS memory
    CROSS JOIN LATERAL (${successors}) AS later
    WHERE later.status = 'active' AND later.id <> memory.id
    ORDER BY later.confidence DESC, later.valid_from DESC, later.id`;
  return [...new Set(rows.map(({ newId }) => newId))];
}

/** SQL: a row of `memory` may have been replaced, or not. */
export function isPossiblyOutdatedSql({ instanceNumber }: Access, isIt: boolean): Prisma.Sql {
  if (!isIt) return Prisma.sql`(${possibleSuccessorSql}) IS NULL`;
  // The few that are marked are looked at first, whatever else there is.
  return Prisma.sql`memory.id IN (
    SELECT p.old_id FROM possible_supersession p WHERE p.i = ${instanceNumber} AND p.status = 'open') AND (${possibleSuccessorSql}) IS NOT NULL`;
}
