import { LRUCache } from 'lru-cache';
import type { Epoch, Freshness } from '../freshness/freshness.ts';
import { asOf, type Access } from './access.ts';

/** A key is read again after this time, whatever changed: an operator may have changed its row by hand. */
const keptMs = 60_000;

/** What keys open, by their hashes, for as long as this process knows that nothing of their instances changed. */
export class OpenedKeys {
  readonly #opened = new LRUCache<string, { access: Access; epoch: Epoch }>({ max: 10_000, ttl: keptMs });
  readonly #freshness: Pick<Freshness, 'epoch' | 'holds'>;

  constructor(freshness: Pick<Freshness, 'epoch' | 'holds'>) {
    this.#freshness = freshness;
  }

  /** What the key of this hash opens; `read` tells what it opens by its row. */
  async get(hash: Buffer, read: () => Promise<Access | undefined>): Promise<Access | undefined> {
    const key = hash.toString('latin1');
    const known = this.#opened.get(key);
    if (known && this.#freshness.holds({ ...asOf(known.access), epoch: known.epoch })) return known.access;
    const access = await read();
    if (access) this.#opened.set(key, { access, epoch: this.#freshness.epoch(access.i) });
    return access;
  }
}
