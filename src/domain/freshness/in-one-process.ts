import type { Freshness, Showing } from './freshness.ts';
import { InvalidationLog } from './invalidation-log.ts';
import { Ongoing } from './ongoing.ts';
import { WatchList } from './watched.ts';

/** For the only process on its database: whoever writes tells those who show, and no statement is needed. */
export function freshInOneProcess(showing: Showing): Freshness {
  const list = new WatchList();
  const log = new InvalidationLog();
  const ongoing = new Ongoing();
  return {
    async watch(i, ownerNos) {
      // What is read from now on is at least as new as what was committed; what is committed later is told.
      const watched = ownerNos.map((ownerNo) => list.get({ i, ownerNo }) ?? list.add({ i, ownerNo }, 0n));
      for (const each of watched) each.readers += 1;
      return () => {
        for (const each of watched) if ((each.readers -= 1) === 0) list.remove(each);
        watched.length = 0;
      };
    },
    isCurrent: (asOf) => list.covers(asOf),
    ready: async () => undefined,
    announce: () =>
      ongoing.begin(async (revised) => {
        log.add(revised);
        const risen = list.raise(revised);
        await Promise.all([...risen].map(([i, ownerNos]) => showing.apply(i, ownerNos)));
      }),
    settled: (i, ownerNos) => ongoing.ended(i, ownerNos),
    epoch: (i) => log.epoch(i),
    holds: (read) => log.holds(read),
    close: async () => undefined,
  };
}
