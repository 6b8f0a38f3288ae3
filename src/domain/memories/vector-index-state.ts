import { countIndexBacklog } from '../search-index/stale-vector-store.ts';
import { readSpaces } from '../search-index/space-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { ReembeddingDependencies } from './reembed.ts';
import { countIndexed } from './memory-store.ts';

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
  deps: Pick<ReembeddingDependencies, 'db' | 'vectors'>,
  access: Access,
): Promise<VectorIndexState> {
  const spaces = await readSpaces(deps.db, access);
  return {
    memories: await countIndexed(deps.db, access),
    vectors: spaces ? await deps.vectors.size(access, spaces.serving) : 0,
    waiting: await countIndexBacklog(deps.db, access),
  };
}
