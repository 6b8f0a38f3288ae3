import type { Invalidation, Revision, Subscribers } from './invalidation.ts';
import { InvalidationLog } from './invalidation-log.ts';
import { PendingChanges } from './pending-changes.ts';
import { WatchList } from './watch-list.ts';

/**
 * Invalidation for the only process on its database: whoever writes tells the subscribers, and no statement is needed.
 * `committed` is called with each change that this process committed.
 */
export function invalidationWithinProcess(
  subscribers: Subscribers,
  committed: (revised: readonly Revision[]) => void = () => undefined,
): Invalidation {
  const list = new WatchList();
  const log = new InvalidationLog();
  const pending = new PendingChanges();
  return {
    async watch(instanceNumber, ownerNos) {
      // Reads from now on are at least as new as all earlier commits; later commits notify the watcher.
      const watched = ownerNos.map(
        (ownerNo) => list.get({ instanceNumber, ownerNo }) ?? list.add({ instanceNumber, ownerNo }, 0n),
      );
      for (const each of watched) each.readers += 1;
      return () => {
        for (const each of watched) if ((each.readers -= 1) === 0) list.remove(each);
        watched.length = 0;
      };
    },
    isCurrent: (read) => list.covers(read),
    ready: async () => undefined,
    beginChange: () =>
      pending.begin(async (revised) => {
        log.add(revised);
        const risen = list.raise(revised);
        committed(revised);
        await Promise.all([...risen].map(([instanceNumber, ownerNos]) => subscribers.apply(instanceNumber, ownerNos)));
      }),
    settled: (instanceNumber, ownerNos) => pending.ended(instanceNumber, ownerNos),
    epoch: (instanceNumber) => log.epoch(instanceNumber),
    holds: (read) => log.holds(read),
    close: async () => undefined,
  };
}
