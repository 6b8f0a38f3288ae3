import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Embedder } from '../../domain/vectors/embedder.ts';
import { normaliseVector } from '../../domain/vectors/vector-recipe.ts';
import { chunksOf } from '../../domain/flow/chunks-of.ts';
import { unlessAborted } from '../../domain/flow/unless-aborted.ts';
import { withDeadline } from '../../domain/flow/with-deadline.ts';
import { withTraceSpan } from '../../tracing.ts';
import { unavailableError } from '../../domain/errors.ts';
import { embedderSource } from '../embedder-source.ts';
import { callSpanAttributes, Endpoint, EndpointRefusal, timeoutError, type EndpointSettings } from './endpoint.ts';

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.number().int().nonnegative().optional() }).nullish(),
});

/** After this a search goes on with words alone. */
const urgentWithinMs = 2_000;
const withinMs = 30_000;
const batchSize = 64;
/** Within the window of any model that is in use. */
const maxChars = 4_096;
const keptVectors = 2_000;
/** Far above any model there is. */
const maxDimensions = 8_192;

interface EmbedRequestOptions {
  readonly isUrgent?: boolean;
  readonly used?: (tokens: number) => void;
}

/** The model of an endpoint; it is asked for its dimensions when it is first wanted, and again until it tells them. */
export function remoteEmbedder(settings: EndpointSettings) {
  const endpoint = new Endpoint(settings);
  return embedderSource(settings.model, () => RemoteEmbedder.open(endpoint, settings));
}

class RemoteEmbedder implements Embedder {
  readonly model: string;
  readonly #settings: EndpointSettings;
  readonly #endpoint: Endpoint;
  // Ingestion asks for a text before it needs it, and again when it decides anew. Keys are hashes: no text is kept.
  readonly #known = new LRUCache<string, Promise<Float32Array>>({ max: keptVectors });
  #dimensions = 0;
  #isClosed = false;

  private constructor(endpoint: Endpoint, settings: EndpointSettings) {
    this.model = settings.model;
    this.#endpoint = endpoint;
    this.#settings = settings;
  }

  static async open(endpoint: Endpoint, settings: EndpointSettings): Promise<RemoteEmbedder> {
    const embedder = new RemoteEmbedder(endpoint, settings);
    const [vector] = await embedder.#ask(['dimensions'], { isUrgent: true });
    embedder.#dimensions = vector!.length;
    return embedder;
  }

  get dimensions(): number {
    return this.#dimensions;
  }

  async embed(
    texts: readonly string[],
    { signal, ...asking }: { signal?: AbortSignal } & EmbedRequestOptions = {},
  ): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw unavailableError('the embedder is closed');
    const vectors = Promise.all(this.#want(texts.map(sendable), asking));
    // Copies: what a caller does to its vector must not reach the next caller.
    return (await this.#waitFor(vectors, { signal, ...asking })).map((vector) => vector.slice());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#known.clear();
  }

  /** Not as long as the call may take: an urgent caller may share one that began in the background. */
  async #waitFor<T>(
    work: Promise<T>,
    { signal, isUrgent }: { signal?: AbortSignal | undefined } & EmbedRequestOptions,
  ): Promise<T> {
    if (!isUrgent) return signal ? unlessAborted(work, signal) : work;
    const deadline = { ms: this.#limitMs(isUrgent), signal, timeoutError };
    return withDeadline(deadline, (ending) => unlessAborted(work, ending));
  }

  #limitMs(isUrgent: boolean): number {
    const limitMs = isUrgent ? urgentWithinMs : withinMs;
    return Math.min(limitMs, this.#settings.timeoutMs ?? limitMs);
  }

  #want(texts: readonly string[], asking: EmbedRequestOptions): Promise<Float32Array>[] {
    const keys = texts.map((text) => hash('sha256', text, 'base64'));
    const wanted = new Map(keys.map((key) => [key, this.#known.get(key)]));
    const unknown = [...new Map(keys.map((key, n) => [key, texts[n]!]))].filter(([key]) => !wanted.get(key));
    for (const batch of chunksOf(unknown, batchSize)) {
      const answer = this.#embedBatch(
        batch.map(([, text]) => text),
        asking,
      );
      for (const [row, [key]] of batch.entries()) {
        const vector = answer.then((vectors) => vectors[row]!);
        vector.catch(() => this.#known.delete(key));
        wanted.set(key, vector);
        this.#known.set(key, vector);
      }
    }
    return keys.map((key) => wanted.get(key)!);
  }

  async #embedBatch(texts: string[], asking: EmbedRequestOptions): Promise<Float32Array[]> {
    const vectors = await this.#ask(texts, asking);
    if (this.#isClosed) throw unavailableError('the embedder was closed');
    return vectors;
  }

  async #ask(input: string[], { isUrgent = false, used }: EmbedRequestOptions): Promise<Float32Array[]> {
    const call = { withinMs: this.#limitMs(isUrgent), isUrgent };
    const body = { model: this.model, input, encoding_format: 'float' };
    const { data, usage } = await withTraceSpan(
      `embeddings ${this.model}`,
      {
        kind: 'client',
        attributes: () => callSpanAttributes('embeddings', this.#settings),
        resultAttributes: (answer: z.output<typeof Embeddings>) => ({
          'gen_ai.usage.input_tokens': answer.usage?.total_tokens,
        }),
      },
      async () => {
        const answer = await this.#endpoint.post('embeddings', body, call).catch((error) => {
          throw error instanceof EndpointRefusal ? unavailableError(error.message) : error;
        });
        const parsed = Embeddings.safeParse(answer);
        if (parsed.success) return parsed.data;
        throw unavailableError('the provider answered with something else than embeddings');
      },
    );
    used?.(usage?.total_tokens ?? 0);
    return this.#vectorsOf(data, input.length);
  }

  #vectorsOf(data: z.infer<typeof Embeddings>['data'], count: number): Float32Array[] {
    const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
    const rows = Array.from({ length: count }, (_, index) => byIndex.get(index));
    const dimensions = this.#dimensions || (rows[0]?.length ?? 0);
    const isFit = (row: readonly number[] | undefined) =>
      row?.length === dimensions && row.some((value) => value !== 0);
    if (data.length !== count || dimensions < 1 || dimensions > maxDimensions || !rows.every(isFit)) {
      throw unavailableError('the provider answered with other embeddings than were asked for');
    }
    return rows.map((row) => normaliseVector(Float32Array.from(row!)));
  }
}

/** Providers refuse an empty text, half a character, and what is beyond their window. */
const sendable = (text: string) => (text.trim() ? text.slice(0, maxChars) : '.').toWellFormed();
