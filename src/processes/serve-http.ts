import type { AddressInfo } from 'node:net';
import { createIdempotency } from '../domain/tenancy/idempotency.ts';
import { mountCompat } from '../transports/compat/mount-compat.ts';
import { mountGraphql } from '../transports/graphql/mount-graphql.ts';
import { mountMcp } from '../transports/mcp/mount-mcp.ts';
import { mountMetrics } from '../transports/http/probes.ts';
import { mountDashboard } from '../transports/dashboard/mount-dashboard.ts';
import { createHttpServer, type Mount } from '../transports/http/server.ts';
import { mountRest } from '../transports/rest/mount-rest.ts';
import { listenOrExplain } from './listen-or-explain.ts';
import type { Service } from './open-service.ts';

/** REST, GraphQL and MCP, and what a supervisor asks. Resolves with the address once it listens. */
export function serveApi(service: Service): Promise<string> {
  const { app, telemetry, environment } = service;
  const production = environment.PRESAGE_ENV === 'production';
  const isSecure = service.tls !== undefined || environment.TLS_TERMINATED_UPSTREAM;
  return listen(service, [
    mountRest(app, telemetry),
    mountGraphql({ app, telemetry, production }),
    mountDashboard({ app, isSecure }),
    ...(environment.COMPAT
      ? [
          mountCompat({
            app,
            telemetry,
            turns: service.turnDeduplicator,
            parseTranscript: service.deps.parseTranscript,
          }),
        ]
      : []),
    mountMcp({ app, telemetry }),
  ]);
}

/** Serves `/health`, `/ready` and the metrics of a process that serves nothing else over HTTP. */
export const serveProbes = (service: Service): Promise<string> => listen(service, []);

/** `/metrics` stands beside the rest on `PORT`, or alone on `METRICS_PORT` when that is set. */
async function listen(service: Service, mount: readonly Mount[]): Promise<string> {
  const { PORT: port, METRICS_PORT: metricsPort } = service.environment;
  const metrics = mountMetrics(service.telemetry);
  const isApart = metricsPort !== undefined;
  const address = await listenOn(service, { variable: 'PORT', port }, isApart ? mount : [...mount, metrics]);
  if (isApart) await listenOn(service, { variable: 'METRICS_PORT', port: metricsPort }, [metrics]);
  return address;
}

async function listenOn(
  service: Service,
  { variable, port }: { variable: 'PORT' | 'METRICS_PORT'; port: number },
  mount: readonly Mount[],
): Promise<string> {
  const { app, deps, environment, telemetry, tls, onStop } = service;
  const idempotency = createIdempotency(deps.db);
  const { HOST: host, CORS_ORIGINS: origins, TLS_TERMINATED_UPSTREAM: isBehindProxy } = environment;
  const http = createHttpServer({ app, telemetry, idempotency, mount, tls, origins, isBehindProxy });
  onStop(() => http.close());
  await listenOrExplain(`${host}:${port}`, variable, () => http.listen({ host, port }));
  return `${tls ? 'https' : 'http'}://${host}:${(http.server.address() as AddressInfo).port}`;
}
