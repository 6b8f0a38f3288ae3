import { setTimeout as pause } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClient, says } from '../behaviour/grpc/open-client.ts';
import { ownServer } from '../support/own-server.ts';
import { customerId, openTown, type Town } from './killing/town.ts';
import { isProof, lengthOf, seed, tell } from './length.ts';

/**
 * Processes that get no time for a last word, at points of time that a seed chooses, while documents come in. A worker
 * that was killed leaves its leases behind: what it held is taken up when they are over.
 */
const own = ownServer();
/** Of all tests here. The clock is that of this process, where documents are accepted. */
let town: Town;
let ahead = 0;
beforeAll(async () => {
  town = await openTown(own.server, name, { now: () => new Date(Date.now() + ahead) });
});
afterAll(() => town?.close());
const name = 'faults';

/** Points of time, in milliseconds, the same for the same seed. */
const momentsOf = (count: number, max: number) => fc.sample(fc.nat(max), { numRuns: count, seed });

const workerKills = Number(process.env['PROOF_KILLS'] ?? lengthOf(100, 2));
const documents = workerKills * lengthOf(10, 12);
const nothingWrong = { lost: 0, duplicates: 0, visibleToStrangers: 0 };

test(
  'a worker that is killed again and again while documents come in: all of them are remembered, once, for their own user',
  { timeout: lengthOf(3_600_000, 120_000) },
  async () => {
    const kills = workerKills;
    let interrupted = 0;
    for (const ms of momentsOf(kills, 400)) {
      const worker = await town.start('worker');
      const sending = Promise.all(Array.from({ length: documents / kills }, () => town.send()));
      await expect.poll(() => town.underWay(), { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
      await pause(ms);
      await town.end(worker);
      await sending;
      interrupted += await town.underWay();
    }
    if (!isProof) await town.endLeases();
    await town.aWorker();
    const outcome = await town.outcome();
    tell('worker killed', { kills, 'documents under way then': interrupted, ...outcome });
    expect(outcome).toMatchObject(nothingWrong);
    expect(outcome.documents).toBe(documents);
    expect(interrupted).toBeGreaterThan(0);
    expect(await town.brokenRules()).toEqual([{}, {}]);
  },
);

test(
  'a Postgres that is killed while documents come in and a worker ingests: nothing that was accepted is lost or there twice',
  { timeout: lengthOf(3_600_000, 120_000) },
  async () => {
    await town.aWorker();
    const kills = lengthOf(20, 1);
    let interrupted = 0;
    for (const ms of momentsOf(kills, 400)) {
      const sending = Promise.all(Array.from({ length: Math.ceil(documents / kills / 2) }, () => town.send()));
      await expect.poll(() => town.underWay(), { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
      await pause(ms);
      interrupted += await town.underWay();
      await own.server.kill();
      await pause(ms / 2);
      await own.server.start();
      await sending;
    }
    if (!isProof) await town.endLeases();
    const outcome = await town.outcome();
    tell('Postgres killed', { kills, 'documents under way then': interrupted, ...outcome });
    expect(outcome).toMatchObject(nothingWrong);
    expect(await town.brokenRules()).toEqual([{}, {}]);
  },
);

test(
  'connections that are cut while documents come in: nothing that was accepted is lost or there twice',
  { timeout: lengthOf(3_600_000, 120_000) },
  async () => {
    await town.aWorker();
    const cuts = lengthOf(100, 4);
    const sending = Promise.all(Array.from({ length: lengthOf(200, 8) }, () => town.send()));
    for (const ms of momentsOf(cuts, 300)) {
      await pause(ms);
      await own.server.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
      );
    }
    await sending;
    const outcome = await town.outcome();
    tell('connections cut', { cuts, ...outcome });
    expect(outcome).toMatchObject(nothingWrong);
    expect(await town.brokenRules()).toEqual([{}, {}]);
  },
);

test(
  'a clock that jumps by hours, forward and back, where documents are accepted: they are remembered at once all the same',
  { timeout: lengthOf(600_000, 120_000) },
  async () => {
    await town.aWorker();
    const jumps = lengthOf(50, 3);
    for (const minutes of momentsOf(jumps, 48 * 60)) {
      ahead = (minutes - 24 * 60) * 60_000;
      await town.send();
      await town.send();
    }
    ahead = 0;
    const outcome = await town.outcome();
    tell('clock jumped', { jumps, ...outcome });
    expect(outcome).toMatchObject(nothingWrong);
    expect(await town.brokenRules()).toEqual([{}, {}]);
  },
);

test(
  'a stream process that is killed in the middle of talks: the next one goes on with what holds then, for each their own',
  { timeout: lengthOf(3_600_000, 120_000) },
  async () => {
    await town.aWorker();
    const kills = lengthOf(20, 1);
    const talks = await Promise.all(Array.from({ length: 6 }, () => town.send()));
    await town.outcome();
    const told = { bundles: 0, visibleToStrangers: 0 };
    const endedEarly: string[] = [];
    let taken = talks.map(() => 0);
    for (const ms of [...momentsOf(kills, 300), null]) {
      const stream = await town.start('stream');
      const clients = talks.map(() => openClient(stream.grpcAddress));
      const calls = talks.map(({ house, userId, turns }, n) => {
        const call = clients[n]!.anticipate({ key: town.houses[house]!.key });
        const sessionId = `talk-${n}`;
        call.send({ sessionStart: { userId, customerId, sessionId, lastSequence: taken[n]! } });
        call.send(says(`Which cellar did ${turns[0]!.replace(/ went .*/, '')} go to?`));
        return call;
      });
      taken = await Promise.all(
        calls.map(async (call, n) => {
          const { house, userId, turns } = talks[n]!;
          const theirs = town.accepted.filter((each) => each.house === house && each.userId === userId);
          for (let found = false, sequence = 0; ;) {
            const update = await call.next();
            if (!update) {
              const { code, details } = await call.ended;
              endedEarly.push(`${status[code]} ${details} after sequence ${sequence}`);
              return sequence;
            }
            const { bundle } = update;
            if (!bundle) continue; // a stream that is silent for long says that it is there
            const contents = bundle.memories.map(({ content }) => content);
            const foreign = contents.filter(
              (one) => !theirs.some((each) => each.turns.some((turn) => turn.includes(one))),
            );
            told.visibleToStrangers += foreign.length;
            told.bundles += 1;
            sequence = bundle.sequence;
            found ||= contents.includes(turns[0]!);
            if (!found) continue;
            call.send(says(`And what about ${turns[1]!}`)); // in the middle of which it is killed
            return sequence;
          }
        }),
      );
      if (ms !== null) await pause(ms);
      await town.end(stream);
      if (ms !== null) expect(await Promise.all(calls.map(async (call) => (await call.ended).code))).not.toContain(0);
      for (const client of clients) client[Symbol.dispose]();
    }
    tell('stream killed', { kills, talks: talks.length, ...told, 'ended early': endedEarly.join('; ') || 0 });
    expect(told.visibleToStrangers).toBe(0);
    expect(endedEarly).toEqual([]);
  },
);
