import type { Db } from '../../db/database.ts';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { QueryVector, VectorReads, VectorScore } from '../../domain/search-index/vector-index.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { normalise } from '../../domain/language/sketch.ts';
import { vectorOf } from './binary.ts';
import { columnOf, readable, wanted } from './columns.ts';

/**
 * The same for a Postgres without pgvector: rows are filtered there and compared here. Fast enough until
 * the owner's copy in memory has been read.
 */
export const comparingInProcess = (db: Db): VectorReads => ({
  async nearest(access, search) {
    const { vector, limit } = search;
    const found = await read(db, vector, Prisma.sql`${readable(access, vector.space)} ${wanted(search)}`);
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
  const meaning = meaningOf(values);
  return rows.map(({ memoryId, bytes }) => {
    const stored = vectorOf(bytes);
    return { memoryId, score: dot(stored, values), cosine: dot(meaningOf(stored), meaning) };
  });
}

const meaningOf = (values: Float32Array) => normalise(values.slice(recipe.sketchDimensions));

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let n = 0; n < one.length; n++) sum += one[n]! * other[n]!;
  return sum;
}

const byScore = (one: VectorScore, other: VectorScore) =>
  other.score - one.score || (one.memoryId < other.memoryId ? -1 : 1);
