import { LRUCache } from 'lru-cache';
import type { Epoch, Invalidation } from '../invalidation/invalidation.ts';
import { readVersionsOf, type Access } from './access.ts';

/** A key is read again after this time, whatever changed: an operator may have changed its row by hand. */
const keptMs = 60_000;

/** Caches what keys open, by their hashes, while this process knows that nothing of their instances changed. */
export class AuthenticatedKeyCache {
  readonly #opened = new LRUCache<string, { access: Access; epoch: Epoch }>({ max: 10_000, ttl: keptMs });
  readonly #invalidation: Pick<Invalidation, 'epoch' | 'isFresh'>;

  constructor(invalidation: Pick<Invalidation, 'epoch' | 'isFresh'>) {
    this.#invalidation = invalidation;
  }

  /** The access that the key of this hash opens; `read` reads it from the key's row. */
  async get(hash: Buffer, read: () => Promise<Access | undefined>): Promise<Access | undefined> {
    const key = hash.toString('latin1');
    const existing = this.#opened.get(key);
    if (existing && this.#invalidation.isFresh({ ...readVersionsOf(existing.access), epoch: existing.epoch }))
      return existing.access;
    const access = await read();
    if (access) this.#opened.set(key, { access, epoch: this.#invalidation.epoch(access.instanceNumber) });
    return access;
  }
}
