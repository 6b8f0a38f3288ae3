import { instanceItself, type Freshness, type Revised } from './freshness.ts';

/** Of owners that changed; then all is forgotten, and whatever was read before counts as changed. */
const keptAtMost = 100_000;
/** What the first change of an owner makes of its revision. */
const firstRevision = 1n;

/** What was read, by what it has to be checked later. Taken before it is read. */
export type Stamp = string;

/**
 * What changed since this process began, known before any of it is acknowledged. In the only process on a database that
 * is all that changes: by it, what was read earlier is checked without a statement.
 */
export class HeardChanges {
  readonly #revisions = new Map<string, bigint>();
  /** Owners that came to hold something, by instance. */
  readonly #newOwners = new Map<bigint, number>();
  #instances = 0;
  #forgotten = 0;

  hear(revised: readonly Revised[]): void {
    if (this.#revisions.size > keptAtMost) {
      this.#revisions.clear();
      this.#forgotten += 1;
    }
    for (const { i, ownerNo, revision } of revised) {
      if (ownerNo === instanceItself) this.#instances += 1;
      else if (revision === firstRevision) this.#newOwners.set(i, (this.#newOwners.get(i) ?? 0) + 1);
      const key = `${i}/${ownerNo}`;
      if (revision > (this.#revisions.get(key) ?? 0n)) this.#revisions.set(key, revision);
    }
  }

  /** Another as soon as a key, a state or the configuration in force of any instance changes. */
  stampOfInstances(): Stamp {
    return String(this.#instances);
  }

  /** Another as soon as an owner of this instance holds something for the first time, whoever may read it. */
  stampOf(i: bigint): Stamp {
    return `${this.#forgotten}/${this.#newOwners.get(i) ?? 0}`;
  }

  /** Nothing changed that a reader of these owners may see, since the stamp was taken and then the revisions were read. */
  isCurrent(i: bigint, { stamp, revisions }: { stamp: Stamp; revisions: ReadonlyMap<number, bigint> }): boolean {
    if (stamp !== this.stampOf(i)) return false;
    for (const [ownerNo, revision] of revisions) {
      if ((this.#revisions.get(`${i}/${ownerNo}`) ?? 0n) > revision) return false;
    }
    return true;
  }
}

/** The same freshness, of whose changes `heard` is told: once they are committed, before they are acknowledged. */
export const heardBy = (heard: HeardChanges, freshness: Freshness): Freshness => ({
  ...freshness,
  announce() {
    const change = freshness.announce();
    return {
      ...change,
      passed() {
        heard.hear(change.revised);
        return change.passed();
      },
    };
  },
});
