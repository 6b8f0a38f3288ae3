import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { unavailableError } from '../../domain/errors.ts';
import type { Embedder } from '../../domain/vectors/embedder.ts';
import { embedderSource } from '../embedder-source.ts';
import { ModelThread } from '../onnx-thread/model-thread.ts';
import { createJob, EmbeddingQueue, type PendingEmbedding } from './embedding-queue.ts';
import { embeddingDimensions, type EmbedderContract, type EmbedderSettings } from './messages.ts';
import { readRequestProjection, type RequestProjection } from './request-projection.ts';
import { unlessAborted } from '../../domain/flow/unless-aborted.ts';

/** Raise the number whenever `model.int8.onnx` or the translation of words changes: older vectors do not compare. */
const model = 'all-minilm-l6-v2-int8-2';
/** None of another `model.int8.onnx`. `1` read words of other languages as they are. */
const formerModels = ['all-minilm-l6-v2-int8-1'];
const packagedModel = fileURLToPath(new URL('../../../models/all-minilm-l6-v2', import.meta.url));
export const packagedProjection = fileURLToPath(
  new URL('../../../models/request-projection/weights.f32', import.meta.url),
);

/** Far more than the model's window holds of any language, so that a huge text costs no time. */
const maxChars = 4_096;
const cachedVectors = 2_000;

type EmbeddingThread = ModelThread<EmbedderContract>;

const startThread = (settings: EmbedderSettings): Promise<EmbeddingThread> =>
  ModelThread.start(new URL('./embedding-worker.js', import.meta.url), settings);

/**
 * The embedder that ships with the package, in a worker thread of its own: 384 dimensions, 256 tokens, English best.
 * Throws where the native runtime or the model cannot be loaded; the caller goes on without.
 * `modelFolder` holds another copy of `models/all-minilm-l6-v2`.
 */
export async function openOnnxEmbedder(settings: EmbedderSettings = { modelFolder: packagedModel }): Promise<Embedder> {
  try {
    const toAnswer = await readRequestProjection(packagedProjection);
    return new OnnxEmbedder({ settings, toAnswer }, await startThread(settings));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unavailableError(`the local embedding model in ${settings.modelFolder} cannot be used: ${reason}`, cause);
  }
}

/** The packaged embedder, loaded on first use. */
export const packagedEmbedder = () => embedderSource(model, openOnnxEmbedder, formerModels);

class OnnxEmbedder implements Embedder {
  readonly model = model;
  readonly dimensions = embeddingDimensions;
  readonly toAnswer: RequestProjection;
  readonly #settings: EmbedderSettings;
  readonly #queue = new EmbeddingQueue();
  readonly #unanswered = new Map<string, PendingEmbedding>();
  // Keys are hashes, so that a forgotten text is not kept here in clear.
  readonly #recent = new LRUCache<string, Float32Array>({ max: cachedVectors });
  #thread: Promise<EmbeddingThread>;
  #isWorking = false;
  #isClosed = false;

  constructor(
    { settings, toAnswer }: { settings: EmbedderSettings; toAnswer: RequestProjection },
    thread: EmbeddingThread,
  ) {
    this.toAnswer = toAnswer;
    this.#settings = settings;
    this.#thread = Promise.resolve(thread);
  }

  async embed(
    texts: readonly string[],
    { signal, isUrgent = false }: { signal?: AbortSignal; isUrgent?: boolean } = {},
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw unavailableError('the embedder is closed');
    const wanted = texts.map((text) => this.#want(text.slice(0, maxChars), isUrgent));
    const giveUp = (): void => {
      for (const job of wanted) job.waiters -= 1;
    };
    if (!this.#isWorking) void this.#work();
    const vectors = Promise.all(wanted.map((job) => job.vector));
    // Copies: what a caller does to its vector must not reach the next caller.
    return (await (signal ? unlessAborted(vectors, signal, giveUp) : vectors)).map((vector) => vector.slice());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#fail([...this.#unanswered.values()], unavailableError('the embedder was closed'));
    this.#queue.drain();
    this.#recent.clear();
    const thread = await this.#thread.catch(() => undefined);
    await thread?.stop();
  }

  #want(text: string, isUrgent: boolean): PendingEmbedding {
    const key = hash('sha256', text, 'base64');
    const waiting = this.#unanswered.get(key);
    const job = waiting ?? createJob(key, text);
    const existing = this.#recent.get(key);
    if (existing) {
      job.resolve(existing);
      return job;
    }
    // A job all gave up may have been passed over already, so it queues again; the queue hands out each job once.
    if (!waiting || isUrgent || job.waiters === 0) this.#queue.add(job, isUrgent);
    this.#unanswered.set(key, job);
    job.waiters += 1;
    return job;
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    // All calls of this tick come first, so that they share their slices.
    await Promise.resolve();
    for (let slice = this.#queue.nextSlice(); slice.length > 0; slice = this.#queue.nextSlice()) await this.#run(slice);
    // Entries that are left were given up by every caller.
    for (const job of this.#unanswered.values()) if (job.waiters === 0) this.#unanswered.delete(job.key);
    this.#isWorking = false;
  }

  async #run(slice: readonly PendingEmbedding[]): Promise<void> {
    let thread: EmbeddingThread | undefined;
    try {
      thread = await this.#runningThread();
      const vectors = await thread.run(slice.map((job) => job.text));
      for (const [row, job] of slice.entries()) {
        const vector = vectors.slice(row * embeddingDimensions, (row + 1) * embeddingDimensions);
        if (!this.#isClosed) this.#recent.set(job.key, vector);
        this.#unanswered.delete(job.key);
        job.resolve(vector);
      }
    } catch (cause) {
      if (thread && !thread.hasEnded)
        return this.#fail(slice, unavailableError('the text could not be embedded', cause));
      // Whatever waited for this thread fails with it; the next call starts another.
      this.#queue.drain();
      this.#fail([...this.#unanswered.values()], unavailableError('the embedding thread stopped; try again', cause));
    }
  }

  async #runningThread(): Promise<EmbeddingThread> {
    const thread = await this.#thread.catch(() => undefined);
    if (thread && !thread.hasEnded) return thread;
    if (this.#isClosed) throw new Error('the embedder is closed');
    this.#thread = startThread(this.#settings);
    return this.#thread;
  }

  #fail(jobs: readonly PendingEmbedding[], error: Error): void {
    for (const job of jobs) {
      this.#unanswered.delete(job.key);
      job.reject(error);
    }
  }
}
