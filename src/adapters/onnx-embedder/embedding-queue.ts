/** A text on its way to its vector. Equal texts that arrive while it waits share it. */
export interface PendingEmbedding {
  readonly key: string;
  readonly text: string;
  /** Calls that still want the vector; a job of none is skipped. */
  waiters: number;
  readonly vector: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

/**
 * A slice is what a query may have to wait for: about a model window of text, or a handful of short ones.
 * Larger ones gain nothing, because the worker runs its texts one by one.
 */
const sliceTexts = 8;
const sliceChars = 1_000;

/** A job that nobody waits for yet. */
export function createJob(key: string, text: string): PendingEmbedding {
  const settle: Partial<Pick<PendingEmbedding, 'resolve' | 'reject'>> = {};
  const vector = new Promise<Float32Array>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  // Callers that gave up no longer listen, and their failure is nobody's unhandled rejection.
  vector.catch(() => {});
  return { key, text, waiters: 0, vector, ...(settle as Required<typeof settle>) };
}

/** Jobs in order of arrival, the urgent ones first, handed out in slices. */
export class EmbeddingQueue {
  readonly #urgent: PendingEmbedding[] = [];
  readonly #bulk: PendingEmbedding[] = [];
  readonly #handedOut = new WeakSet<PendingEmbedding>();

  /** A job that waits among the bulk may be added again as urgent. */
  add(job: PendingEmbedding, isUrgent: boolean): void {
    (isUrgent ? this.#urgent : this.#bulk).push(job);
  }

  /** Empty when there is nothing to do. */
  nextSlice(): PendingEmbedding[] {
    const urgent = this.#sliceOf(this.#urgent);
    return urgent.length > 0 ? urgent : this.#sliceOf(this.#bulk);
  }

  /** Takes everything out, for a failure that meets all. */
  drain(): PendingEmbedding[] {
    return [...this.#urgent.splice(0), ...this.#bulk.splice(0)];
  }

  #sliceOf(lane: PendingEmbedding[]): PendingEmbedding[] {
    const slice: PendingEmbedding[] = [];
    let chars = 0;
    let passed = 0;
    for (const job of lane) {
      const isWanted = job.waiters > 0 && !this.#handedOut.has(job);
      if (isWanted && slice.length > 0 && (slice.length === sliceTexts || chars + job.text.length > sliceChars)) break;
      passed += 1;
      if (!isWanted) continue;
      this.#handedOut.add(job);
      slice.push(job);
      chars += job.text.length;
    }
    lane.splice(0, passed);
    return slice;
  }
}
