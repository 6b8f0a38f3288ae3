import { LRUCache } from 'lru-cache';
import type { Db, Sql } from '../../db/database.ts';
import type { HeardChanges, Stamp } from '../freshness/heard-changes.ts';
import { revisionsIn, type Isolation, type Named, type ReadableOwner } from './access.ts';
import { readableOwners } from './store.ts';

/** The owners that the named may read, as they are now; see `readableOwners`. */
export interface Readers {
  owners(i: bigint, named: Named, isolation: Isolation): Promise<readonly ReadableOwner[]>;
}

/** By a statement each time. */
export const readersIn = (sql: Sql): Readers => ({
  owners: (i, named, isolation) => readableOwners(sql, i, named, isolation),
});

interface Known {
  readonly owners: readonly ReadableOwner[];
  readonly revisions: ReadonlyMap<number, bigint>;
  readonly stamp: Stamp;
}

const readersAtMost = 10_000;

/** The same, remembering them. Where all changes are heard, no statement is needed until one of the owners changes. */
export class KnownReaders implements Readers {
  readonly #db: Db;
  readonly #changes: HeardChanges | null;
  readonly #known = new LRUCache<string, Known>({ max: readersAtMost });

  constructor(db: Db, changes: HeardChanges | null) {
    this.#db = db;
    this.#changes = changes;
  }

  async owners(i: bigint, named: Named, isolation: Isolation): Promise<readonly ReadableOwner[]> {
    const key = keyOf(i, named, isolation);
    const known = this.#known.get(key);
    if (known && areRegistered(known.owners, named) && this.#changes?.isCurrent(i, known)) return known.owners;
    const stamp = this.#changes?.stampOf(i) ?? ''; // before they are read
    const owners = await readableOwners(this.#db, i, named, isolation);
    this.#known.set(key, { owners, revisions: revisionsIn(owners), stamp });
    return owners;
  }

  /** As they were when they were read last: by their mark it is to be confirmed that they are so still. */
  asBefore(i: bigint, named: Named, isolation: Isolation): readonly ReadableOwner[] | undefined {
    return this.#known.get(keyOf(i, named, isolation))?.owners;
  }
}

/** One who is registered is not heard of before they hold something. */
const areRegistered = (owners: readonly ReadableOwner[], { userId = '', customerId = '' }: Named) =>
  (!userId && !customerId) || owners.some((owner) => owner.userId === userId && owner.customerId === customerId);

const keyOf = (i: bigint, { userId = '', customerId = '' }: Named, isolation: Isolation) =>
  JSON.stringify([String(i), isolation, userId, customerId]);
