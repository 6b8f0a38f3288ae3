import type { Clock } from './backoff.ts';
import { Call, Recall } from './call.ts';
import { Connection, type RequestOptions } from './connection.ts';
import { keepConnection } from './connection-of.ts';
import { unsendable } from './errors.ts';
import type * as records from './records.ts';
import { remember } from './remember.ts';
import { at, Requests } from './requests.ts';
import * as resources from './resources.ts';

export interface PresageOptions {
  /** An API key, or in a browser a browser token. Default: the environment's `PRESAGE_KEY`. */
  readonly apiKey?: string | undefined;
  /** Default: the environment's `PRESAGE_URL`, else `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** For each attempt of a request. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Default: 5, which takes 12 to 16 seconds. */
  readonly maxRetries?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** For tests. */
  readonly clock?: Clock;
}

const defaults = { baseUrl: 'http://127.0.0.1:8080', timeoutMs: 60_000, maxRetries: 5, waitSeconds: 30 } as const;

/** A memory that an agent shares with the service. One for a process is enough. */
export class Presage {
  readonly memories: ReturnType<typeof resources.memoriesOf>;
  readonly ingestions: ReturnType<typeof resources.ingestionsOf>;
  readonly batches: ReturnType<typeof resources.batchesOf>;
  readonly documents: ReturnType<typeof resources.documentsOf>;
  readonly users: ReturnType<typeof resources.usersOf>;
  readonly customers: ReturnType<typeof resources.customersOf>;
  readonly conversations: ReturnType<typeof resources.conversationsOf>;
  readonly entities: ReturnType<typeof resources.entitiesOf>;
  readonly reviews: ReturnType<typeof resources.reviewsOf>;
  readonly receipts: ReturnType<typeof resources.receiptsOf>;
  readonly tokens: ReturnType<typeof resources.tokensOf>;
  readonly compactions: ReturnType<typeof resources.compactionsOf>;
  readonly webhooks: ReturnType<typeof resources.webhooksOf>;
  readonly #connection: Connection;
  readonly #requests: Requests;

  constructor({ apiKey, baseUrl, timeoutMs, maxRetries, fetch: send, clock, ...others }: PresageOptions = {}) {
    const [unknown] = Object.keys(others); // from JavaScript: it would be lost, and the environment used in its place
    if (unknown !== undefined)
      throw unsendable(unknown, 'is no option of Presage: they are apiKey, baseUrl, timeoutMs, maxRetries and fetch');
    const connection = new Connection({
      apiKey: apiKey ?? environment('PRESAGE_KEY') ?? '',
      baseUrl: baseUrl ?? environment('PRESAGE_URL') ?? defaults.baseUrl,
      timeoutMs: timeoutMs ?? defaults.timeoutMs,
      maxRetries: maxRetries ?? defaults.maxRetries,
      fetch: send ?? ((...request) => fetch(...request)),
      ...(clock ? { clock } : {}),
    });
    const requests = new Requests(connection);
    this.#connection = connection;
    this.#requests = requests;
    keepConnection(this, connection);
    this.memories = resources.memoriesOf(requests);
    this.ingestions = resources.ingestionsOf(connection);
    this.batches = resources.batchesOf(requests);
    this.documents = resources.documentsOf(requests);
    this.users = resources.usersOf(requests);
    this.customers = resources.customersOf(requests);
    this.conversations = resources.conversationsOf(requests);
    this.entities = resources.entitiesOf(requests);
    this.reviews = resources.reviewsOf(requests);
    this.receipts = resources.receiptsOf(requests);
    this.tokens = resources.tokensOf(requests);
    this.compactions = resources.compactionsOf(requests);
    this.webhooks = resources.webhooksOf(requests);
  }

  /**
   * Remembers a text, or the turns of a conversation, and resolves when it can be recalled: after `wait` seconds (30) at
   * the latest, with the status that it has by then. Rejects with `IngestionFailedError` when it could not be ingested.
   */
  remember(
    document: records.Document,
    { wait = defaults.waitSeconds, ...parameters }: records.RememberParameters = {},
    options: RequestOptions = {},
  ): Call<records.Ingestion> {
    return new Call(remember(this.#connection, { document, wait, ...parameters }, options));
  }

  /** Remembers up to 1,000 documents; one that is refused is reported in its place. Does not wait for their memories. */
  rememberAll(
    documents: readonly records.BatchDocument[],
    { fail_fast }: { readonly fail_fast?: boolean } = {},
    options?: RequestOptions,
  ): Call<records.Batch> {
    const typed = documents.map((document) => ({ document_type: 'ai-chat-conversation' as const, ...document }));
    const body = { documents: typed, ...(fail_fast === undefined ? {} : { fail_fast }) };
    return this.#requests.post('/v1/memories/batch', body, options);
  }

  /**
   * The memories that answer the query, or several, best first. As a text for a model: `await memory.recall(…).prompt`, of
   * the call and not of what it resolves to, which has a `prompt` with `format: 'prompt'` only. Without a query (`[]`), those
   * that matter whatever is asked.
   */
  recall(
    query: string | readonly string[],
    { format, ...parameters }: records.RecallParameters = {},
    options: RequestOptions = {},
  ): Recall {
    const search_queries = [query].flat();
    const body = (wanted: 'json' | 'prompt') => ({
      ...(search_queries.length > 0 ? { search_queries } : {}),
      ...parameters,
      ...(wanted === 'prompt' ? { format: wanted } : {}),
    });
    return new Recall(
      (wanted) =>
        this.#connection.send<records.Context>(
          { method: 'POST', path: '/v1/context/fetch', body: body(wanted) },
          options,
        ),
      format,
    );
  }

  /** Forgets a memory for good; with `cascade: 'evidence'` also all else that the turns which say it say. */
  forget(
    id: string,
    parameters: records.Named & { readonly cascade?: 'evidence' } = {},
    options?: RequestOptions,
  ): Call<records.MemoryDeletion> {
    return this.#requests.delete(at('/v1/memories/{memory_id}', id), parameters, options);
  }

  /**
   * Condenses what was said in a conversation, and keeps instructions, decisions and exact values word for word. With
   * `wait: false` it is made in the background, and the answer has the status `queued`.
   */
  compact(
    conversation_id: string,
    parameters: records.CompactParameters & { readonly wait: false },
    options?: RequestOptions,
  ): Call<records.QueuedCompaction>;
  compact(
    conversation_id: string,
    parameters?: records.CompactParameters & { readonly wait?: true },
    options?: RequestOptions,
  ): Call<records.Compaction>;
  compact(
    conversation_id: string,
    parameters: records.CompactParameters = {},
    options: RequestOptions = {},
  ): Call<records.Compaction | records.QueuedCompaction> {
    const body = { conversation_id, ...parameters };
    return this.#requests.post('/v1/context/compact', body, options);
  }

  /** What the instance used in a month (`2026-11`; default: the present one): calls, tokens, memories. */
  usage(query: { readonly month?: string } = {}, options?: RequestOptions): Call<records.Usage> {
    return this.#requests.get('/v1/analytics/usage', query, options);
  }

  /** The instance that the key opens. */
  instance(options?: RequestOptions): Call<records.Instance> {
    return this.#requests.get('/v1/instance', {}, options);
  }
}

/** A variable of the environment, where there is one: Node, Deno and Bun have `process`, browsers do not. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
