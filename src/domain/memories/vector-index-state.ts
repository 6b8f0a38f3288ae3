import { countBehind } from '../search-index/mark-store.ts';
import { readSpaces } from '../search-index/space-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { Reembedding } from './reembed.ts';
import { countIndexed } from './store.ts';

/** The vectors that an instance's searches compare, beside its memories. */
export interface VectorIndexState {
  readonly memories: number;
  /** Complete ones; as many as memories when nothing is under way. */
  readonly vectors: number;
  /** Memories that the index has yet to follow. */
  readonly waiting: number;
}

/** Throws `unavailable` while the index does not answer. */
export async function vectorIndexState(
  deps: Pick<Reembedding, 'db' | 'vectors'>,
  access: Access,
): Promise<VectorIndexState> {
  const spaces = await readSpaces(deps.db, access);
  return {
    memories: await countIndexed(deps.db, access),
    vectors: spaces ? await deps.vectors.size(access, spaces.serving) : 0,
    waiting: await countBehind(deps.db, access),
  };
}
