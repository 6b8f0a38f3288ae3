import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { mountDashboard } from '../../../src/transports/dashboard/mount-dashboard.ts';
import { mountGraphql } from '../../../src/transports/graphql/mount-graphql.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import type { World } from '../../support/world.ts';

/** What a page of this server sends beside its cookie. */
export const ownPage = { 'presage-csrf': '1', 'sec-fetch-site': 'same-origin' };

export interface Dashboard {
  readonly baseUrl: string;
  /** Sends JSON, or nothing. */
  send(method: string, path: string, more?: { body?: unknown; headers?: Record<string, string> }): Promise<Response>;
  /** Signs in and answers the cookie. */
  signIn(body: object, headers?: Record<string, string>): Promise<string>;
  /** Asks as whoever the cookie is of. */
  ask(cookie: string, query: string, more?: { variables?: object; headers?: Record<string, string> }): Promise<any>;
  /** Stops the server as a deployment does, and starts another in its place. */
  restart(): Promise<void>;
}

/** The dashboard and GraphQL of a world, over a real socket, for the tests of one file. */
export function openDashboard(world: World, { isSecure = false, isBehindProxy = false } = {}): Dashboard {
  let http: FastifyInstance;
  let baseUrl = '';
  let port = 0;
  async function start() {
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const { app, deps } = world;
    const mount = [mountDashboard({ app, isSecure }), mountGraphql({ app, telemetry, production: true })];
    http = createHttpServer({ app, telemetry, idempotency: createIdempotency(deps.db), mount, isBehindProxy });
    await http.listen({ host: '127.0.0.1', port });
    ({ port } = http.server.address() as AddressInfo);
    baseUrl = `http://127.0.0.1:${port}`;
  }
  beforeAll(start);
  afterAll(() => http.close());

  const send: Dashboard['send'] = (method, path, { body, headers = {} } = {}) =>
    fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    get baseUrl() {
      return baseUrl;
    },
    send,
    async signIn(body, headers = {}) {
      const path = 'link' in body && 'email' in body ? '/dashboard/account' : '/dashboard/session';
      const answer = await send('POST', path, { body, headers: { ...ownPage, ...headers } });
      if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
      return cookieOf(answer);
    },
    async ask(cookie, query, { variables = {}, headers = {} } = {}) {
      const answer = await send('POST', '/graphql', {
        body: { query, variables },
        headers: { ...ownPage, cookie, ...headers },
      });
      return answer.json();
    },
    async restart() {
      await http.close();
      await start();
    },
  };
}

export const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')!.split(';')[0]!;
