import { instanceOwnerNo, type Epoch, type Revision, type VersionedRead } from './invalidation.ts';

/** Revisions that are kept; beyond these the log forgets its owners, and what was read of them before counts as changed. */
const keptAtMost = 100_000;
/** The revision of an owner after its first change. */
const firstRevision = 1n;

/**
 * The revisions that changes of this process raised, noted before any of them is acknowledged. In the only process on a
 * database these are all changes: the log tells without a statement whether what was read earlier still holds.
 */
export class InvalidationLog {
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

  /** Another as soon as an owner of this instance holds something for the first time, whoever may read it. */
  epoch(instanceNumber: bigint): Epoch {
    return `${this.#begun}/${this.#newOwners.get(instanceNumber) ?? 0}`;
  }

  /** Whether nothing that was read changed since its epoch was taken and then its revisions were read. */
  holds({ instanceNumber, epoch, revisions }: VersionedRead): boolean {
    if (epoch !== this.epoch(instanceNumber)) return false;
    for (const [ownerNo, revision] of revisions) {
      if ((this.#revisions.get(`${instanceNumber}/${ownerNo}`) ?? 0n) > revision) return false;
    }
    return true;
  }
}
