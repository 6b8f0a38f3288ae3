// The bare counterpart: grpc-js and the same proto file, and nothing behind them. `echo`: a bundle for each message and
// a pong for each ping; `push`: bundles without end, as fast as the reader takes them.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { answer } from './child.mjs';
import { service } from './wire.mjs';

let pushed = 0;

answer({
  listen({ mode, bundles }) {
    const server = new Server({ 'grpc.max_concurrent_streams': 1_000 });
    const updates = bundles.map((bundle) => ({ bundle }));
    let n = 0;
    const next = () => updates[(n += 1) % updates.length];
    const echo = (call) =>
      call.on('data', (signal) => {
        if (signal.kind === 'message' || signal.kind === 'sessionStart') call.write(next());
        if (signal.kind === 'ping') call.write({ pong: {} });
        if (signal.kind === 'sessionEnd') call.end();
      });
    const push = (call) => {
      const go = () => {
        for (let isTaken = true; isTaken && !call.cancelled;) {
          pushed += 1;
          isTaken = call.write(next());
        }
      };
      call.on('drain', go);
      call.once('data', go);
    };
    const Anticipate = (call) => {
      call.on('error', () => {});
      (mode === 'push' ? push : echo)(call);
    };
    server.addService(service, { Anticipate });
    return new Promise((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(`127.0.0.1:${port}`),
      );
    });
  },
  spent: () => ({ pushed, cpuMs: Object.values(process.cpuUsage()).reduce((sum, us) => sum + us / 1_000, 0) }),
});
