import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { newUuid } from '../../../src/domain/ids.ts';
import type { AdminRole } from '../../../src/domain/tenancy/access.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { mountMetrics } from '../../../src/transports/http/probes.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { mountRest } from '../../../src/transports/rest/mount-rest.ts';
import { openWorld, type World } from '../../support/world.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The decoded body; of the form that the test expects. */
  json<T = Record<string, unknown>>(): T;
}

export interface Request {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string | Buffer<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

/** One agent's way to the server: every request with the key of its instance. */
export interface Agent {
  readonly key: string;
  send(method: string, path: string, request?: Request): Promise<Reply>;
  /** Submits a note and waits until it is remembered. Returns the status of its ingestion. */
  remembers(
    document: string | readonly object[],
    more: Record<string, unknown>,
  ): Promise<{ ingestion_id: string; memory_ids: string[] }>;
}

export interface Server {
  readonly world: World;
  readonly baseUrl: string;
  /** An agent of a new instance. */
  agent(): Promise<Agent>;
  /** An agent that sends this credential. */
  agentWith(key: string): Agent;
}

/** The real service over a real socket, for the tests of one file. */
export function openServer(world = openWorld(), isBehindProxy = false): Server {
  let http: FastifyInstance;
  let baseUrl = '';
  beforeAll(async () => {
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const { app, deps } = world;
    const mount = [mountRest(app, telemetry), mountMetrics(telemetry)];
    http = createHttpServer({ app, telemetry, idempotency: createIdempotency(deps.db), mount, isBehindProxy });
    await http.listen({ host: '127.0.0.1', port: 0 });
    baseUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());

  const agentWith = (key: string): Agent => {
    const send: Agent['send'] = (method, path, request) => sendTo(baseUrl + path, { method, key, ...request });
    return {
      key,
      send,
      async remembers(document, more) {
        const body = { document, document_type: 'note', ...more };
        const { ingestion_id: id } = (await send('POST', '/v1/memories', { body })).json<{ ingestion_id: string }>();
        await world.settle();
        return (await send('GET', `/v1/memories/${id}/status`)).json();
      },
    };
  };
  return {
    world,
    get baseUrl() {
      return baseUrl;
    },
    agent: async () => agentWith((await world.instance()).key),
    agentWith,
  };
}

/** A new token of this role. */
export async function newAdminToken({ deps }: World, role: AdminRole): Promise<string> {
  const token = newSecret('presageadmin');
  await deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(token), role } });
  return token;
}

async function sendTo(url: string, request: Request & { method: string; key: string }): Promise<Reply> {
  const { method, key, body, raw, headers } = request;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(sent === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
