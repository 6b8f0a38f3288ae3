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

export const decryptCategory = (
  { keys }: Access,
  row: { id: string; category: string; customCategory: Uint8Array | null },
): string => (row.customCategory ? keys.open('memory.own_category', row.id, row.customCategory) : row.category);

/** SQL: a row is of the category, sealed or in plain text. */
export const isOfCategory = ({ keys }: Access, name: string): Prisma.Sql =>
  Prisma.sql`(memory.category = ${name} OR memory.own_category_key = ${keys.hash('category', name)})`;
