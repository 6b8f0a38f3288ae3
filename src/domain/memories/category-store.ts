import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { builtInCategories, type BuiltInCategory } from '../memory-types.ts';
import type { Access } from '../tenancy/access.ts';

/** Stands in a row in place of a category that a configuration has of its own. */
export const customCategoryMark = '';

/**
 * A category as a row keeps it: one that extraction knows in clear, since what is looked up and how long it is kept
 * depend on it; a configuration's own word sealed, and found again by its keyed hash.
 */
export interface SealedCategory {
  readonly category: BuiltInCategory | typeof customCategoryMark;
  readonly sealed: Buffer<ArrayBuffer> | null;
  readonly key: Buffer<ArrayBuffer> | null;
}

export function sealCategory({ keys }: Access, memoryId: string, name: string): SealedCategory {
  const existing = builtInCategories.find((each) => each === name);
  if (existing) return { category: existing, sealed: null, key: null };
  return {
    category: customCategoryMark,
    sealed: keys.seal('memory.own_category', memoryId, name),
    key: keys.hash('category', name),
  };
}

/** Rows of an earlier release keep every category in clear until `sealClearText` has been there. */
export const decryptCategory = (
  { keys }: Access,
  row: { id: string; category: string; ownCategory: Uint8Array | null },
): string => (row.ownCategory ? keys.open('memory.own_category', row.id, row.ownCategory) : row.category);

/** Whether a row is of the category, however it keeps it. */
export const isOfCategory = ({ keys }: Access, name: string): Prisma.Sql =>
  Prisma.sql`(memory.category = ${name} OR memory.own_category_key = ${keys.hash('category', name)})`;

/** A row of an earlier release, which kept in clear what a configuration calls a category. */
export interface ClearCategory {
  readonly id: string;
  readonly category: string;
}

/** The next `limit` of them behind the memory `after`. */
export const readClearCategories = (
  sql: Sql,
  access: Access,
  { after, limit }: { after: string; limit: number },
): Promise<ClearCategory[]> =>
  sql.$queryRaw<ClearCategory[]>`
    SELECT id, category FROM memory
    WHERE id > ${after}::uuid AND category <> ALL(${[customCategoryMark, ...builtInCategories]}::text[]) AND i = ${access.instanceNumber}
    ORDER BY id LIMIT ${limit}`;

/** Returns how many rows now keep theirs sealed. */
export function sealCategories(sql: Sql, access: Access, rows: readonly ClearCategory[]): Promise<number> {
  const kept = rows.map(({ id, category }) => sealCategory(access, id, category));
  return sql.$executeRaw`
    UPDATE memory SET category = ${customCategoryMark}, own_category = given.sealed, own_category_key = given.key
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${kept.map(({ sealed }) => sealed!)}::bytea[],
      ${kept.map(({ key }) => key!)}::bytea[]) AS given (id, sealed, key)
    WHERE memory.id = given.id AND memory.i = ${access.instanceNumber}`;
}
