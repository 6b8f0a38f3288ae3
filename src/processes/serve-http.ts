import type { AddressInfo } from 'node:net';
import { createIdempotency } from '../domain/tenancy/idempotency.ts';
import { mountGraphql } from '../transports/graphql/mount-graphql.ts';
import { createHttpServer, type Mount } from '../transports/http/server.ts';
import { mountRest } from '../transports/rest/mount-rest.ts';
import { listening } from './listening.ts';
import type { Service } from './open-service.ts';

/** REST and GraphQL, and what a supervisor asks. Resolves with the address once it listens. */
export function serveApi(service: Service): Promise<string> {
  const { app, telemetry, environment } = service;
  const production = environment.PRESAGE_ENV === 'production';
  return listen(service, [mountRest(app, telemetry), mountGraphql({ app, telemetry, production })]);
}

/** What a supervisor asks (`/health`, `/ready`, `/metrics`), of a process that serves nothing else over HTTP. */
export const serveProbes = (service: Service): Promise<string> => listen(service, []);

async function listen(service: Service, mount: readonly Mount[]): Promise<string> {
  const { app, d, environment, telemetry, tls, onClose } = service;
  const idempotency = createIdempotency(d.db);
  const http = createHttpServer({ app, telemetry, idempotency, mount, tls, origins: environment.CORS_ORIGINS });
  onClose(() => http.close());
  const { HOST: host, PORT: port } = environment;
  await listening(`${host}:${port}`, 'PORT', () => http.listen({ host, port }));
  return `${tls ? 'https' : 'http'}://${environment.HOST}:${(http.server.address() as AddressInfo).port}`;
}
