import { LRUCache } from 'lru-cache';
import type { Db } from '../../db/database.ts';
import { createWakeSignal } from '../../db/wake-signal.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import type { Access } from '../tenancy/access.ts';
import { latestChange, readChangedMemories, readChangedOwners, readRecentMemories } from './change-store.ts';
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
/** The interval at which changes are looked for whose notices were lost. */
const scanEveryMs = 60_000;
/**
 * A change takes its number before it is committed, so that higher numbers may be seen before it. More than this many
 * are not taken in the whole database while one transaction runs.
 */
const changesOfTransaction = 10_000n;
/** A memory has the time of the worker that stored it: of its clock, and from before its transaction began. */
const storedBeforeMs = 120_000;

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
  const wakeUp = createWakeSignal();
  let nextScanAt = performance.now() + scanEveryMs;
  const stop = deps.memoryFeed.listen(
    access.instanceNumber,
    (ownerNo) => {
      dirty.add(ownerNo);
      wakeUp.wake();
    },
    () => {
      nextScanAt = performance.now();
      wakeUp.wake();
    },
  );
  try {
    const { since, after, seen, told } = await startOf(deps, access, { isNewOnly });
    let [base, nextBase] = [after, after];
    while (!signal.aborted) {
      const [ownerNo] = dirty;
      if (ownerNo === undefined) {
        await wakeUp.wait(nextScanAt - performance.now(), signal);
        if (dirty.size || performance.now() < nextScanAt) continue;
        nextScanAt = performance.now() + scanEveryMs;
        base = nextBase; // whatever was found after the former one has been told
        const through = await latestChange(deps.db);
        for (const each of await readChangedOwners(deps.db, access.instanceNumber, { after: base, through }))
          if (each.change > (seen.get(each.ownerNo) ?? base)) dirty.add(each.ownerNo);
        nextBase = through - changesOfTransaction;
        continue;
      }
      dirty.delete(ownerNo);
      const from = seen.get(ownerNo) ?? base;
      const changes = await readChangedMemories(
        deps.db,
        { instanceNumber: access.instanceNumber, ownerNo },
        { after: from, since, limit: pageSize },
      );
      if (changes.length === pageSize) dirty.add(ownerNo);
      const last = changes.at(-1);
      if (!last) continue;
      seen.set(ownerNo, last.change);
      const ids = changes.flatMap(({ memoryId, isRecent }) =>
        !isNewOnly || (isRecent && !told.has(memoryId)) ? memoryId : [],
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

/**
 * The changes at which a subscription begins. An owner that changed recently starts after the last change that it had
 * then; all others start far enough back to cover transactions that are still running. With `isNewOnly`, memories that
 * were stored recently count as already sent.
 */
async function startOf(
  { db, now }: { readonly db: Db; readonly now: () => Date },
  { instanceNumber }: Access,
  { isNewOnly }: Pick<WatchedMemories, 'isNewOnly'>,
) {
  const since = new Date(now().getTime() - storedBeforeMs);
  const through = await latestChange(db);
  const after = through - changesOfTransaction;
  const seen = new LRUCache<number, bigint>({ max: rememberedAtMost });
  const told = new LRUCache<string, true>({ max: rememberedAtMost });
  for (const each of await readChangedOwners(db, instanceNumber, { after, through }))
    seen.set(each.ownerNo, each.change);
  const recent = { since, through, limit: rememberedAtMost };
  for (const id of isNewOnly ? await readRecentMemories(db, instanceNumber, recent) : []) told.set(id, true);
  return { since, after, seen, told };
}
