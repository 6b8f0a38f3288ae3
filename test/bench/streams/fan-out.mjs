import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.mjs';
import { readyBundle } from './payload.mjs';
import { service } from './wire.mjs';

/** As `deploy/` starts a process of streams; the bare server has it too. */
const flags = ['--max-semi-space-size=64'];
/** Before each message of gRPC. */
const frameBytes = 5;

/**
 * Bundles that are ready, to as many streams as there are, by the service's door and use case and by a bare grpc-js
 * server that takes turns with it. The reader counts bytes and decodes nothing, so that the servers are what is measured:
 * both are kept busy all the time.
 *
 * @returns per server, one row a round: {perSecond: messages pushed, cpuMicros: processor time of each}
 */
export async function measureFanOut({ streams, rounds, seconds }, { opened, tell }) {
  const servers = { service: startChild('push-server.mjs', flags), bare: startChild('bare-server.mjs', flags) };
  for (const { kill } of Object.values(servers)) opened.push(kill);
  const listening = { mode: 'push', bundles: [readyBundle()] };
  const rows = { service: [], bare: [] };
  const addresses = {};
  for (const [name, server] of Object.entries(servers)) addresses[name] = await server.ask('listen', listening);
  const messageBytes = service.Anticipate.responseSerialize({ bundle: listening.bundles[0] }).length + frameBytes;
  for (let round = -1; round < rounds; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const reader = startChild('drinker.mjs');
      opened.push(reader.kill);
      await reader.ask('open', { address: addresses[name], streams });
      const look = async () => ({
        at: performance.now(),
        bytes: await reader.ask('bytes'),
        ...(await server.ask('spent')),
      });
      const before = await look();
      await pause(seconds * 1_000);
      const after = await look();
      await reader.kill();
      await pause(500); // what was cut off is cleared away
      const row = {
        perSecond: (after.bytes - before.bytes) / messageBytes / ((after.at - before.at) / 1_000),
        cpuMicros: ((after.cpuMs - before.cpuMs) * 1_000) / (after.pushed - before.pushed),
      };
      if (round >= 0) rows[name].push(row); // the first round only warms up
      tell(
        `fan-out, ${name}: ${Math.round(row.perSecond)} messages/s, ${row.cpuMicros.toFixed(0)} µs of processor each`,
      );
    }
  }
  return rows;
}
