import type { Db } from '../../db/database.ts';
import { notFound } from '../errors.ts';
import { listMemories } from '../memories/list-memories.ts';
import type { Memory } from '../memories/memory.ts';
import type { Access, Named } from '../tenancy/access.ts';
import { ownersOf } from '../tenancy/store.ts';

const pageSize = 100;

/** Every memory of a user or customer, page by page, so that a large export holds no more than one in memory. */
export async function* exportOwner(db: Db, access: Access, named: Named): AsyncGenerator<Memory, void, undefined> {
  const owners = await ownersOf(db, access, named);
  if (!owners.length) throw notFound(named.userId ? 'user' : 'customer');
  let cursor: string | undefined;
  do {
    const page = await listMemories(db, access, named, { limit: pageSize, cursor });
    yield* page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
}
