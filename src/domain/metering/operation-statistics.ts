import { DDSketch } from '@datadog/sketches-js';
import type { OperationOutcome } from './operations.ts';

/** A percentile differs from the exact one by this share at most. */
const relativeAccuracy = 0.005;
/** The duration that is recorded for calls shorter than a clock can tell. */
const leastMs = 0.001;
/** Percentiles are told with so many digits, which is finer than they are. */
const shownDigits = 4;

/** Calls of one operation over some time, as a row keeps them. */
export interface StatisticsRow {
  readonly count: number;
  readonly errors: number;
  readonly items: number;
  readonly discarded: number;
  readonly superseded: number;
  readonly maxMs: number;
  /** A DDSketch, in the protocol buffers of its library; null when nothing succeeded. */
  readonly sketch: Uint8Array | null;
}

/** Figures as they are told. Latencies are milliseconds of the calls that succeeded; null: none did. */
export interface StatisticsSummary extends Omit<StatisticsRow, 'sketch' | 'maxMs'> {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
}

/** Counts and latencies of calls, which can be added over several times, variants or processes. */
export class OperationStatistics {
  #count = 0;
  #errors = 0;
  #items = 0;
  #discarded = 0;
  #superseded = 0;
  #maxMs = 0;
  readonly #sketch = new DDSketch({ relativeAccuracy });

  add({ ms, isError = false, items = 0, discarded = 0, superseded = 0 }: Omit<OperationOutcome, 'variant'>): void {
    this.#count += 1;
    this.#items += items;
    this.#discarded += discarded;
    this.#superseded += superseded;
    if (isError) {
      this.#errors += 1;
      return;
    }
    this.#sketch.accept(Math.max(leastMs, ms));
    this.#maxMs = Math.max(this.#maxMs, ms);
  }

  addRow(row: StatisticsRow): void {
    this.#count += row.count;
    this.#errors += row.errors;
    this.#items += row.items;
    this.#discarded += row.discarded;
    this.#superseded += row.superseded;
    this.#maxMs = Math.max(this.#maxMs, row.maxMs);
    if (row.sketch) this.#sketch.merge(DDSketch.fromProto(row.sketch));
  }

  toRow(): StatisticsRow {
    return {
      count: this.#count,
      errors: this.#errors,
      items: this.#items,
      discarded: this.#discarded,
      superseded: this.#superseded,
      maxMs: this.#maxMs,
      sketch: this.#sketch.count ? trimmed(this.#sketch).toProto() : null,
    };
  }

  summary(): StatisticsSummary {
    const { sketch, maxMs, ...counts } = this.toRow();
    const at = (quantile: number) =>
      sketch && Number(Math.min(maxMs, this.#sketch.getValueAtQuantile(quantile)).toPrecision(shownDigits));
    return {
      ...counts,
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      max: sketch && Number(maxMs.toPrecision(shownDigits)),
    };
  }
}

/** Drops the empty bins at both ends, which the library keeps ready and would write with the others. */
function trimmed({ store }: DDSketch): DDSketch {
  const copy = new DDSketch({ relativeAccuracy });
  copy.store.bins = store.bins.slice(store.minKey - store.offset, store.maxKey - store.offset + 1);
  copy.store.offset = store.minKey;
  return copy;
}
