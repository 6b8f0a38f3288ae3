/** The rate limit of a key. */
export interface Rate {
  /** The sustained average. */
  readonly perMinute: number;
  /** Calls that may come at once, after a rest. */
  readonly burst: number;
}

/** The rates of keys and browser tokens, and the streams of a key, where the environment names no others. */
export const defaultRates = {
  key: { perMinute: 1_200, burst: 300 },
  browserToken: { perMinute: 120, burst: 30 },
  streamsPerKey: 1_000,
} as const;

/** The calls that a key has left. */
export interface RateQuota {
  readonly rate: Rate;
  /** Calls that would be taken now. */
  readonly remaining: number;
  /** Until the whole burst is there again. */
  readonly fullInSeconds: number;
  /** Until the next call is taken; 0 when it would be now. */
  readonly nextInSeconds: number;
}

/**
 * Tokens that come back evenly, up to the burst: a call takes one. Below zero when other processes took more than there
 * was; that is waited for. Times are milliseconds of one clock.
 */
export class TokenBucket {
  readonly rate: Rate;
  #tokens: number;
  #at: number;

  constructor(rate: Rate, at: number, tokens = rate.burst) {
    this.rate = rate;
    this.#tokens = tokens;
    this.#at = at;
  }

  /** False when there is none: then nothing is taken. */
  take(at: number): boolean {
    const tokens = this.#refill(at);
    if (tokens < 1) return false;
    this.#tokens = tokens - 1;
    return true;
  }

  /** Moves the tokens to another rate, at most as many as its burst holds. */
  under(rate: Rate, at: number): TokenBucket {
    return new TokenBucket(rate, at, Math.min(this.#refill(at), rate.burst));
  }

  set(tokens: number, at: number): void {
    [this.#tokens, this.#at] = [tokens, at];
  }

  isFull(at: number): boolean {
    return this.#refill(at) >= this.rate.burst;
  }

  /** Until the next call is taken, whole milliseconds; 0 when it would be now. */
  nextInMs(at: number): number {
    const lacking = Math.max(0, 1 - this.#refill(at));
    return Math.ceil((lacking * 60_000) / this.rate.perMinute);
  }

  quota(at: number): RateQuota {
    const tokens = this.#refill(at);
    const perSecond = this.rate.perMinute / 60;
    return {
      rate: this.rate,
      remaining: Math.max(0, Math.floor(tokens)),
      fullInSeconds: Math.ceil((this.rate.burst - tokens) / perSecond),
      nextInSeconds: Math.ceil(this.nextInMs(at) / 1_000),
    };
  }

  #refill(at: number): number {
    const gained = (Math.max(0, at - this.#at) * this.rate.perMinute) / 60_000;
    this.#tokens = Math.min(this.rate.burst, this.#tokens + gained);
    this.#at = at;
    return this.#tokens;
  }
}
