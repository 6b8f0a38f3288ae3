import type { ReadVersions, Revision, RevisionKey } from './invalidation.ts';

/** An owner or an instance that this process shows. */
export interface WatchedSubject extends RevisionKey {
  /** The revision before which no read of the owner may be shown. */
  known: bigint;
  readers: number;
  /** Since when nobody reads it, in milliseconds of the clock. */
  idleSince: number;
}

const keyOf = ({ instanceNumber, ownerNo }: RevisionKey) => `${instanceNumber}/${ownerNo}`;

/** The owners and instances that this process shows, and the revision up to which it knows each. */
export class WatchList {
  readonly #watched = new Map<string, WatchedSubject>();

  get(subject: RevisionKey): WatchedSubject | undefined {
    return this.#watched.get(keyOf(subject));
  }

  add({ instanceNumber, ownerNo }: RevisionKey, existing: bigint): WatchedSubject {
    const added = { instanceNumber, ownerNo, known: existing, readers: 0, idleSince: 0 };
    this.#watched.set(keyOf(added), added);
    return added;
  }

  remove(subject: RevisionKey): void {
    this.#watched.delete(keyOf(subject));
  }

  all(): IterableIterator<WatchedSubject> {
    return this.#watched.values();
  }

  /** Raises revisions: earlier reads may not be shown any more. Returns the watched owners, by instance. */
  raise(revised: readonly Revision[]): Map<bigint, number[]> {
    const risen = new Map<bigint, number[]>();
    for (const each of revised) {
      const watched = this.get(each);
      if (!watched) continue;
      if (each.revision > watched.known) watched.known = each.revision;
      risen.set(each.instanceNumber, [...(risen.get(each.instanceNumber) ?? []), each.ownerNo]);
    }
    return risen;
  }

  covers({ instanceNumber, revisions }: ReadVersions): boolean {
    for (const [ownerNo, revision] of revisions) {
      const watched = this.get({ instanceNumber, ownerNo });
      if (!watched || watched.known > revision) return false;
    }
    return true;
  }
}
