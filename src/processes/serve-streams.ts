import { createGrpcServer } from '../transports/grpc/server.ts';
import { listening } from './listening.ts';
import type { Service } from './open-service.ts';

/** How long open streams may take to end when the process stops. */
const graceMs = 2_000;

/** The gRPC door, with its health service. Resolves with the address once it listens. */
export async function serveStreams({ app, environment, telemetry, tls, onClose }: Service): Promise<string> {
  const address = `${environment.HOST}:${environment.GRPC_PORT}`;
  const grpc = await listening(address, 'GRPC_PORT', () => createGrpcServer({ app, telemetry, address, tls }));
  onClose(() => grpc.close(graceMs));
  return `${environment.HOST}:${grpc.port}`;
}
