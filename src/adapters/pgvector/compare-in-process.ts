import type { Db } from '../../db/database.ts';
import type { QueryVector, VectorReads } from '../../domain/search-index/vector-index.ts';
import { byScoreDescending, createVectorScorer, type VectorScore } from '../../domain/vectors/similarity.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { parseVectorBytes } from './binary.ts';
import { vectorColumnOf, readableVectorsSql, searchConditionSql } from './columns.ts';

/**
 * Compares vectors for a Postgres without pgvector: rows are filtered there and compared here. Fast enough until the
 * owner's copy in memory has been read.
 */
export const createInProcessVectorReads = (db: Db): VectorReads => ({
  async nearest(access, search) {
    const { vector, limit } = search;
    const found = await read(
      db,
      vector,
      Prisma.sql`${readableVectorsSql(access, vector.space)} ${searchConditionSql(access, search)}`,
    );
    return found.toSorted(byScoreDescending).slice(0, limit);
  },

  async score(access, vector, memoryIds) {
    if (!memoryIds.length) return [];
    return read(
      db,
      vector,
      Prisma.sql`${readableVectorsSql(access, vector.space)} AND memory_id = ANY(${memoryIds}::uuid[])`,
    );
  },
});

async function read(db: Db, { space, values }: QueryVector, where: Prisma.Sql): Promise<VectorScore[]> {
  const rows = await db.$queryRaw<{ memoryId: string; bytes: Uint8Array }[]>`
    SELECT memory_id AS "memoryId", ${vectorColumnOf(space)} AS bytes FROM memory_vector WHERE ${where}`;
  const score = createVectorScorer(values);
  return rows.map(({ memoryId, bytes }) => score(memoryId, parseVectorBytes(bytes)));
}
