import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from '../tenancy/access.ts';
import { enqueueForInstance } from '../tenancy/enqueue-for-instance.ts';
import { spaceName, spaceNamed, type VectorSpace } from './vector-space.ts';

/** Which vectors an instance's searches compare, and those that are being made to take their place. */
export interface Spaces {
  readonly serving: VectorSpace;
  readonly building: VectorSpace | null;
  /** When `building` began. */
  readonly startedAt: Date | null;
  /** When `serving` took its place. */
  readonly switchedAt: Date | null;
}

interface Row extends Omit<Spaces, 'serving' | 'building'> {
  readonly serving: string;
  readonly building: string | null;
}

const opened = (row: Row): Spaces => ({
  ...row,
  serving: spaceNamed(row.serving),
  building: row.building === null ? null : spaceNamed(row.building),
});

const columns = Prisma.sql`serving, building, started_at AS "startedAt", switched_at AS "switchedAt"`;

/** Null before the instance's first vector. */
export async function readSpaces(sql: Sql, { i }: Pick<Access, 'i'>): Promise<Spaces | null> {
  const rows = await sql.$queryRaw<Row[]>`SELECT ${columns} FROM vector_space WHERE i = ${i}`;
  return rows[0] ? opened(rows[0]) : null;
}

/** Reads the instance's spaces and locks them, so that no switch comes in between before the transaction ends. */
export async function holdSpaces(tx: Tx, { i }: Access): Promise<Spaces | null> {
  const rows = await tx.$queryRaw<Row[]>`SELECT ${columns} FROM vector_space WHERE i = ${i} FOR SHARE`;
  return rows[0] ? opened(rows[0]) : null;
}

/** Registers the space that the instance's vectors are made in from now on; keeps the one registered before. */
export async function registerSpace(sql: Sql, { i }: Access, serving: VectorSpace): Promise<Spaces> {
  const rows = await sql.$queryRaw<Row[]>`
    INSERT INTO vector_space AS s (i, serving) VALUES (${i}, ${spaceName(serving)})
    ON CONFLICT (i) DO UPDATE SET serving = s.serving RETURNING ${columns}`;
  return opened(rows[0]!);
}

export const beginBuilding = (sql: Sql, { i }: Access, building: VectorSpace | null, at: Date) =>
  sql.vectorSpace.update({
    where: { i },
    data: { building: building && spaceName(building), startedAt: building && at },
  });

/** Lets searches compare what was built; whoever writes vectors meanwhile waits. False: that is not what was built. */
export async function serveBuilt(tx: Tx, { i }: Access, built: VectorSpace, at: Date): Promise<boolean> {
  const { count } = await tx.vectorSpace.updateMany({
    where: { i, building: spaceName(built) },
    data: { serving: spaceName(built), building: null, startedAt: null, switchedAt: at },
  });
  return count === 1;
}

/** Asks for the job that brings the instance's vectors to the model of its configuration, and completes them. */
export const askToReembed = (sql: Sql, access: Pick<Access, 'i'>) =>
  enqueueForInstance(sql, 'reembed-instance', access);

/** Asks for that job in each instance whose vectors are not, or may not be, those of `usual`. */
export async function askToReembedOthers(sql: Sql, usual: Pick<VectorSpace, 'model' | 'recipe'>): Promise<void> {
  const rows = await sql.vectorSpace.findMany({ select: { i: true, serving: true, building: true } });
  for (const { i, serving, building } of rows) {
    const { model, recipe } = spaceNamed(serving);
    if (building !== null || model !== usual.model || recipe !== usual.recipe) await askToReembed(sql, { i });
  }
}
