import type { AsOf, Revised, Subject } from './freshness.ts';

/** Something that this process shows. */
export interface Watched extends Subject {
  /** Nothing of it may be shown that was read before this. */
  known: bigint;
  readers: number;
  /** Since when nobody reads it, in milliseconds of the clock. */
  idleSince: number;
}

const keyOf = ({ i, ownerNo }: Subject) => `${i}/${ownerNo}`;

/** What this process shows, and up to which revision it knows it. */
export class WatchList {
  readonly #watched = new Map<string, Watched>();

  get(subject: Subject): Watched | undefined {
    return this.#watched.get(keyOf(subject));
  }

  add({ i, ownerNo }: Subject, known: bigint): Watched {
    const added = { i, ownerNo, known, readers: 0, idleSince: 0 };
    this.#watched.set(keyOf(added), added);
    return added;
  }

  remove(subject: Subject): void {
    this.#watched.delete(keyOf(subject));
  }

  all(): IterableIterator<Watched> {
    return this.#watched.values();
  }

  /** From now on nothing of these is shown that was read before. Returns those that are watched, by instance. */
  raise(revised: readonly Revised[]): Map<bigint, number[]> {
    const risen = new Map<bigint, number[]>();
    for (const each of revised) {
      const watched = this.get(each);
      if (!watched) continue;
      if (each.revision > watched.known) watched.known = each.revision;
      risen.set(each.i, [...(risen.get(each.i) ?? []), each.ownerNo]);
    }
    return risen;
  }

  covers({ i, revisions }: AsOf): boolean {
    for (const [ownerNo, revision] of revisions) {
      const watched = this.get({ i, ownerNo });
      if (!watched || watched.known > revision) return false;
    }
    return true;
  }
}
