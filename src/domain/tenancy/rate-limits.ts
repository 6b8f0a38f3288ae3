import type { Db } from '../../db/database.ts';
import { DomainError } from '../errors.ts';
import { credentialIdOf, type Access } from './access.ts';
import { recordSpentCalls } from './rate-store.ts';
import { TokenBucket, type RateQuota, type Rate } from './rate.ts';

export interface RateLimitOptions {
  readonly db: Db;
  /** The rate of keys that have none of their own. */
  readonly defaultRate: Rate;
  /** The rate of each browser token. */
  readonly browser: Rate;
  /** Streams that a key may hold open in this process. */
  readonly streams: number;
  readonly warn: (message: string, error: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly clock?: () => number;
}

/** The calls that one process takes are unknown to the others for this long; see docs/decisions/0024. */
const settleAfterMs = 500;
/**
 * Requests of one credential that one process answers at the same time; an open subscription is one. A browser token
 * has its own, so that pages that watch never keep the agents of their key from asking.
 */
const mostAtOnce = { key: 200, browser: 20 } as const;

interface Spender {
  readonly instanceNumber: bigint;
  readonly bucket: TokenBucket;
  taken: number;
}

/**
 * Keeps each key and each browser token to its rate, across processes: every process takes from its own copy of the
 * bucket, tells the database what it took twice a second, and learns what the others did. So no request waits for it.
 */
export class RateLimits {
  readonly #db: Db;
  readonly #defaultRate: Rate;
  readonly #browser: Rate;
  readonly #streams: number;
  readonly #warn: RateLimitOptions['warn'];
  readonly #clock: () => number;
  readonly #spenders = new Map<string, Spender>();
  readonly #atOnce = new Map<string, number>();
  readonly #openStreams = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ db, defaultRate, browser, streams, warn, clock = () => performance.now() }: RateLimitOptions) {
    this.#db = db;
    this.#defaultRate = defaultRate;
    this.#browser = browser;
    this.#streams = streams;
    this.#warn = warn;
    this.#clock = clock;
  }

  /** Takes one call. Throws `rate_limited` with `retry_after` when there is none; then none is taken. */
  spend(access: Access): void {
    const spender = this.#spenderOf(access);
    if (!spender) return;
    if (spender.bucket.take(this.#clock())) {
      spender.taken += 1;
      this.#settleSoon();
      return;
    }
    const { rate, nextInSeconds } = spender.bucket.quota(this.#clock());
    throw rateLimited(
      `this ${nounOf(access)} may call ${rate.perMinute} times a minute, ${rate.burst} of them at once`,
      nextInSeconds,
    );
  }

  /** The calls that are left; null for callers without a limit. */
  quota(access: Access): RateQuota | null {
    return this.#spenderOf(access)?.bucket.quota(this.#clock()) ?? null;
  }

  /** Counts a request until what is returned is called. Throws `rate_limited` when too many are under way. */
  begin(access: Access): () => void {
    const { principal } = access;
    if (principal.kind === 'admin') return () => undefined;
    const max = mostAtOnce[principal.kind];
    const message = `this ${nounOf(access)} has ${max} requests under way: wait for some of them`;
    return countOpen(this.#atOnce, { id: credentialIdOf(principal), max, message });
  }

  /** Counts a gRPC stream in the same way. */
  beginStream({ principal }: Access): () => void {
    const max = this.#streams;
    const message = `this key holds ${max} streams open: end some of them`;
    return countOpen(this.#openStreams, { id: credentialIdOf(principal), max, message });
  }

  /** Tells the database what was taken and takes over what is left. Never rejects: what could not be told is kept. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#clock();
    const spent = [];
    for (const [keyId, spender] of this.#spenders) {
      const { instanceNumber, taken, bucket } = spender;
      if (taken) spent.push({ instanceNumber, keyId, rate: bucket.rate, taken });
      else if (bucket.isFull(now)) this.#spenders.delete(keyId);
      spender.taken = 0;
    }
    if (!spent.length) return;
    try {
      for (const { keyId, tokens } of await recordSpentCalls(this.#db, spent)) {
        const spender = this.#spenders.get(keyId);
        spender?.bucket.set(tokens - spender.taken, this.#clock()); // it went on meanwhile
      }
    } catch (error) {
      for (const { keyId, taken } of spent) {
        const spender = this.#spenders.get(keyId);
        if (spender) spender.taken += taken;
      }
      this.#warn('rate limits are not shared at the moment', error);
      this.#settleSoon();
    }
  }

  close(): Promise<void> {
    return this.settle().finally(() => clearTimeout(this.#timer));
  }

  #spenderOf({ instanceNumber, principal }: Access): Spender | undefined {
    if (principal.kind === 'admin') return undefined;
    const id = credentialIdOf(principal);
    const rate = principal.kind === 'browser' ? this.#browser : (principal.rate ?? this.#defaultRate);
    const existing = this.#spenders.get(id);
    if (existing && existing.bucket.rate.perMinute === rate.perMinute && existing.bucket.rate.burst === rate.burst)
      return existing;
    const now = this.#clock();
    // Another rate gives nothing back, or calls under two rates in turn would be limited by neither.
    const bucket = existing?.bucket.under(rate, now) ?? new TokenBucket(rate, now);
    const spender = { instanceNumber, bucket, taken: existing?.taken ?? 0 };
    this.#spenders.set(id, spender);
    return spender;
  }

  #settleSoon(): void {
    this.#timer ??= setTimeout(() => void this.settle(), settleAfterMs).unref();
  }
}

const nounOf = ({ principal }: Access) => (principal.kind === 'browser' ? 'token' : 'key');

/** Adds one to what the credential has open, until what is returned is called. */
function countOpen(
  open: Map<string, number>,
  { id, max, message }: { id: string; max: number; message: string },
): () => void {
  const count = open.get(id) ?? 0;
  if (count >= max) throw rateLimited(message, 1);
  open.set(id, count + 1);
  return () => {
    const remaining = open.get(id)! - 1;
    if (remaining > 0) open.set(id, remaining);
    else open.delete(id);
  };
}

const rateLimited = (message: string, seconds: number) =>
  new DomainError('rate_limited', message, { details: { retry_after: Math.max(1, seconds) } });
