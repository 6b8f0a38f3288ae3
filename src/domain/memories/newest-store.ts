import type { Sql } from '../../db/database.ts';
import { readableOwnerNumbers, type NarrowedAccess } from '../tenancy/access.ts';
import type { MemorySelection } from './memory.ts';
import { memorySelectionSql } from './memory-selection-store.ts';

/** The memories that `access` may read, at most `limit`: the newest first, what is stated before what was said word for word. */
export async function readNewestMemories(
  sql: Sql,
  access: NarrowedAccess,
  { limit, ...wanted }: MemorySelection & { readonly limit: number },
): Promise<string[]> {
  const rows = await sql.$queryRaw<{ id: string }[]>`
    SELECT id FROM memory
    WHERE i = ${access.instanceNumber} AND owner_no = ANY(${readableOwnerNumbers(access)}) ${memorySelectionSql('memory', wanted)}
    ORDER BY (type = 'episodes'), valid_from DESC, id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
