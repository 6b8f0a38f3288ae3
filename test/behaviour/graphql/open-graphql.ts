import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import type { AdminRole } from '../../../src/domain/tenancy/access.ts';
import { newUuid } from '../../../src/domain/ids.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { createIdempotency } from '../../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { mountGraphql } from '../../../src/transports/graphql/mount-graphql.ts';
import { createHttpServer } from '../../../src/transports/http/server.ts';
import { openWorld, type World } from '../../support/world.ts';

/** What is answered; data of the form that the test expects. */
export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly data: T;
  readonly errors: readonly { readonly message: string; readonly path?: string[]; readonly extensions: Told }[];
}
export interface Told {
  readonly code: string;
  readonly correlationId: string;
  readonly fields?: readonly { field: string; message: string }[];
}

/** Who sends requests with one credential. */
export interface Client {
  readonly credential: string;
  readonly instanceId: string;
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the test says what it expects
  ask<T = Record<string, unknown>>(query: string, variables?: Record<string, unknown>): Promise<Answer<T>>;
  /** Submits what a user says and waits until it is remembered. Returns the ingestion's id. */
  remembers(text: string, more?: Record<string, unknown>): Promise<string>;
}

export interface Graphql {
  readonly world: World;
  readonly baseUrl: string;
  /** How often each use case was called since the last look. */
  calls(): Record<string, number>;
  /** An agent of a new instance. */
  agent(): Promise<Client>;
  /** An administrator; `instanceId` is theirs to say. */
  administrator(role?: AdminRole): Promise<Client>;
  clientWith(credential: string, instanceId?: string): Client;
}

/** The real service over a real socket, for the tests of one file. */
export function openGraphql({ production = false, world = openWorld() } = {}): Graphql {
  const counts = new Map<string, number>();
  let http: FastifyInstance;
  let baseUrl = '';
  beforeAll(async () => {
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const app = counting(world.app, counts);
    const mount = [mountGraphql({ app, telemetry, production })];
    http = createHttpServer({ app, telemetry, idempotency: createIdempotency(world.deps.db), mount });
    await http.listen({ host: '127.0.0.1', port: 0 });
    baseUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());

  const clientWith = (credential: string, instanceId = ''): Client => {
    const ask: Client['ask'] = (query, variables) => post(baseUrl, credential, { query, variables });
    return {
      credential,
      instanceId,
      ask,
      async remembers(text, more) {
        const input = { document: { text }, documentType: 'NOTE', userId: 'ada', ...more };
        const { data } = await ask<{ submitDocument: { id: string } }>(submission, { input });
        await world.settle();
        return data.submitDocument.id;
      },
    };
  };
  return {
    world,
    get baseUrl() {
      return baseUrl;
    },
    calls() {
      const seen = Object.fromEntries(counts);
      counts.clear();
      return seen;
    },
    async agent() {
      const { key, id } = await world.instance();
      return clientWith(key, id);
    },
    async administrator(role = 'owner') {
      const token = newSecret('admin');
      await world.deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(token), role } });
      return clientWith(token);
    },
    clientWith,
  };
}

const submission = `mutation ($input: SubmitDocumentInput!) {
  submitDocument(input: $input) { __typename ... on Ingestion { id } ... on Problem { message } }
}`;

async function post<T>(baseUrl: string, credential: string, body: object): Promise<Answer<T>> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(credential ? { Authorization: `Bearer ${credential}` } : {}) },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  const { data, errors = [] } = (await response.json()) as { data: T; errors?: Answer<T>['errors'] };
  return { status, headers, data, errors };
}

/** What every request does, whatever it asks for. */
const ofEveryRequest = new Set<string>(['authenticate', 'countCall', 'spend', 'quota', 'begin']);

/** These use cases, telling which are called; those of a group by its name. */
const counting = <T extends object>(useCases: T, counts: Map<string, number>, group?: string): T =>
  new Proxy(useCases, {
    get(target, name: string) {
      const useCase = target[name as keyof T];
      if (typeof useCase !== 'function') return counting(useCase as object, counts, name);
      return (...args: readonly unknown[]) => {
        const counted = group ?? name;
        if (!ofEveryRequest.has(counted)) counts.set(counted, (counts.get(counted) ?? 0) + 1);
        return useCase(...args);
      };
    },
  });
