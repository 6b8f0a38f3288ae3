import { runProcess } from './run-process.ts';
import { serveProbes } from './serve-http.ts';
import { serveStreams } from './serve-streams.ts';

/** `presage stream`: the gRPC server, and on `PORT` what a supervisor asks. */
await runProcess('stream', async (service) => {
  const grpcAddress = await serveStreams(service);
  const probes = await serveProbes(service);
  service.telemetry.log.info({ grpc_address: grpcAddress, probes }, 'ready');
});
