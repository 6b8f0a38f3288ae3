import ky, { HTTPError, type KyInstance } from 'ky';
import pLimit, { type LimitFunction } from 'p-limit';
import { DomainError, unavailableError } from '../../domain/errors.ts';
import { withDeadline } from '../../domain/flow/with-deadline.ts';
import { traceHeaders, type SpanAttributes } from '../../tracing.ts';

/** A server that speaks OpenAI's protocol, and a model that it has. */
export interface EndpointSettings {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Time for one answer with its retries. Default: 60 s for a completion, 30 s for a batch of embeddings. */
  readonly timeoutMs?: number | undefined;
}

export interface EndpointCallOptions {
  readonly withinMs: number;
  readonly signal?: AbortSignal | undefined;
  /** A person waits: not behind the calls that do work in the background. */
  readonly isUrgent?: boolean;
}

/** The server understood the request and will not do it; `about` is what it says of why, which may quote the request. */
export class EndpointRefusal extends Error {
  readonly status: number;
  readonly about: string;
  constructor(status: number, about: string) {
    super(`the provider refused the request with status ${status}`);
    this.status = status;
    this.about = about;
  }
}

/** Span attributes of a model call; never a word of the prompt. */
export function callSpanAttributes(
  operation: 'chat' | 'embeddings',
  { baseUrl, model }: EndpointSettings,
): SpanAttributes {
  const { hostname, port, protocol } = new URL(baseUrl);
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': 'openai', // whose protocol it is, whoever speaks it
    'gen_ai.request.model': model,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

const retries = { limit: 2, methods: ['post'], statusCodes: [408, 429, 500, 502, 503, 504], backoffLimit: 4_000 };
const atOnce = 4;
/** After this many failures in a row it is paused, so that no caller waits in vain. */
const failuresInRow = 3;
const pauseMs = 5_000;

/** Calls one server: bounded in time and number, with two retries where they may help, as the server asks for them. */
export class Endpoint {
  readonly #http: KyInstance;
  readonly #urgent: LimitFunction = pLimit(atOnce);
  readonly #background: LimitFunction = pLimit(atOnce);
  #failures = 0;
  #pausedUntil = 0;

  constructor({ baseUrl, apiKey }: EndpointSettings) {
    const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    // A call has one limit for all its tries. A redirect would take what a customer said to a host that nobody named.
    this.#http = ky.create({ prefixUrl: baseUrl, headers, timeout: false, redirect: 'manual' });
  }

  /** The JSON of the answer. Throws `unavailable` when there is none in time, `EndpointRefusal` when there will never be one. */
  async post(path: string, json: object, call: EndpointCallOptions): Promise<unknown> {
    try {
      const answer = await this.#bounded(path, json, call);
      this.#failures = 0;
      this.#pausedUntil = 0; // a call from before the pause was answered: the server is back
      return answer;
    } catch (error) {
      if (!call.signal?.aborted) this.#count(error);
      throw error;
    }
  }

  #refuseInPause(): void {
    if (performance.now() < this.#pausedUntil) throw unavailableError('the provider failed of late');
  }

  #count(error: unknown): void {
    if (performance.now() < this.#pausedUntil) return;
    this.#failures = error instanceof EndpointRefusal ? 0 : this.#failures + 1;
    if (this.#failures >= failuresInRow) this.#pausedUntil = performance.now() + pauseMs;
  }

  #bounded(path: string, json: object, call: EndpointCallOptions): Promise<unknown> {
    const send = (signal: AbortSignal, retry: object) =>
      this.#http.post(path, { json, signal, retry, headers: traceHeaders() }).json();
    if (!call.isUrgent) {
      return this.#background(() => {
        this.#refuseInPause();
        return within(call, (signal) => send(signal, patient(call)));
      });
    }
    // Whoever waits in line waits no longer than the others, and for no retries.
    return within(call, (signal) =>
      this.#urgent(() => {
        signal.throwIfAborted();
        this.#refuseInPause();
        return send(signal, { limit: 0 });
      }),
    );
  }
}

/** A server that wants to be left alone for longer than there is time is not asked again. */
const patient = ({ withinMs }: EndpointCallOptions) => ({
  ...retries,
  shouldRetry: ({ error }: { error: Error }) =>
    error instanceof HTTPError && Number(error.response.headers.get('retry-after')) * 1_000 > withinMs
      ? false
      : undefined,
});

export const timeoutError = () => unavailableError('the provider did not answer in time');

function within<T>(
  { withinMs, signal: given }: EndpointCallOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withDeadline({ ms: withinMs, signal: given, timeoutError }, async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : await asTold(error);
    }
  });
}

const aboutChars = 2_000;

/** Describes a refusal without the words of the provider, which may quote the request or the key. */
async function asTold(problem: unknown): Promise<Error> {
  if (problem instanceof DomainError) return problem;
  if (!(problem instanceof HTTPError))
    return unavailableError('the provider cannot be reached, or did not answer in JSON');
  const { status } = problem.response;
  if (status >= 300 && status < 400) {
    return unavailableError(
      `the provider answered with a redirect (${status}), which is not followed: set its base URL to where it leads`,
    );
  }
  if (status < 400 || status >= 500 || [401, 403, 408, 429].includes(status)) {
    return unavailableError(`the provider answered with status ${status}`);
  }
  const about = await textOf(problem.response);
  return new EndpointRefusal(status, about.slice(0, aboutChars));
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    return '';
  }
}
