import type { Db } from '../../db/database.ts';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { VectorIndex, VectorScore } from '../../domain/search-index/vector-index.ts';
import { ownerNumbers, type OwnedAccess } from '../../domain/tenancy/access.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { vectorArrayBytes, vectorBytes } from './binary.ts';

/**
 * Vectors in the same Postgres, by exact scan after the owner filter: a user has thousands of memories, not millions.
 * `model` names what made the vectors; those of another model are never compared with.
 */
export async function openPgvectorIndex(db: Db, model: string): Promise<VectorIndex> {
  await prepare(db);
  const typeRows = await db.$queryRaw<{ oid: number }[]>`SELECT oid::int FROM pg_type WHERE typname = 'vector'`;
  const vectorType = typeRows[0]!.oid;
  const modelAndRecipe = `${model}/${recipe.version}`;

  const scored = (rows: Prisma.Sql, vector: Float32Array) => Prisma.sql`
    SELECT memory_id AS "memoryId", -(embedding <#> q.v) AS score,
      -(l2_normalize(subvector(embedding, 1, ${recipe.sketchDimensions}::int)) <#> q.sketch) AS sketch,
      -(l2_normalize(subvector(embedding, ${recipe.sketchDimensions + 1}::int, ${recipe.meaningDimensions}::int)) <#> q.meaning) AS cosine
    FROM (${rows}) AS found,
      (SELECT v, l2_normalize(subvector(v, 1, ${recipe.sketchDimensions}::int)) AS sketch,
         l2_normalize(subvector(v, ${recipe.sketchDimensions + 1}::int, ${recipe.meaningDimensions}::int)) AS meaning
       FROM (SELECT ${vectorBytes(vector)}::vector AS v) AS given) AS q`;
  const readable = (access: OwnedAccess) =>
    Prisma.sql`i = ${access.i} AND owner_no = ANY(${ownerNumbers(access)}) AND model = ${modelAndRecipe}`;

  return {
    inDatabase: true,

    async put(tx, access, vectors) {
      if (!vectors.length) return;
      await tx.$executeRaw`
        INSERT INTO memory_vector (i, owner_no, memory_id, type, valid_from, valid_until, model, embedding)
        SELECT ${access.i}, t.owner_no, t.memory_id, t.type, t.valid_from, t.valid_until, ${modelAndRecipe}, t.embedding
        FROM unnest(${vectors.map((v) => v.ownerNo)}::int[], ${vectors.map((v) => v.memoryId)}::uuid[],
          ${vectors.map((v) => v.type)}::text[], ${vectors.map((v) => v.validity.from.toISOString())}::timestamptz[],
          ${vectors.map((v) => v.validity.until?.toISOString() ?? null)}::timestamptz[],
          ${vectorArrayBytes(
            vectors.map((v) => v.values),
            vectorType,
          )}::vector[]
        ) AS t (owner_no, memory_id, type, valid_from, valid_until, embedding)
        ON CONFLICT (i, owner_no, memory_id) DO UPDATE SET embedding = excluded.embedding, model = excluded.model,
          type = excluded.type, valid_from = excluded.valid_from, valid_until = excluded.valid_until`;
    },

    async nearest(tx, access, { vector, limit, types, asOf }) {
      const ofTypes = types ? Prisma.sql`AND type = ANY(${types})` : Prisma.empty;
      const holds = asOf
        ? Prisma.sql`AND valid_from <= ${asOf} AND (valid_until IS NULL OR valid_until > ${asOf})`
        : Prisma.sql`AND valid_until IS NULL`;
      const rows = Prisma.sql`
        SELECT memory_id, embedding FROM memory_vector WHERE ${readable(access)} ${ofTypes} ${holds}
        ORDER BY embedding <#> ${vectorBytes(vector)}::vector LIMIT ${limit}`;
      return tx.$queryRaw<VectorScore[]>`${scored(rows, vector)} ORDER BY score DESC, memory_id`;
    },

    async score(tx, access, vector, memoryIds) {
      if (!memoryIds.length) return [];
      const rows = Prisma.sql`
        SELECT memory_id, embedding FROM memory_vector
        WHERE ${readable(access)} AND memory_id = ANY(${memoryIds}::uuid[])`;
      return tx.$queryRaw<VectorScore[]>`${scored(rows, vector)}`;
    },

    async setValidity(tx, access, memoryIds, until) {
      await tx.$executeRaw`
        UPDATE memory_vector SET valid_until = ${until}::timestamptz
        WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])`;
    },

    async count(tx, access, memoryIds) {
      const rows = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM memory_vector
        WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])`;
      return rows[0]!.count;
    },

    remove: (tx, access, memoryIds) => tx.$executeRaw`
      DELETE FROM memory_vector WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])`,
  };
}

/**
 * PLAIN keeps a column in its row: TOAST would double the time of a scan, for the vector as for the short texts that it
 * is filtered by. Statistics about vectors tell nothing and take a second to gather.
 */
async function prepare(db: Db): Promise<void> {
  const statements = [
    'CREATE EXTENSION IF NOT EXISTS vector',
    `CREATE TABLE IF NOT EXISTS memory_vector (
       i bigint NOT NULL, owner_no int NOT NULL, memory_id uuid NOT NULL, type text NOT NULL,
       valid_from timestamptz NOT NULL, valid_until timestamptz, model text NOT NULL,
       embedding vector(${recipe.dimensions}) NOT NULL,
       PRIMARY KEY (i, owner_no, memory_id))`,
    `ALTER TABLE memory_vector ALTER embedding SET STORAGE PLAIN, ALTER model SET STORAGE PLAIN,
       ALTER type SET STORAGE PLAIN, ALTER embedding SET STATISTICS 0`,
    'CREATE INDEX IF NOT EXISTS memory_vector_memory ON memory_vector (i, memory_id)',
  ];
  for (const statement of statements) await db.$executeRawUnsafe(statement);
}
