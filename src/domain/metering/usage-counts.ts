import type { TokenCharge } from './purposes.ts';
import { dayMs, isoDayOf } from '../time.ts';

/** A metric of an instance on a day. */
export interface CountedMetric {
  readonly instanceNumber: bigint;
  /** The day as rows name it, such as `2026-11-23`. */
  readonly day: string;
  readonly metric: string;
  /** Only if the instance belongs to this client. Empty: any client. */
  readonly within: string;
  count: number;
}

/** Tokens of an instance on a day, by provider and purpose. */
export interface CountedTokens {
  readonly instanceNumber: bigint;
  readonly day: string;
  readonly provider: string;
  readonly purpose: string;
  input: number;
  output: number;
}

/** Collects the usage of all instances until it is written together. */
export class UsageCounts {
  readonly #metrics = new Map<string, CountedMetric>();
  readonly #tokens = new Map<string, CountedTokens>();
  #today = { n: NaN, day: '' };

  get metrics(): readonly CountedMetric[] {
    return [...this.#metrics.values()];
  }
  get tokens(): readonly CountedTokens[] {
    return [...this.#tokens.values()];
  }
  get isEmpty(): boolean {
    return this.#metrics.size + this.#tokens.size === 0;
  }

  count(
    instanceNumber: bigint,
    metric: string,
    { by, at, within = '' }: { by: number; at: Date; within?: string | undefined },
  ): void {
    if (by === 0) return;
    const day = this.#dayOf(at);
    const key = `${instanceNumber}/${day}/${metric}/${within}`;
    const existing = this.#metrics.get(key);
    if (existing) existing.count += by;
    else this.#metrics.set(key, { instanceNumber, day, metric, within, count: by });
  }

  countTokens(instanceNumber: bigint, { provider, purpose, input, output = 0 }: TokenCharge, at: Date): void {
    if (input + output === 0) return;
    const day = this.#dayOf(at);
    const key = `${instanceNumber}/${day}/${provider}/${purpose}`;
    const existing = this.#tokens.get(key);
    if (!existing) this.#tokens.set(key, { instanceNumber, day, provider, purpose, input, output });
    else {
      existing.input += input;
      existing.output += output;
    }
  }

  /** Asked for at each call, and the same for all of a day. */
  #dayOf(at: Date): string {
    const n = Math.floor(at.getTime() / dayMs);
    if (n !== this.#today.n) this.#today = { n, day: isoDayOf(at) };
    return this.#today.day;
  }
}
