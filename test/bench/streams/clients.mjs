// Readers of streams, in a process of their own: what they cost is not the service's.
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { createWriter } from '../writing.mjs';
import { answer } from './child.mjs';
import { Reader } from './reader.mjs';
import { openChannels } from './wire.mjs';

const streamsEach = 100;
const openingAtATime = 8;
const answersWithinMs = 30_000;

let readers = [];
let writer = createWriter(1);
let turn = 0;
let talking;

answer({
  /** Opens a stream for each of the sessions, at most so many at a time, and waits for what each begins with. */
  async open({ address, key, sessions, seed = 1 }) {
    writer = createWriter(seed);
    const channels = openChannels(address, { key, streamsEach });
    const limit = pLimit(openingAtATime);
    const began = sessions.map((session) =>
      limit(async () => {
        const reader = new Reader(channels.open(), session);
        readers.push(reader);
        await reader.begun;
      }),
    );
    await Promise.all(began);
  },

  /** Messages and pings at a steady rate, each to the next stream. Times from the write until the answer is read. */
  async talk({ perSecond, seconds }) {
    const answers = { bundles: [], pongs: [] };
    const due = [];
    const count = Math.round(perSecond * seconds);
    const began = performance.now();
    for (let n = 0; n < count; n++) {
      const at = began + (n * 1_000) / perSecond;
      if (at > performance.now()) await pause(at - performance.now());
      turn += 1;
      const speaker = readers[turn % readers.length];
      const other = readers[(turn + (readers.length >> 1)) % readers.length];
      due.push(speaker.says(writer.question()).then((ms) => answers.bundles.push(ms)));
      due.push(other.pings().then((ms) => answers.pongs.push(ms)));
    }
    await Promise.race([Promise.all(due), pause(answersWithinMs)]);
    return { ...answers, unanswered: 2 * count - answers.bundles.length - answers.pongs.length };
  },

  /** Bundles as they came last. */
  sample: ({ count }) => readers.flatMap(({ last }) => last ?? []).slice(0, count),

  /** Talks until `hush`, while so large a share of the streams is not read at all. */
  async chatter({ perSecond, unread }) {
    const told = { sent: 0, slowestPongMs: 0, errors: 0 };
    talking = { isOver: false, told };
    for (const reader of readers.slice(0, Math.round(unread * readers.length))) reader.pause();
    const read = readers.slice(Math.round(unread * readers.length));
    void (async () => {
      while (!talking.isOver) {
        turn += 1;
        told.sent += 1;
        void readers[turn % readers.length].says(writer.question()).catch(() => (told.errors += 1));
        const other = read[(turn + (read.length >> 1)) % read.length];
        if (!other.isPinging) {
          void other.pings().then(
            (ms) => (told.slowestPongMs = Math.max(told.slowestPongMs, ms)),
            () => (told.errors += 1),
          );
        }
        await pause(1_000 / perSecond);
      }
    })();
  },
  /** Stops talking and reads on everywhere; what was asked for is given time to come. */
  async hush() {
    talking.isOver = true;
    for (const reader of readers) reader.resume();
    const began = performance.now();
    while (readers.some(({ isPinging }) => isPinging) && performance.now() - began < answersWithinMs) await pause(50);
    return { ...talking.told, starved: readers.filter(({ isPinging }) => isPinging).length };
  },

  /** What each session took last, to resume it by. */
  states: () => readers.map((reader) => reader.state),
});
