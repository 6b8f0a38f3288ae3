import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import { createWakeUp } from '../../db/wake-up.ts';
import { currentConfiguration } from '../configurations/store.ts';
import type { Access } from '../tenancy/access.ts';
import { latestChange, readChangedMemories } from './change-store.ts';
import type { MemoryFeed } from './memory-feed.ts';
import type { Memory } from './memory.ts';
import { readMemories } from './read.ts';

export interface WatchedMemories {
  /** Only memories of this user, in whatever customer. */
  readonly userId?: string | undefined;
  /** Only memories that are stored from now on, each once. */
  readonly isNewOnly: boolean;
}

const pageSize = 100;
/** So many owners and memories are kept in mind; beyond them a change may be told twice. */
const rememberedAtMost = 10_000;
const lookAgainMs = 60_000;

/**
 * Streams memories as they are stored, replaced, archived, restored or corrected, each as it stands when it is read: of
 * changes that follow each other closely, the last. Those that are forgotten leave no row and are not told.
 */
export async function* watchMemories(
  deps: { readonly db: Db; readonly memoryFeed: MemoryFeed; readonly now: () => Date },
  access: Access,
  { userId, isNewOnly }: WatchedMemories,
  signal: AbortSignal,
): AsyncGenerator<Memory, void, undefined> {
  const dirty = new Set<number>();
  const wakeUp = createWakeUp();
  const stop = deps.memoryFeed.listen(access.i, (ownerNo) => {
    dirty.add(ownerNo);
    wakeUp.wake();
  });
  try {
    const since = deps.now();
    const start = await latestChange(deps.db);
    const seen = new LRUCache<number, bigint>({ max: rememberedAtMost });
    const told = new LRUCache<string, true>({ max: rememberedAtMost });
    while (!signal.aborted) {
      const [ownerNo] = dirty;
      if (ownerNo === undefined) {
        await wakeUp.wait(lookAgainMs, signal);
        continue;
      }
      dirty.delete(ownerNo);
      const after = seen.get(ownerNo) ?? start;
      const changes = await readChangedMemories(deps.db, { i: access.i, ownerNo }, { after, since, limit: pageSize });
      if (changes.length === pageSize) dirty.add(ownerNo);
      const last = changes.at(-1);
      if (!last) continue;
      seen.set(ownerNo, last.change);
      const ids = changes.flatMap(({ memoryId, isNew }) =>
        !isNewOnly || (isNew && !told.has(memoryId)) ? memoryId : [],
      );
      for (const id of ids) told.set(id, true);
      const configuration = await currentConfiguration(deps.db, access);
      for (const memory of await readMemories(deps.db, access, configuration, ids)) {
        if (userId === undefined || memory.userId === userId) yield memory;
      }
    }
  } finally {
    stop();
  }
}
