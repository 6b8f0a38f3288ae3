import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Presage } from '../dist/index.js';
import { failingFront, startService, type FailingFront, type Service } from './support/service.ts';

let service: Service;
let front: FailingFront;
let memory: Presage;
beforeAll(async () => {
  service = await startService();
  front = await failingFront(service.url);
  memory = new Presage({ apiKey: service.key, baseUrl: service.url });
}, 300_000);
afterAll(async () => {
  await front.stop();
  await service.stop();
});

/** A second of the client takes so many milliseconds: with PROOF=full it is a second. */
const secondMs = process.env['PROOF'] === 'full' ? 1_000 : 50;
const shaky = () =>
  new Presage({
    apiKey: service.key,
    baseUrl: front.url,
    clock: { random: Math.random, pause: (ms) => pause((ms / 1_000) * secondMs) },
  });

const places = ['Leeds', 'York', 'Bath', 'Hull', 'Ripon', 'Derby', 'Truro', 'Wells'];

/** Writes of every kind at once, each of which tells its place. */
async function writeAll(client: Presage, user_id: string): Promise<void> {
  await Promise.all(
    places.map(async (place, n) => {
      const conversation_id = `c-${user_id}-${n}`;
      await client.remember(`I went to ${place} on holiday.`, { user_id });
      await client.conversations.say(
        conversation_id,
        { role: 'user', content: `And ${place} was sunny.` },
        { user_id },
      );
    }),
  );
  await client.rememberAll([{ document: 'I keep bees.', user_id, document_id: `batch-${user_id}` }]);
}

async function expectEachOnce(user_id: string): Promise<void> {
  for (const [n] of places.entries())
    expect((await memory.conversations.get(`c-${user_id}-${n}`)).message_count).toBe(1);
  const about = async (place: string) => {
    const { data } = await memory.memories.list({ user_id, limit: 100 });
    return data.filter(({ content }) => content.includes(`${place} on holiday`));
  };
  for (const place of places) {
    // Where the service is busy, a write is answered before it has become memories.
    await expect.poll(async () => (await about(place)).length).toBeGreaterThan(0);
    const own = await about(place);
    expect(new Set(own.flatMap(({ evidence }) => evidence.map((each) => each.document_id))).size).toBe(1);
  }
}

describe('no write is lost and none is done twice', () => {
  test('in a storm of 429, half of them answers to what was done', async () => {
    const user_id = 'storm-1';
    await front.tell('busy 20');
    await writeAll(shaky(), user_id);
    expect(await front.tell('busy 0')).toBeGreaterThanOrEqual(20);
    await expectEachOnce(user_id);
  });

  test('while the service is unavailable for ten seconds, and does half of what it refuses', async () => {
    const user_id = 'outage-1';
    const before = await front.tell(`unavailable ${10 * secondMs}`);
    await writeAll(shaky(), user_id);
    expect(await front.tell('unavailable 0')).toBeGreaterThan(before);
    await expectEachOnce(user_id);
  });
});
