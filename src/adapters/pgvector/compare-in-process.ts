import type { Db } from '../../db/database.ts';
import type { QueryVector, VectorReads, VectorScore } from '../../domain/search-index/vector-index.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { byScore, scorer } from '../score-vector.ts';
import { vectorOf } from './binary.ts';
import { columnOf, readable, wanted } from './columns.ts';

/**
 * Compares vectors for a Postgres without pgvector: rows are filtered there and compared here. Fast enough until the
 * owner's copy in memory has been read.
 */
export const comparingInProcess = (db: Db): VectorReads => ({
  async nearest(access, search) {
    const { vector, limit } = search;
    const found = await read(db, vector, Prisma.sql`${readable(access, vector.space)} ${wanted(access, search)}`);
    return found.toSorted(byScore).slice(0, limit);
  },

  async score(access, vector, memoryIds) {
    if (!memoryIds.length) return [];
    return read(db, vector, Prisma.sql`${readable(access, vector.space)} AND memory_id = ANY(${memoryIds}::uuid[])`);
  },
});

async function read(db: Db, { space, values }: QueryVector, where: Prisma.Sql): Promise<VectorScore[]> {
  const rows = await db.$queryRaw<{ memoryId: string; bytes: Uint8Array }[]>`
    SELECT memory_id AS "memoryId", ${columnOf(space)} AS bytes FROM memory_vector WHERE ${where}`;
  const score = scorer(values);
  return rows.map(({ memoryId, bytes }) => score(memoryId, vectorOf(bytes)));
}
