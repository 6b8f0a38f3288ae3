import type { Db, Tx } from '../../db/database.ts';
import type { MemoryType } from '../../domain/configurations/configuration.ts';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { QueryVector, VectorIndex, VectorScore } from '../../domain/search-index/vector-index.ts';
import { spaceName, type VectorSpace } from '../../domain/search-index/vector-space.ts';
import { ownerNumbers, type Access, type OwnedAccess } from '../../domain/tenancy/access.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { VectorSource } from '../hot-vectors/vector-source.ts';
import { vectorArrayBytes, vectorBytes, vectorOf } from './binary.ts';

/** Longer vectors do not fit into a row of their page. */
const longestInRow = 1_600;

/** The column of a space's vectors: in the row where they fit, and uncompressed beside it where they do not. */
const columnOf = ({ dimensions }: VectorSpace) =>
  recipe.sketchDimensions + dimensions <= longestInRow ? Prisma.sql`embedding` : Prisma.sql`long_embedding`;

/**
 * Vectors in the same Postgres, by exact scan after the owner filter: a user has thousands of memories, not millions.
 * `model` names the space of each; those of another space are never compared with.
 */
export async function openPgvectorIndex(db: Db): Promise<VectorIndex & VectorSource> {
  await prepare(db);
  const typeRows = await db.$queryRaw<{ oid: number }[]>`SELECT oid::int FROM pg_type WHERE typname = 'vector'`;
  const vectorType = typeRows[0]!.oid;

  const scored = (rows: Prisma.Sql, { space, values }: QueryVector) => {
    const meaningOf = (vector: Prisma.Sql) =>
      Prisma.sql`l2_normalize(subvector(${vector}, ${recipe.sketchDimensions + 1}::int, ${space.dimensions}::int))`;
    const [found, given] = [Prisma.sql`found.embedding`, Prisma.sql`given.v`];
    const cosine = space.dimensions ? Prisma.sql`-(${meaningOf(found)} <#> q.meaning)` : Prisma.sql`0::float8`;
    const meaning = space.dimensions ? meaningOf(given) : Prisma.sql`NULL`;
    return Prisma.sql`
      SELECT memory_id AS "memoryId", -(found.embedding <#> q.v) AS score, ${cosine} AS cosine
      FROM (${rows}) AS found,
        (SELECT v, ${meaning} AS meaning
         FROM (SELECT ${vectorBytes(values)}::vector AS v) AS given) AS q`;
  };
  const inSpace = (space: VectorSpace) => Prisma.sql`model = ${spaceName(space)}`;
  const readable = (access: OwnedAccess, space: VectorSpace) =>
    Prisma.sql`i = ${access.i} AND owner_no = ANY(${ownerNumbers(access)}) AND ${inSpace(space)}`;

  const sizeOf = async (tx: Tx, access: Access, space: VectorSpace): Promise<number> => {
    const rows = await tx.$queryRaw<{ count: number }[]>`
      SELECT (
        (SELECT count(*) FROM memory_vector WHERE i = ${access.i} AND ${inSpace(space)})
        - (SELECT count(*) FROM memory_vector WHERE i = ${access.i} AND ${inSpace(space)} AND NOT is_complete)
      )::int AS count`; // each from an index alone: the rows are long
    return rows[0]!.count;
  };

  return {
    mayDiffer: false,

    prepare: async (_, made) => ({ ...made, mark: null, isLate: false }),

    async put(tx, access, { space, vectors }) {
      if (!vectors.length) return true;
      const column = columnOf(space);
      await tx.$executeRaw`
        INSERT INTO memory_vector (i, owner_no, memory_id, type, valid_from, valid_until, model, is_complete, ${column})
        SELECT ${access.i}, t.owner_no, t.memory_id, t.type, t.valid_from, t.valid_until, ${spaceName(space)},
          t.is_complete, t.embedding
        FROM unnest(${vectors.map((v) => v.ownerNo)}::int[], ${vectors.map((v) => v.memoryId)}::uuid[],
          ${vectors.map((v) => v.type)}::text[], ${vectors.map((v) => v.validity.from.toISOString())}::timestamptz[],
          ${vectors.map((v) => v.validity.until?.toISOString() ?? null)}::timestamptz[],
          ${vectors.map((v) => v.isComplete)}::boolean[],
          ${vectorArrayBytes(
            vectors.map((v) => v.values),
            vectorType,
            recipe.sketchDimensions + space.dimensions,
          )}::vector[]
        ) AS t (owner_no, memory_id, type, valid_from, valid_until, is_complete, embedding)
        ON CONFLICT (i, owner_no, memory_id, model) DO UPDATE SET ${column} = excluded.${column}, type = excluded.type,
          is_complete = excluded.is_complete, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
          change = excluded.change`;
      return true;
    },

    async nearest(access, { vector, limit, types, asOf }) {
      const column = columnOf(vector.space);
      const ofTypes = types ? Prisma.sql`AND type = ANY(${types})` : Prisma.empty;
      const holds = asOf
        ? Prisma.sql`AND valid_from <= ${asOf} AND (valid_until IS NULL OR valid_until > ${asOf})`
        : Prisma.sql`AND valid_until IS NULL`;
      const rows = Prisma.sql`
        SELECT memory_id, ${column} AS embedding FROM memory_vector
        WHERE ${readable(access, vector.space)} ${ofTypes} ${holds}
        ORDER BY ${column} <#> ${vectorBytes(vector.values)}::vector, memory_id LIMIT ${limit}`;
      return db.$queryRaw<VectorScore[]>`${scored(rows, vector)} ORDER BY score DESC, memory_id`;
    },

    async score(access, vector, memoryIds) {
      if (!memoryIds.length) return [];
      const rows = Prisma.sql`
        SELECT memory_id, ${columnOf(vector.space)} AS embedding FROM memory_vector
        WHERE ${readable(access, vector.space)} AND memory_id = ANY(${memoryIds}::uuid[])`;
      return db.$queryRaw<VectorScore[]>`${scored(rows, vector)}`;
    },

    async setValidity(tx, access, memoryIds, until) {
      await tx.$executeRaw`
        UPDATE memory_vector SET valid_until = ${until}::timestamptz, change = nextval('memory_vector_change')
        WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])`;
    },

    follow: async () => 0,
    followAll: async () => null,

    async count(access, memoryIds) {
      const rows = await db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM memory_vector
        WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])`;
      return rows[0]!.count;
    },

    remove: (tx, access, memoryIds, space) => tx.$executeRaw`
      DELETE FROM memory_vector WHERE i = ${access.i} AND memory_id = ANY(${memoryIds}::uuid[])
        ${space ? Prisma.sql`AND ${inSpace(space)}` : Prisma.empty}`,

    async lacking(access, space, memoryIds) {
      const rows = await db.$queryRaw<{ id: string }[]>`
        SELECT m.id FROM unnest(${memoryIds}::uuid[]) AS m (id)
        WHERE NOT EXISTS (SELECT 1 FROM memory_vector v
          WHERE v.i = ${access.i} AND v.memory_id = m.id AND v.is_complete AND v.model = ${spaceName(space)})`;
      return rows.map(({ id }) => id);
    },

    size: (access, space) => sizeOf(db, access, space),
    holdsAll: async (tx, access, space, count) => (await sizeOf(tx, access, space)) >= count,

    async page(access, space, after, limit) {
      const rows = await db.$queryRaw<{ memoryId: string; ownerNo: number; from: Date; until: Date | null }[]>`
        SELECT memory_id AS "memoryId", owner_no AS "ownerNo", valid_from AS "from", valid_until AS until
        FROM memory_vector
        WHERE i = ${access.i} AND ${inSpace(space)} ${after ? Prisma.sql`AND memory_id > ${after}::uuid` : Prisma.empty}
        ORDER BY memory_id LIMIT ${limit}`;
      return rows.map(({ memoryId, ownerNo, from, until }) => ({ memoryId, ownerNo, validity: { from, until } }));
    },

    async changed({ i, ownerNo, space }, after, limit) {
      const rows = await db.$queryRaw<ChangedRow[]>`
        SELECT memory_id AS "memoryId", type, valid_from AS "from", valid_until AS until, change,
          vector_send(${columnOf(space)}) AS bytes
        FROM memory_vector WHERE i = ${i} AND owner_no = ${ownerNo} AND ${inSpace(space)} AND change > ${after}
        ORDER BY change LIMIT ${limit}`;
      return rows.map(({ memoryId, type, from, until, change, bytes }) => {
        return { memoryId, type, validity: { from, until }, change, values: vectorOf(bytes) };
      });
    },

    async held({ i, ownerNo, space }) {
      const rows = await db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM memory_vector
        WHERE i = ${i} AND owner_no = ${ownerNo} AND ${inSpace(space)}`;
      return rows[0]!.count;
    },

    clear: (access, kept, limit) => db.$executeRaw`
      DELETE FROM memory_vector v USING (
        SELECT owner_no, memory_id, model FROM memory_vector
        WHERE i = ${access.i} AND model <> ALL(${kept.map(spaceName)}) LIMIT ${limit}
      ) AS gone
      WHERE v.i = ${access.i} AND v.owner_no = gone.owner_no AND v.memory_id = gone.memory_id AND v.model = gone.model`,

    async dropInstance({ i }) {
      await db.$executeRaw`DELETE FROM memory_vector WHERE i = ${i}`;
    },
  };
}

interface ChangedRow {
  readonly memoryId: string;
  readonly type: MemoryType;
  readonly from: Date;
  readonly until: Date | null;
  readonly change: bigint;
  readonly bytes: Uint8Array;
}

/**
 * PLAIN keeps a column in its row: TOAST would double the time of a scan, for the vector as for the short texts that it
 * is filtered by. A vector too long for that is kept beside the row as it is, since it could hardly be compressed.
 * Statistics about vectors tell nothing and take a second to gather.
 */
async function prepare(db: Db): Promise<void> {
  const statements = [
    'CREATE EXTENSION IF NOT EXISTS vector',
    'CREATE SEQUENCE IF NOT EXISTS memory_vector_change',
    `CREATE TABLE IF NOT EXISTS memory_vector (
       i bigint NOT NULL, owner_no int NOT NULL, memory_id uuid NOT NULL, type text NOT NULL,
       valid_from timestamptz NOT NULL, valid_until timestamptz, model text NOT NULL, is_complete boolean NOT NULL,
       change bigint NOT NULL DEFAULT nextval('memory_vector_change'),
       embedding vector, long_embedding vector, CHECK (num_nonnulls(embedding, long_embedding) = 1),
       PRIMARY KEY (i, owner_no, memory_id, model))`,
    `ALTER TABLE memory_vector ALTER embedding SET STORAGE PLAIN, ALTER model SET STORAGE PLAIN,
       ALTER type SET STORAGE PLAIN, ALTER embedding SET STATISTICS 0,
       ALTER long_embedding SET STORAGE EXTERNAL, ALTER long_embedding SET STATISTICS 0`,
    'CREATE INDEX IF NOT EXISTS memory_vector_memory ON memory_vector (i, memory_id)',
    'CREATE INDEX IF NOT EXISTS memory_vector_changed ON memory_vector (i, owner_no, change)',
    'CREATE INDEX IF NOT EXISTS memory_vector_incomplete ON memory_vector (i, model) WHERE NOT is_complete',
  ];
  for (const statement of statements) await db.$executeRawUnsafe(statement);
}
