import type { AddressInfo } from 'node:net';
import { createApp } from '../app.ts';
import { openDependencies, type Dependencies } from '../dependencies.ts';
import { releaseLeases } from '../db/queue.ts';
import { keepTidy } from '../db/tidy.ts';
import { firstStart, takeGivenCredentials } from '../domain/administration/first-start.ts';
import { warmUp } from '../domain/extraction/warm-up.ts';
import { createIdempotency } from '../domain/tenancy/idempotency.ts';
import type { Environment } from '../environment.ts';
import { createTelemetry, type Telemetry } from '../telemetry.ts';
import { mountGraphql } from '../transports/graphql/mount-graphql.ts';
import { createGrpcServer } from '../transports/grpc/server.ts';
import { createHttpServer } from '../transports/http/server.ts';
import { runWorker } from '../transports/jobs/worker.ts';
import { mountRest } from '../transports/rest/mount-rest.ts';
import { openCertificate } from './open-certificate.ts';
import { readCredentials, writeCredentials, type Credentials } from './credentials-file.ts';

/** The running service. */
export interface Service {
  readonly credentials: Credentials;
  /** Whether this start made the key: it is printed then and never again. */
  readonly isFirstStart: boolean;
  readonly dependencies: Dependencies;
  close(): Promise<void>;
}

const workers = 2;
const flushEveryMs = 2_000;
/** Not at once: the first request to be served is the one that asks whether we are ready. */
const warmUpAfterMs = 500;
/** How long open calls may take to end when the process stops. */
const graceMs = 5_000;

/** HTTP, gRPC and the workers in one process; opened in order, closed in reverse. */
export async function serveAll(
  environment: Environment,
  overrides: Parameters<typeof openDependencies>[2] = {},
): Promise<Service> {
  const telemetry = createTelemetry({ level: environment.LOG_LEVEL, process: 'all' });
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const d = await openDependencies(environment, telemetry, overrides);
    opened.push(() => d.close());
    await releaseLeases(d.db); // the lock file says that whoever held them is gone
    const made = await prepareCredentials(environment, d);
    await d.embedding.askToReembed(); // the environment may name another model than the last time
    const app = createApp(d);

    const stopping = new AbortController();
    const working = runWorker(d, telemetry, { signal: stopping.signal, concurrency: workers });
    const tidying = keepTidy(d.db, stopping.signal, (error) =>
      telemetry.log.error({ error }, 'tables were not tidied'),
    );
    opened.push(async () => {
      stopping.abort();
      await Promise.all([working, tidying]);
    });
    const flushing = setInterval(() => void flush(d, telemetry), flushEveryMs);
    opened.push(() => clearInterval(flushing));

    const tls = openCertificate(environment, telemetry);
    opened.push(() => tls?.close());
    const mount = [
      mountRest(app, telemetry),
      mountGraphql({ app, telemetry, production: environment.PRESAGE_ENV === 'production' }),
    ];
    const http = createHttpServer({ app, telemetry, idempotency: createIdempotency(d.db), mount, tls });
    opened.push(() => http.close());
    await http.listen({ host: environment.HOST, port: environment.PORT });
    const address = `${environment.HOST}:${environment.GRPC_PORT}`;
    const grpc = await createGrpcServer({ app, telemetry, address, tls });
    opened.push(() => grpc.close(graceMs));

    const { port } = http.server.address() as AddressInfo;
    const baseUrl = `${tls ? 'https' : 'http'}://${environment.HOST}:${port}`;
    const credentials = {
      base_url: baseUrl,
      graphql_url: `${baseUrl}/graphql`,
      grpc_address: `${environment.HOST}:${grpc.port}`,
      ...made.credentials,
    };
    writeCredentials(environment, credentials);
    const warming = setTimeout(warmUp, warmUpAfterMs);
    opened.push(() => clearTimeout(warming));
    telemetry.log.info({ base_url: baseUrl, grpc_address: credentials.grpc_address }, 'ready');
    return { credentials, isFirstStart: made.isFirst, dependencies: d, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepareCredentials(environment: Environment, d: Dependencies) {
  const given = { apiKey: environment.PRESAGE_API_KEY, adminToken: environment.PRESAGE_ADMIN_TOKEN };
  const first = await firstStart(d, given);
  if (first) return { isFirst: true, credentials: { api_key: first.apiKey, admin_token: first.adminToken } };
  await takeGivenCredentials(d, given);
  const known = readCredentials(environment);
  return {
    isFirst: false,
    credentials: {
      api_key: given.apiKey ?? known?.api_key ?? '',
      admin_token: given.adminToken ?? known?.admin_token ?? '',
    },
  };
}

const flush = (d: Dependencies, { log }: Telemetry) =>
  d.metering.flush(new Date()).catch((error: unknown) => log.error({ error }, 'usage was not saved'));
