import { ApiKey, connectToCustom, type WeaviateClient } from 'weaviate-client';
import { unavailableError, type DomainError } from '../../domain/errors.ts';

export interface WeaviateAddress {
  /** REST, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** gRPC, such as http://127.0.0.1:50051; https means TLS. Without it: the same host, at Weaviate's usual port. */
  readonly grpcUrl?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface ConnectionOptions {
  readonly warn: (message: string, error: unknown) => void;
}

const defaultGrpcPort = 50_051;
/** Seconds, as the client has it. A search is waited for by a person, a write by a job. */
const timeout = { init: 2, query: 2, insert: 10 };
/** After a failure nobody is made to wait for the next one before this time is over. */
const restMs = 500;

/**
 * A connection that is made when it is first needed, and anew after it broke: while the server is away the client would
 * wait longer and longer before it tried again, up to two minutes. Every failure is `unavailable`.
 */
export class WeaviateConnection {
  readonly #address: WeaviateAddress;
  readonly #options: ConnectionOptions;
  #client: Promise<WeaviateClient> | null = null;
  #restsUntil = 0;

  constructor(address: WeaviateAddress, options: ConnectionOptions) {
    this.#address = address;
    this.#options = options;
  }

  /** Runs the work with a client. What `expected` knows is answered by it instead of being thrown. */
  async run<T>(work: (client: WeaviateClient) => Promise<T>, expected: (error: unknown) => T | undefined): Promise<T> {
    if (performance.now() < this.#restsUntil) throw unavailable();
    const client = (this.#client ??= connect(this.#address));
    try {
      return await work(await client);
    } catch (error) {
      const answer = expected(error);
      if (answer !== undefined) return answer;
      if (isBroken(error) || isLate(error)) this.#restsUntil = performance.now() + restMs;
      if (isBroken(error)) void this.#leave(client);
      throw this.refuse(error);
    }
  }

  /** Answers `unavailable`, and tells operators why. */
  refuse(error: unknown): DomainError {
    this.#options.warn('the vector index did not answer', error);
    return unavailable();
  }

  /** One REST call, for what the client does too slowly; answers with the JSON of a 2xx. */
  async post<T>(path: string, body: unknown): Promise<T> {
    const { url, apiKey } = this.#address;
    return this.run(
      async () => {
        const response = await fetch(new URL(path, url), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(timeout.insert * 1_000),
        });
        if (!response.ok) throw new Error(`status ${response.status} of POST ${path}`);
        return (await response.json()) as T;
      },
      () => undefined,
    );
  }

  async close(): Promise<void> {
    if (this.#client) await this.#leave(this.#client);
  }

  /** A failure may come late, when another client is in use by then: that one stays. */
  async #leave(client: Promise<WeaviateClient>): Promise<void> {
    if (this.#client === client) this.#client = null;
    await client.then(
      (open) => open.close(),
      () => undefined,
    );
  }
}

const unavailable = () => unavailableError('the vector index is unavailable');

/** Connects with the client's checks: without them a server that is away would end the process. */
function connect({ url, grpcUrl, apiKey }: WeaviateAddress) {
  const http = new URL(url);
  const grpc = grpcUrl ? new URL(grpcUrl) : Object.assign(new URL(url), { port: String(defaultGrpcPort) });
  return connectToCustom({
    httpHost: http.hostname,
    httpPort: portOf(http),
    httpSecure: http.protocol === 'https:',
    grpcHost: grpc.hostname,
    grpcPort: portOf(grpc),
    grpcSecure: grpc.protocol === 'https:',
    timeout,
    ...(apiKey ? { authCredentials: new ApiKey(apiKey) } : {}),
  });
}

const portOf = ({ port, protocol }: URL) => (port ? Number(port) : protocol === 'https:' ? 443 : 80);

const isLate = (error: unknown) => /timed out|timeout|aborted|DEADLINE/i.test(String(error));

/** Nobody listens, or the connection was cut; a server that only takes too long keeps its connection. */
const isBroken = (error: unknown) =>
  /UNAVAILABLE|ECONNREFUSED|fetch failed|could not connect|start-up/i.test(String(error));
