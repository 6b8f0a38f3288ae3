import type { Clock } from './backoff.ts';
import { Call, Recall } from './call.ts';
import { Connection, pathOf, type RequestOptions } from './connection.ts';
import { keepConnection } from './connection-of.ts';
import type * as records from './records.ts';
import { remember } from './remember.ts';
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
  readonly #connection: Connection;

  constructor(options: PresageOptions = {}) {
    const connection = new Connection({
      apiKey: options.apiKey ?? environment('PRESAGE_KEY') ?? '',
      baseUrl: options.baseUrl ?? environment('PRESAGE_URL') ?? defaults.baseUrl,
      timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
      maxRetries: options.maxRetries ?? defaults.maxRetries,
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      ...(options.clock ? { clock: options.clock } : {}),
    });
    this.#connection = connection;
    keepConnection(this, connection);
    this.memories = resources.memoriesOf(connection);
    this.ingestions = resources.ingestionsOf(connection);
    this.batches = resources.batchesOf(connection);
    this.documents = resources.documentsOf(connection);
    this.users = resources.usersOf(connection);
    this.customers = resources.customersOf(connection);
    this.conversations = resources.conversationsOf(connection);
    this.entities = resources.entitiesOf(connection);
    this.reviews = resources.reviewsOf(connection);
    this.receipts = resources.receiptsOf(connection);
    this.tokens = resources.tokensOf(connection);
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
    return resources.callOf(
      this.#connection,
      { method: 'POST', path: '/v1/memories/batch', body, isWrite: true },
      options,
    );
  }

  /** The memories that answer the query, or several, best first; `.prompt` has them as a text for a model. */
  recall(
    query: string | readonly string[],
    { format, ...parameters }: records.RecallParameters = {},
    options: RequestOptions = {},
  ): Recall {
    const search_queries = [query].flat();
    const body = (wanted: 'json' | 'prompt') => ({
      search_queries,
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

  /** Forgets a memory for good; with `cascade: 'evidence'` also what else says it. */
  forget(
    id: string,
    parameters: records.Named & { readonly cascade?: 'evidence' } = {},
    options: RequestOptions = {},
  ): Call<records.MemoryDeletion> {
    const send = async () => {
      const path = pathOf('/v1/memories/{}', 'memory_id', id);
      return this.#connection.send<records.MemoryDeletion>({ method: 'DELETE', path, query: parameters }, options);
    };
    return new Call(send());
  }

  /** The instance that the key opens. */
  instance(options?: RequestOptions): Call<records.Instance> {
    return resources.callOf(this.#connection, { method: 'GET', path: '/v1/instance' }, options);
  }
}

/** A variable of the environment, where there is one: Node, Deno and Bun have `process`, browsers do not. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
