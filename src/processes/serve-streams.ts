import { listenService } from '../transports/compat/listen/serve-listen.ts';
import { createGrpcServer } from '../transports/grpc/server.ts';
import { listenOrExplain } from './listen-or-explain.ts';
import type { Service } from './open-service.ts';

/** How long open streams may take to end when the process stops. */
const graceMs = 2_000;

/** The gRPC server, with its health service. Resolves with the address once it listens. */
export async function serveStreams(service: Service): Promise<string> {
  const { app, environment, telemetry, tls, onStop } = service;
  const address = `${environment.HOST}:${environment.GRPC_PORT}`;
  const neighbours = environment.COMPAT ? [listenService({ app, telemetry, turns: service.turnDeduplicator })] : [];
  const grpc = await listenOrExplain(address, 'GRPC_PORT', () =>
    createGrpcServer({ app, telemetry, address, tls, additionalServices: neighbours }),
  );
  onStop(() => grpc.close(graceMs));
  return `${environment.HOST}:${grpc.port}`;
}
