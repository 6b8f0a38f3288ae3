import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { credentials, loadPackageDefinition, Metadata } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

const proto = fileURLToPath(new URL('../../../proto/presage/anticipation/v1/anticipation.proto', import.meta.url));
const { presage } = loadPackageDefinition(
  loadSync(proto, { longs: Number, enums: String, defaults: true, oneofs: true }),
);

const briefWithinMs = 3_000;

/** Sessions as a client holds them: one signal, one bundle. */
export function openStreams(address, key) {
  const client = new presage.anticipation.v1.Anticipation(address, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  return { open: (session) => openSession(client.anticipate(metadata), session), close: async () => client.close() };
}

function openSession(call, session) {
  let memories = new Map();
  let waiting;
  let isOver = false;
  const settle = (way, value) => {
    const before = waiting;
    waiting = undefined;
    before?.[way](value);
  };
  call.on('error', (error) => settle('reject', error));
  call.on('end', () => {
    isOver = true;
    settle('resolve', undefined);
  });
  call.on('data', ({ bundle, withdrawal }) => {
    for (const id of withdrawal?.memoryIds ?? []) memories.delete(id);
    if (!bundle) return;
    const held = memories;
    // What we have travels by its id: its words are in the bundle before.
    memories = new Map(
      bundle.memories.map((memory) => [
        memory.id,
        memory.held ? { ...held.get(memory.id), score: memory.score, reason: memory.reason } : memory,
      ]),
    );
    settle('resolve', [...memories.values()]);
  });
  const answered = () => new Promise((resolve, reject) => (waiting = { resolve, reject }));
  const brief = answered();
  call.write({ sessionStart: { ...session, keepsBundle: true } });
  return {
    /** The bundle that the session begins with; of a user of whom nothing always holds there is none. */
    brief: () => Promise.race([brief, pause(briefWithinMs, [])]),
    /** The bundle that a signal brings. */
    async send(signal) {
      if (isOver) throw new Error('the stream is over');
      const bundle = answered();
      call.write(signal);
      return bundle;
    },
    /** What brings no bundle. */
    tell: (signal) => void call.write(signal),
    async end() {
      const over = answered();
      call.write({ sessionEnd: {} });
      call.end();
      await over;
    },
  };
}
