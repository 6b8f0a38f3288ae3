import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSecret } from '../../src/domain/tenancy/credentials.ts';
import { isOnPostgres } from '../support/place-database.ts';
import { migratedPlace, startService, type Place, type ServiceProcess } from '../support/service-process.ts';
import { isSignedBy, openReceiver, type Received, type Receiver } from '../support/webhook-receiver.ts';
import { isProof, lengthOf, seed, tell } from './length.ts';

/**
 * Events while the process that delivers them is killed again and again, at points of time that a seed chooses, and the
 * receiver fails a third of what it is sent. On a real Postgres the worker is killed, and events go on; the embedded
 * default is one process, and whoever was not answered repeats the call.
 */
const proven = process.env['TEST_DATABASE'] === 'postgres' ? 100_000 : 5_000; // the embedded default is for one machine
const events = Number(process.env['PROOF_EVENTS'] ?? lengthOf(proven, 60));
const kills = lengthOf(20, 1);
/** An event fails at most so often, with such a chance each time, which comes to a third of all requests. */
const [mostFailures, chance] = lengthOf([2, 0.4], [1, 0.5]);
const atATime = 16;

let folder: string;
let receiver: Receiver;
let place: Place;
const outcome = { sent: 0, failed: 0, delivered: 0, wronglySigned: 0 };
/** By the conversation that an event is about: the `webhook-id`s it was delivered under. */
const deliveredAs = new Map<string, Set<string>>();
const failuresOf = new Map<string, number>();
let secret = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presage-webhooks-'));
  receiver = await openReceiver(answer);
  const variables = {
    PRESAGE_API_KEY: newSecret('presage'),
    PRESAGE_ADMIN_TOKEN: randomBytes(16).toString('hex'),
    REQUESTS_PER_MINUTE: '1000000',
    REQUEST_BURST: '1000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  place = { ...(await migratedPlace(folder)), variables };
});
afterAll(() => {
  receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

function answer(received: Received): { status: number } {
  const { id, data } = received.event;
  const failures = failuresOf.get(id) ?? 0;
  outcome.sent += 1;
  receiver.received.length = 0; // so many are not kept
  if (!isSignedBy(secret, received)) outcome.wronglySigned += 1;
  if (failures < mostFailures && Math.random() < chance) {
    failuresOf.set(id, failures + 1);
    outcome.failed += 1;
    return { status: 500 };
  }
  outcome.delivered += 1;
  const conversation = String(data['external_id']);
  deliveredAs.set(conversation, (deliveredAs.get(conversation) ?? new Set()).add(id));
  return { status: 200 };
}

/** What is killed, and what takes the calls: one process, or two. */
async function start(): Promise<{ api: ServiceProcess; kill(): Promise<void>; stop(): Promise<void> }> {
  if (!isOnPostgres()) {
    let only = await startService(place);
    return {
      get api() {
        return only;
      },
      async kill() {
        await only.kill();
        only = await startService(place);
      },
      stop: () => only.stop(),
    };
  }
  const api = await startService({ ...place, kind: 'api' });
  const workerPlace: Place = { ...(await migratedPlace(folder)), variables: place.variables!, kind: 'worker' };
  let worker = await startService(workerPlace);
  return {
    api,
    async kill() {
      await worker.kill();
      worker = await startService(workerPlace);
    },
    stop: async () => void (await Promise.all([worker.stop(), api.stop()])),
  };
}

test(
  `${events} events under kill -9 and a receiver that fails a third: none is lost, none is wrongly signed`,
  { timeout: lengthOf(3_600_000, 180_000) },
  async () => {
    const service = await start();
    const settings = { url: receiver.url, event_types: ['conversation.started'] };
    ({ secret } = await service.api.call('POST', '/v1/webhooks', settings));
    let begun = 0;
    const begin = async () => {
      for (let n = begun++; n < events; n = begun++) {
        const body = { conversation_id: `call-${n}`, user_id: 'ada' };
        while (!(await service.api.call('POST', '/v1/conversations', body).catch(() => null))?.conversation_id)
          await pause(50);
      }
    };
    const beginning = Promise.all(Array.from({ length: atATime }, begin));
    for (const ms of fc.sample(fc.nat(400), { numRuns: kills, seed })) {
      const [before, share] = [deliveredAs.size, Math.floor(events / (kills + 1))];
      await expect.poll(() => deliveredAs.size - before, { timeout: 600_000 }).toBeGreaterThan(share / 2);
      await pause(ms);
      await service.kill();
      if (isProof) tell('webhooks so far', { begun, ...outcome, of: deliveredAs.size });
    }
    await beginning;
    // What the last worker had under way is leased for 20 s, and what failed twice waits for a minute.
    await expect.poll(() => deliveredAs.size, { timeout: lengthOf(1_800_000, 90_000), interval: 100 }).toBe(events);
    await service.stop();
    const underOthers = [...deliveredAs.values()].filter((ids) => ids.size > 1).length;
    const lost = events - deliveredAs.size;
    tell('webhooks', { events, kills, ...outcome, lost, repeated: outcome.delivered - events, underOthers });
    expect({ lost, underOthers, wronglySigned: outcome.wronglySigned }).toEqual({
      lost: 0,
      underOthers: 0,
      wronglySigned: 0,
    });
    expect(outcome.failed / outcome.sent).toBeGreaterThan(isProof ? 0.33 : 0.2);
  },
);
