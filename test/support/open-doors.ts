import type { AddressInfo } from 'node:net';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createIdempotency } from '../../src/domain/tenancy/idempotency.ts';
import { createTelemetry } from '../../src/telemetry.ts';
import { mountGraphql } from '../../src/transports/graphql/mount-graphql.ts';
import { createGrpcServer, type GrpcServer } from '../../src/transports/grpc/server.ts';
import { createHttpServer } from '../../src/transports/http/server.ts';
import { mountMetrics } from '../../src/transports/http/probes.ts';
import { mountMcp } from '../../src/transports/mcp/mount-mcp.ts';
import { mountRest } from '../../src/transports/rest/mount-rest.ts';
import { openWorld, type World } from './world.ts';

export interface Told {
  readonly status: number;
  readonly text: string;
  json(): any;
}

/** One service behind its three doors: REST and GraphQL over HTTP, and gRPC. */
export interface Doors {
  readonly world: World;
  readonly baseUrl: string;
  readonly grpcAddress: string;
  /** What is mounted: `GET /v1/memories/:memory_id`. */
  readonly mounted: ReadonlySet<string>;
  send(credential: string, method: string, path: string, body?: unknown): Promise<Told>;
  ask(credential: string, query: string, variables?: Record<string, unknown>): Promise<Told>;
}

/** The real service over real sockets, for the tests of one file. */
export function openDoors(world = openWorld()): Doors {
  const mounted = new Set<string>();
  let http: FastifyInstance;
  let grpc: GrpcServer;
  let baseUrl = '';
  beforeAll(async () => {
    const telemetry = createTelemetry({ level: 'silent', process: 'test' });
    const { app, deps } = world;
    const note = ({ method, url }: RouteOptions) => [method].flat().forEach((each) => mounted.add(`${each} ${url}`));
    const mount = [
      mountRest(app, telemetry),
      mountGraphql({ app, telemetry, production: false }),
      mountMcp({ app, telemetry }),
      mountMetrics(telemetry),
    ].map((add) => async (scope: FastifyInstance) => {
      scope.addHook('onRoute', note);
      await add(scope);
    });
    http = createHttpServer({ app, telemetry, idempotency: createIdempotency(deps.db), mount });
    await http.listen({ host: '127.0.0.1', port: 0 });
    grpc = await createGrpcServer({ app, telemetry, address: '127.0.0.1:0' });
    baseUrl = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await http.close();
    await grpc.close(0);
  });
  const send: Doors['send'] = async (credential, method, path, body) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, json: () => JSON.parse(text) };
  };
  return {
    world,
    mounted,
    get baseUrl() {
      return baseUrl;
    },
    get grpcAddress() {
      return `127.0.0.1:${grpc.port}`;
    },
    send,
    ask: (credential, query, variables) => send(credential, 'POST', '/graphql', { query, variables }),
  };
}
