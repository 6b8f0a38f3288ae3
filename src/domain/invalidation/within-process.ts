import {
  instanceOwnerNo,
  type Epoch,
  type Invalidation,
  type Revision,
  type InvalidationHandler,
  type VersionedRead,
} from './invalidation.ts';
import { PendingChanges } from './pending-changes.ts';
import { WatchList } from './watch-list.ts';

/**
 * Invalidation for the only process on its database: whoever writes tells the handler, and no statement is needed.
 * `committed` is called with each change that this process committed.
 */
export function invalidationWithinProcess(
  handler: InvalidationHandler,
  committed: (revised: readonly Revision[]) => void,
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
        await Promise.all(
          [...risen].map(([instanceNumber, ownerNos]) => handler.onInvalidated(instanceNumber, ownerNos)),
        );
      }),
    awaitPropagation: (instanceNumber, ownerNos) => pending.ended(instanceNumber, ownerNos),
    epoch: (instanceNumber) => log.epoch(instanceNumber),
    isFresh: (read) => log.isFresh(read),
    close: async () => undefined,
  };
}

/** The most revisions that are kept; the log forgets other owners, and what was read of them counts as changed. */
const keptAtMost = 100_000;
/** The revision of an owner after its first change. */
const firstRevision = 1n;

/**
 * The revisions that changes of this process raised, noted before any of them is acknowledged. In the only process on a
 * database these are all changes: the log tells without a statement whether what was read earlier still holds.
 */
class InvalidationLog {
  readonly #revisions = new Map<string, bigint>();
  /** For each instance, the number of owners that began to hold memories. */
  readonly #newOwners = new Map<bigint, number>();
  #begun = 0;

  add(revised: readonly Revision[]): void {
    if (this.#revisions.size > keptAtMost) this.#forgetOwners();
    for (const { instanceNumber, ownerNo, revision } of revised) {
      if (revision === firstRevision)
        this.#newOwners.set(instanceNumber, (this.#newOwners.get(instanceNumber) ?? 0) + 1);
      const key = `${instanceNumber}/${ownerNo}`;
      if (revision > (this.#revisions.get(key) ?? 0n)) this.#revisions.set(key, revision);
    }
  }

  /** Instances stay: a key is read before it is known whose epoch would have to be taken. */
  #forgetOwners(): void {
    for (const key of this.#revisions.keys()) if (!key.endsWith(`/${instanceOwnerNo}`)) this.#revisions.delete(key);
    this.#begun += 1;
  }

  /** Returns the epoch of the instance. It changes when any owner of the instance stores its first memory. */
  epoch(instanceNumber: bigint): Epoch {
    return `${this.#begun}/${this.#newOwners.get(instanceNumber) ?? 0}`;
  }

  /** Whether nothing that was read changed since its epoch was taken and then its revisions were read. */
  isFresh({ instanceNumber, epoch, revisions }: VersionedRead): boolean {
    if (epoch !== this.epoch(instanceNumber)) return false;
    for (const [ownerNo, revision] of revisions) {
      if ((this.#revisions.get(`${instanceNumber}/${ownerNo}`) ?? 0n) > revision) return false;
    }
    return true;
  }
}
