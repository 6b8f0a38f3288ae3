import type { Database, Sql } from '../../db/database.ts';
import { vectorRecipe, formatSpaceName, type VectorSpace } from '../../domain/vectors/vector-recipe.ts';
import type { VectorIndex } from '../../domain/search-index/vector-index.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { OwnerSnapshot } from '../../domain/memories/change-store.ts';
import type { StoredVector, VectorSource } from '../owner-cache/owner-source.ts';
import { vectorArrayBytes, parseVectorBytes } from './binary.ts';
import { vectorColumnOf, inSpaceSql } from './columns.ts';
import { createDatabaseVectorReads } from './compare-in-database.ts';
import { createInProcessVectorReads } from './compare-in-process.ts';
import { prepareVectorTable } from './prepare-table.ts';

/** Vectors beside their rows, and whether the database compares them by itself, which needs pgvector. */
export type PgvectorIndex = VectorIndex & VectorSource & { readonly comparesInDatabase: boolean };

/**
 * Vectors in the same Postgres, by exact scan after the owner filter: a user has thousands of memories, not millions.
 * `model` names the space of each; those of another space are never compared with.
 */
export async function openPgvectorIndex({
  db,
  exclusively,
}: Pick<Database, 'db' | 'exclusively'>): Promise<PgvectorIndex> {
  const type = await exclusively(prepareVectorTable);
  const comparesInDatabase = type.name === 'vector';
  const array = Prisma.raw(`${type.name}[]`);
  /** A vector as `vectorBytes` wrote it. */
  const sent = (column: Prisma.Sql) => (comparesInDatabase ? Prisma.sql`vector_send(${column})` : column);

  const sizeOf = async (sql: Sql, access: Access, space: VectorSpace): Promise<number> => {
    const rows = await sql.$queryRaw<{ count: number }[]>`
      SELECT (
        (SELECT count(*) FROM memory_vector WHERE i = ${access.instanceNumber} AND ${inSpaceSql(space)})
        - (SELECT count(*) FROM memory_vector WHERE i = ${access.instanceNumber} AND ${inSpaceSql(space)} AND NOT is_complete)
      )::int AS count`; // each from an index alone: the rows are long
    return rows[0]!.count;
  };

  return {
    comparesInDatabase,
    ...(comparesInDatabase ? createDatabaseVectorReads(db) : createInProcessVectorReads(db)),
    needsReconciliation: false,

    prepare: async (_, made) => ({ ...made, mark: null, isDeferred: false }),

    async put(tx, access, { space, vectors }) {
      if (!vectors.length) return true;
      const column = vectorColumnOf(space);
      await tx.$executeRaw`
        INSERT INTO memory_vector (i, owner_no, memory_id, type, valid_from, valid_until, model, is_complete, ${column})
        SELECT ${access.instanceNumber}, t.owner_no, t.memory_id, t.type, t.valid_from, t.valid_until, ${formatSpaceName(space)},
          t.is_complete, t.embedding
        FROM unnest(${vectors.map((v) => v.ownerNo)}::int[], ${vectors.map((v) => v.memoryId)}::uuid[],
          ${vectors.map((v) => v.type)}::text[], ${vectors.map((v) => v.validity.from.toISOString())}::timestamptz[],
          ${vectors.map((v) => v.validity.until?.toISOString() ?? null)}::timestamptz[],
          ${vectors.map((v) => v.isComplete)}::boolean[],
          ${vectorArrayBytes(
            vectors.map((v) => v.values),
            type.oid,
            vectorRecipe.sketchDimensions + space.dimensions,
          )}::${array}
        ) AS t (owner_no, memory_id, type, valid_from, valid_until, is_complete, embedding)
        ON CONFLICT (i, owner_no, memory_id, model) DO UPDATE SET ${column} = excluded.${column}, type = excluded.type,
          is_complete = excluded.is_complete, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
          change = excluded.change`;
      return true;
    },

    async setValidity(tx, access, memoryIds, until) {
      await tx.$executeRaw`
        UPDATE memory_vector SET valid_until = ${until}::timestamptz, change = nextval('memory_vector_change')
        WHERE i = ${access.instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
    },

    async refreshProvenance(tx, access, memoryIds) {
      if (!memoryIds.length) return;
      await tx.$executeRaw`
        UPDATE memory_vector SET change = nextval('memory_vector_change')
        WHERE i = ${access.instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
    },

    applyPending: async () => 0,
    applyAllPending: async () => null,

    async count(access, memoryIds) {
      const rows = await db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM memory_vector
        WHERE i = ${access.instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])`;
      return rows[0]!.count;
    },

    remove: (tx, access, memoryIds, space) => tx.$executeRaw`
      DELETE FROM memory_vector WHERE i = ${access.instanceNumber} AND memory_id = ANY(${memoryIds}::uuid[])
        ${space ? Prisma.sql`AND ${inSpaceSql(space)}` : Prisma.empty}`,

    async findMissing(access, space, memoryIds) {
      const rows = await db.$queryRaw<{ id: string }[]>`
        SELECT m.id FROM unnest(${memoryIds}::uuid[]) AS m (id)
        WHERE NOT EXISTS (SELECT 1 FROM memory_vector v
          WHERE v.i = ${access.instanceNumber} AND v.memory_id = m.id AND v.is_complete AND v.model = ${formatSpaceName(space)})`;
      return rows.map(({ id }) => id);
    },

    size: (access, space) => sizeOf(db, access, space),
    isStillComplete: async (tx, access, space, count) => (await sizeOf(tx, access, space)) >= count,

    async page(access, space, after, limit) {
      const rows = await db.$queryRaw<{ memoryId: string; ownerNo: number; from: Date; until: Date | null }[]>`
        SELECT memory_id AS "memoryId", owner_no AS "ownerNo", valid_from AS "from", valid_until AS until
        FROM memory_vector
        WHERE i = ${access.instanceNumber} AND ${inSpaceSql(space)} ${after ? Prisma.sql`AND memory_id > ${after}::uuid` : Prisma.empty}
        ORDER BY memory_id LIMIT ${limit}`;
      return rows.map(({ memoryId, ownerNo, from, until }) => ({ memoryId, ownerNo, validity: { from, until } }));
    },

    async changed({ instanceNumber, ownerNo, space }, after, limit) {
      const rows = await db.$queryRaw<(OwnerSnapshot & Nullable<ChangedRow>)[]>`
        SELECT o.revision, o.memory_count AS "memoryCount", v.* FROM owner o LEFT JOIN LATERAL (
          SELECT memory_id AS "memoryId", change, ${sent(vectorColumnOf(space))} AS bytes
          FROM memory_vector WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} AND ${inSpaceSql(space)} AND change > ${after}
          ORDER BY change LIMIT ${limit}
        ) AS v ON true
        WHERE o.i = ${instanceNumber} AND o.owner_no = ${ownerNo} ORDER BY v.change`;
      if (!rows[0]) return null;
      const { revision, memoryCount } = rows[0];
      return { revision, memoryCount, rows: rows.filter(isChanged).map(storedVector) };
    },

    async held({ instanceNumber, ownerNo, space }) {
      const rows = await db.$queryRaw<(OwnerSnapshot & { count: number })[]>`
        SELECT revision, memory_count AS "memoryCount", (
          SELECT count(*)::int FROM memory_vector WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} AND ${inSpaceSql(space)}) AS count
        FROM owner WHERE i = ${instanceNumber} AND owner_no = ${ownerNo}`;
      return rows[0] ?? null;
    },

    clear: (access, kept, limit) => db.$executeRaw`
      DELETE FROM memory_vector v USING (
        SELECT owner_no, memory_id, model FROM memory_vector
        WHERE i = ${access.instanceNumber} AND model <> ALL(${kept.map(formatSpaceName)}) LIMIT ${limit}
      ) AS gone
      WHERE v.i = ${access.instanceNumber} AND v.owner_no = gone.owner_no AND v.memory_id = gone.memory_id AND v.model = gone.model`,

    async dropInstance({ instanceNumber }) {
      await db.$executeRaw`DELETE FROM memory_vector WHERE i = ${instanceNumber}`;
    },
  };
}

interface ChangedRow {
  readonly memoryId: string;
  readonly change: bigint;
  readonly bytes: Uint8Array;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
/** The join gives an owner without any change a row of nulls. */
const isChanged = <T extends Nullable<ChangedRow>>(row: T): row is T & ChangedRow => row.memoryId !== null;
const storedVector = ({ memoryId, change, bytes }: ChangedRow): StoredVector => ({
  memoryId,
  change,
  values: parseVectorBytes(bytes),
});
