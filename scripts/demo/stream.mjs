import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { DemoError } from './service.mjs';

const proto = fileURLToPath(new URL('../../proto/presage/anticipation/v1/anticipation.proto', import.meta.url));

/** Opens a stream for the user, says one thing, and returns the bundle that comes back with the time it took. */
export async function anticipate({ grpcAddress, key }, userId, content) {
  const { presage } = loadPackageDefinition(
    loadSync(proto, { longs: Number, enums: String, defaults: true, oneofs: true }),
  );
  const client = new presage.anticipation.v1.Anticipation(grpcAddress, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  const call = client.anticipate(metadata, { deadline: Date.now() + 10_000 });
  try {
    return await new Promise((resolve, reject) => {
      let saidAt = 0;
      let last;
      call.on('error', (error) =>
        reject(new DemoError(`The stream at ${grpcAddress} failed: ${error.details ?? error.message}`)),
      );
      call.on('end', () => {
        if (last) resolve(last); // what always holds may have come in a bundle before it
        else reject(new DemoError(`The stream at ${grpcAddress} ended before a bundle came.`));
      });
      call.on('data', (update) => {
        if (update.kind === 'pong') {
          saidAt = performance.now(); // the session stands: now the clock measures the answer alone
          call.write({ message: { role: 'user', content } });
          call.write({ sessionEnd: {} });
        }
        if (update.kind === 'bundle') last = { ...update.bundle, ms: performance.now() - saidAt };
      });
      call.write({ sessionStart: { userId } });
      call.write({ ping: {} });
    });
  } finally {
    call.end();
    client.close();
  }
}
