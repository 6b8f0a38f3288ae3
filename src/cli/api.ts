import { optionNameOf, useOptionNames } from './option-names.ts';

/** A running server over HTTP. Each call throws a `Refusal`, or an error that a person can act on. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** The answer as it comes, for what is too long to be held. */
  stream(path: string): Promise<ReadableStream<Uint8Array>>;
}

/** RFC 9457, as the server answers it. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly correlation_id?: string;
}

/** An error for a request that the server refused, with the server's reasons. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(status: number, problem: Problem, hint = '') {
    const { detail = `the server answered ${status}`, errors = [] } = problem;
    const fields = errors.map(({ field, message }) => `${optionNameOf(field)}: ${useOptionNames(message)}`);
    const trace = status >= 500 && problem.correlation_id ? `\nCorrelation id: ${problem.correlation_id}` : '';
    super(`${fields.length > 0 ? fields.join('\n  ') : detail}${hint}${trace}`);
    this.name = 'Refusal';
    this.problem = problem;
  }
}

interface ApiClientOptions {
  /** The URL that each path is appended to. */
  readonly base: string;
  readonly token: string;
  /** The variable that the token is set by. */
  readonly variable: 'PRESAGE_ADMIN_TOKEN' | 'PRESAGE_KEY';
}

export function createApiClient({ base, token, variable }: ApiClientOptions): ApiClient {
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const url = `${base}${path}`;
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual', // what is sent is for this server and no other
    }).catch((error: Error) => {
      throw unreachableError(new URL(url).origin, error);
    });
    if (response.status >= 300 && response.status < 400) {
      const to = response.headers.get('location');
      throw new Error(`${base} redirects to ${to}: set PRESAGE_URL to that server if it is yours`);
    }
    if (response.ok) return response;
    const hint = response.status === 401 ? `\nThe server does not know this credential: check ${variable}` : '';
    throw new Refusal(response.status, problemOf(await response.text()), hint);
  };
  const send = async <T>(method: string, path: string, body?: unknown) =>
    (await (await ask(method, path, body)).json()) as T;
  return {
    get: (path) => send('GET', path),
    send,
    async stream(path) {
      const { body } = await ask('GET', path);
      if (!body) throw new Error('the server answered nothing');
      return body;
    },
  };
}

/**
 * An error that tells a person what to do about a server that did not answer; `error` is the one that `fetch` threw.
 */
export function unreachableError(origin: string, error: Error): Error {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  const toDo = code?.startsWith('ERR_SSL')
    ? 'does it serve https? PRESAGE_URL names it'
    : 'is the server running? "npx presage" starts one, and PRESAGE_URL names another';
  return new Error(`${origin} cannot be reached (${code ?? message}): ${toDo}`, { cause: error });
}

function problemOf(text: string): Problem {
  try {
    const answer = JSON.parse(text) as Problem | GraphqlErrors;
    return 'code' in answer ? answer : (firstGraphqlError(answer) ?? {});
  } catch {
    return {};
  }
}

/** The errors of a GraphQL answer, which has no problem document. */
export interface GraphqlErrors {
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly correlationId?: string };
  }[];
}

/** The first of these errors, in the form of all other routes; undefined where there is none. */
export function firstGraphqlError({ errors }: GraphqlErrors): Problem | undefined {
  const [error] = errors ?? [];
  if (!error) return undefined;
  const { code = 'failed', correlationId = '' } = error.extensions ?? {};
  return { detail: error.message, code, correlation_id: correlationId };
}

/** A query string of what is given. */
export function toQueryString(input: Readonly<Record<string, string | number | undefined>>): string {
  const present = Object.entries(input).filter(([, value]) => value !== undefined);
  return present.length
    ? `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString()}`
    : '';
}
