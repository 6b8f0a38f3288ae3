import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from '../tenancy/access.ts';
import { enqueueForInstance } from '../tenancy/enqueue-for-instance.ts';
import { formatSpaceName, parseSpaceName, type VectorSpace } from '../vectors/vector-recipe.ts';

/** The vectors that an instance's searches compare, and those that are being made to take their place. */
export interface VectorSpaces {
  readonly serving: VectorSpace;
  readonly building: VectorSpace | null;
  readonly startedAt: Date | null;
  readonly switchedAt: Date | null;
}

interface Row extends Omit<VectorSpaces, 'serving' | 'building'> {
  readonly serving: string;
  readonly building: string | null;
}

const toVectorSpaces = (row: Row): VectorSpaces => ({
  ...row,
  serving: parseSpaceName(row.serving),
  building: row.building === null ? null : parseSpaceName(row.building),
});

const columns = Prisma.sql`serving, building, started_at AS "startedAt", switched_at AS "switchedAt"`;

/** Null before the instance's first vector. */
export async function readSpaces(
  sql: Sql,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<VectorSpaces | null> {
  const rows = await sql.$queryRaw<Row[]>`SELECT ${columns} FROM vector_space WHERE i = ${instanceNumber}`;
  return rows[0] ? toVectorSpaces(rows[0]) : null;
}

/** Reads the instance's spaces and locks them, so that no switch comes in between before the transaction ends. */
export async function lockSpaces(tx: Tx, { instanceNumber }: Access): Promise<VectorSpaces | null> {
  const rows = await tx.$queryRaw<Row[]>`SELECT ${columns} FROM vector_space WHERE i = ${instanceNumber} FOR SHARE`;
  return rows[0] ? toVectorSpaces(rows[0]) : null;
}

/** Registers the space that the instance's vectors are made in from now on; keeps the one registered before. */
export async function registerSpace(sql: Sql, { instanceNumber }: Access, serving: VectorSpace): Promise<VectorSpaces> {
  const rows = await sql.$queryRaw<Row[]>`
    INSERT INTO vector_space AS s (i, serving) VALUES (${instanceNumber}, ${formatSpaceName(serving)})
    ON CONFLICT (i) DO UPDATE SET serving = s.serving RETURNING ${columns}`;
  return toVectorSpaces(rows[0]!);
}

export const startBuildingSpace = (sql: Sql, { instanceNumber }: Access, building: VectorSpace | null, at: Date) =>
  sql.vectorSpace.update({
    where: { instanceNumber },
    data: { building: building && formatSpaceName(building), startedAt: building && at },
  });

/** Lets searches compare what was built; whoever writes vectors meanwhile waits. False: that is not what was built. */
export async function switchToBuiltSpace(
  tx: Tx,
  { instanceNumber }: Access,
  built: VectorSpace,
  at: Date,
): Promise<boolean> {
  const { count } = await tx.vectorSpace.updateMany({
    where: { instanceNumber, building: formatSpaceName(built) },
    data: { serving: formatSpaceName(built), building: null, startedAt: null, switchedAt: at },
  });
  return count === 1;
}

/** Asks for the job that brings the instance's vectors to the model of its configuration, and completes them. */
export const enqueueReembedding = (sql: Sql, access: Pick<Access, 'instanceNumber'>) =>
  enqueueForInstance(sql, 'reembed-instance', access);

/** Asks for that job in each instance whose vectors are not, or may not be, those of `usual`. */
export async function enqueueReembeddingOfOtherModels(
  sql: Sql,
  usual: Pick<VectorSpace, 'model' | 'recipe'>,
): Promise<void> {
  const rows = await sql.vectorSpace.findMany({ select: { instanceNumber: true, serving: true, building: true } });
  for (const { instanceNumber, serving, building } of rows) {
    const { model, recipe } = parseSpaceName(serving);
    if (building !== null || model !== usual.model || recipe !== usual.recipe)
      await enqueueReembedding(sql, { instanceNumber });
  }
}
