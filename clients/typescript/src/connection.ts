import { backoffMs, mostPatienceSeconds, systemClock, type Clock } from './backoff.ts';
import { ApiError, ConnectionFailedError, errorOf, TimeoutError, unsendable } from './errors.ts';
import { newUuid } from './uuid.ts';

/** How one request is sent. */
export interface RequestOptions {
  /** Stops the request and its retries. */
  readonly signal?: AbortSignal;
  /** For each attempt, and each part of an export. */
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** The service does the request once for all that carry the same key. Default: a new one for each write. */
  readonly idempotencyKey?: string;
  /** Found in the service's log, and in the answer. */
  readonly correlationId?: string;
}

export interface ConnectionOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof fetch;
  readonly clock?: Clock;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object;
  /** It changes something: sent twice, it must be done once. */
  readonly isWrite?: boolean;
}

/** An answer with what came beside its data. */
export interface Answered<T> {
  readonly data: T;
  readonly response: ResponseInfo;
}

export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Quote it to report a fault. */
  readonly correlationId: string | undefined;
  /** The version of the configuration that played a part. */
  readonly configVersion: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;
}

const isRetried = (error: ApiError) =>
  error instanceof ConnectionFailedError ||
  [429, 500, 502, 503, 504].includes(error.status ?? 0) ||
  // The first request with its idempotency key is still under way.
  (error.status === 409 && error.retryAfter !== undefined);

/** Sends requests to one service with one key, again where that can help. */
export class Connection {
  readonly baseUrl: URL;
  readonly clock: Clock;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    if (!URL.canParse(options.baseUrl)) throw unsendable('baseUrl', 'must be a URL, such as http://127.0.0.1:8080');
    this.baseUrl = new URL(options.baseUrl.endsWith('/') ? options.baseUrl : `${options.baseUrl}/`);
    if (!/^https?:$/.test(this.baseUrl.protocol)) throw unsendable('baseUrl', 'must begin with http:// or https://');
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) throw unsendable('apiKey', 'is missing: pass it, or set PRESAGE_KEY');
  }

  /** The value of the Authorization header. */
  get authorization(): string {
    return `Bearer ${this.#options.apiKey}`;
  }

  /** The JSON that the service answers, after retries. */
  async send<T>(request: ApiRequest, options: RequestOptions = {}): Promise<Answered<T>> {
    return this.#retrying(request, options, async (response, attempts) => {
      const text = await response.text();
      return { data: parse(text, { response, attempts }) as T, response: infoOf(response, attempts) };
    });
  }

  /** The text of an answer as it comes: only its beginning is tried again. Each part has the time of an attempt. */
  async *read(request: ApiRequest, options: RequestOptions = {}): AsyncGenerator<string, void, undefined> {
    const { timeoutMs = this.#options.timeoutMs, signal } = options;
    const opened = await this.#retrying(request, options, async ({ body }, attempts) => ({ body: body!, attempts }));
    const reader = opened.body.pipeThrough(new TextDecoderStream()).getReader();
    const limits = { timeoutMs, signal, attempts: opened.attempts, origin: this.baseUrl.origin };
    try {
      for (;;) {
        const { done, value } = await withinTime(limits, (stop) => Promise.race([reader.read(), aborted(stop)]));
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel().catch(() => undefined); // whoever stops reading does not pay for the rest
    }
  }

  async #retrying<T>(
    request: ApiRequest,
    options: RequestOptions,
    read: (response: Response, attempts: number) => Promise<T>,
  ): Promise<T> {
    const { maxRetries = this.#options.maxRetries, timeoutMs = this.#options.timeoutMs, signal } = options;
    const url = urlOf(this.baseUrl, request);
    const init = this.#init(request, options);
    for (let attempts = 1; ; attempts++) {
      try {
        return await withinTime({ timeoutMs, signal, attempts, origin: url.origin }, async (stop) => {
          const response = await this.#options.fetch(url, { ...init, signal: stop });
          if (response.ok) return read(response, attempts);
          const { status, headers } = response;
          throw errorOf({ status, headers, text: await response.text() }, attempts);
        });
      } catch (error) {
        const { retryAfter } = error as ApiError;
        const isWorthIt = error instanceof ApiError && isRetried(error) && (retryAfter ?? 0) <= mostPatienceSeconds;
        if (!isWorthIt || attempts > maxRetries) throw error;
        await this.clock.pause(backoffMs(attempts, retryAfter, this.clock.random()), signal);
      }
    }
  }

  #init({ method, body, isWrite }: ApiRequest, { idempotencyKey, correlationId }: RequestOptions): RequestInit {
    const key = idempotencyKey ?? (isWrite ? newUuid() : undefined);
    return {
      method,
      headers: {
        authorization: this.authorization,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
        ...(correlationId ? { 'x-correlation-id': correlationId } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
  }
}

/** Runs one attempt; what breaks it is told as an error of this package, except the caller's own signal. */
async function withinTime<T>(
  options: { timeoutMs: number; signal: AbortSignal | undefined; attempts: number; origin: string },
  attempt: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, signal, attempts, origin } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, timeoutMs);
  const leave = () => stop.abort(signal!.reason);
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await attempt(stop.signal);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw new TimeoutError(`${origin} gave no answer within ${timeoutMs} ms`, { attempts, cause });
    if (cause instanceof ApiError) throw cause;
    const message = `${origin} could not be reached, or the connection was lost${reasonOf(cause)}: baseUrl or PRESAGE_URL names another address`;
    throw new ConnectionFailedError(message, { attempts, cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', reject, { once: true }));

/** Node and Bun tell it by a code, such as ECONNREFUSED; what browsers say is in the cause alone. */
function reasonOf(cause: unknown): string {
  const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } };
  const reason = inner?.code ?? code;
  return typeof reason === 'string' ? ` (${reason})` : '';
}

function parse(text: string, { response, attempts }: { response: Response; attempts: number }): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ApiError('the answer is no JSON: is this address that of Presage?', {
      status: response.status,
      attempts,
      cause,
    });
  }
}

function infoOf({ status, headers }: Response, attempts: number): ResponseInfo {
  const version = headers.get('x-config-version');
  return {
    status,
    headers,
    attempts,
    correlationId: headers.get('x-correlation-id') ?? undefined,
    configVersion: version === null ? undefined : Number(version),
  };
}

function urlOf(base: URL, { path, query }: ApiRequest): URL {
  const url = new URL(path.slice(1), base);
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

/** `/v1/memories/{memory_id}` with the ids in their places. What could lead to another path is refused. */
export function pathOf(template: string, ids: readonly string[]): string {
  const left = [...ids];
  return template.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const id = left.shift();
    if (typeof id !== 'string' || id === '') throw unsendable(field, 'must not be empty');
    if (id === '.' || id === '..') throw unsendable(field, 'must not be "." or "..": it stands in the path');
    return encodeURIComponent(id.replaceAll(/\p{Cs}/gu, '\uFFFD'));
  });
}
