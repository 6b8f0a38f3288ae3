import type { Sql } from '../../db/database.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import type { MemorySelection } from './memory.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/** The attributes that a question asks for. */
export interface AttributeQuestion extends MemorySelection {
  readonly attributes: readonly { readonly subject: string; readonly name: string }[];
}

/**
 * The statement that gives the attribute's value, the one said last of several that agree, or else that says that it
 * has none: of the user who is read for, since "my" is another's elsewhere, with a customer or without. Null when there
 * is none.
 */
export async function findAttributeAnswer(
  sql: Sql,
  access: NarrowedAccess,
  { attributes, ...wanted }: AttributeQuestion,
): Promise<string | null> {
  const owners = access.readableOwners.flatMap(({ scope, ownerNo }) => (scope === 'USER' ? ownerNo : []));
  if (!owners.length) return null;
  const keys = attributes.map(({ subject, name }) => access.keys.hash('attribute', `${subject}/${name}`));
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT memory.id FROM memory
    WHERE memory.owner_no = ANY(${owners}::int[]) AND memory.attribute_key = ANY(${keys}) AND memory.type <> 'episodes'
      ${memorySelectionSql('memory', wanted)} AND ${readableBySql(access, 'memory')}
    ORDER BY coalesce(memory.attribute_sense, '') IN ('denies', 'ends', 'ends-all'), memory.valid_from DESC, memory.id LIMIT 1`;
  return rows[0]?.id ?? null;
}
