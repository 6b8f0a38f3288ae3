import type { Db } from '../../db/database.ts';
import { vectorRecipe } from '../../domain/vectors/vector-recipe.ts';
import type { QueryVector, VectorReads } from '../../domain/search-index/vector-index.ts';
import type { VectorScore } from '../../domain/vectors/similarity.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { vectorBytes } from './binary.ts';
import { vectorColumnOf, readableVectorsSql, searchConditionSql } from './columns.ts';

/** Exact scans by pgvector after the owner filter. */
export const createDatabaseVectorReads = (db: Db): VectorReads => ({
  async nearest(access, search) {
    const { vector, limit } = search;
    const column = vectorColumnOf(vector.space);
    const rows = Prisma.sql`
      SELECT memory_id, ${column} AS embedding FROM memory_vector
      WHERE ${readableVectorsSql(access, vector.space)} ${searchConditionSql(access, search)}
      ORDER BY ${column} <#> ${vectorBytes(vector.values)}::vector, memory_id LIMIT ${limit}`;
    return db.$queryRaw<VectorScore[]>`${scored(rows, vector)} ORDER BY score DESC, memory_id`;
  },

  async score(access, vector, memoryIds) {
    if (!memoryIds.length) return [];
    const rows = Prisma.sql`
      SELECT memory_id, ${vectorColumnOf(vector.space)} AS embedding FROM memory_vector
      WHERE ${readableVectorsSql(access, vector.space)} AND memory_id = ANY(${memoryIds}::uuid[])`;
    return db.$queryRaw<VectorScore[]>`${scored(rows, vector)}`;
  },
});

function scored(rows: Prisma.Sql, { space, values }: QueryVector): Prisma.Sql {
  const meaningOf = (vector: Prisma.Sql) =>
    Prisma.sql`l2_normalize(subvector(${vector}, ${vectorRecipe.sketchDimensions + 1}::int, ${space.dimensions}::int))`;
  const [found, given] = [Prisma.sql`found.embedding`, Prisma.sql`given.v`];
  const cosine = space.dimensions ? Prisma.sql`-(${meaningOf(found)} <#> q.meaning)` : Prisma.sql`0::float8`;
  const meaning = space.dimensions ? meaningOf(given) : Prisma.sql`NULL`;
  return Prisma.sql`
    SELECT memory_id AS "memoryId", -(found.embedding <#> q.v) AS score, ${cosine} AS cosine
    FROM (${rows}) AS found,
      (SELECT v, ${meaning} AS meaning
       FROM (SELECT ${vectorBytes(values)}::vector AS v) AS given) AS q`;
}
