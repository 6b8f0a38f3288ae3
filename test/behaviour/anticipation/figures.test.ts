import { expect, test } from 'vitest';
import type { Signal } from '../../../src/domain/anticipation/stream-messages.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { openDoors } from '../../support/open-doors.ts';
import { day } from '../../support/person.ts';

const doors = openDoors();
const { world } = doors;

const query = `query ($from: DateTime, $to: DateTime) { instance { anticipation(from: $from, to: $to) {
  total { ...figures } days { day figures { ...figures } }
} } }
fragment figures on AnticipationMetrics {
  coverage precision used usedFromBundle pushed useful pushedTokens wastedTokens streams bundles staleServes
  leadTime { count p50 } latency { count mean p50 p99 }
}`;
const start: Signal = { kind: 'session-start', session: { userId: 'ada' } };

/** Ada is about to ask for her passport; the agent reports that it used the memory of it. */
async function asksForHerPassport(access: Access): Promise<void> {
  let taken = () => {};
  async function* signals(): AsyncGenerator<Signal> {
    const [wanted] = (await world.app.memories(access, { q: 'passport' }, { limit: 1 })).data;
    yield start;
    for (const kind of ['partial-message', 'message'] as const) {
      const answered = new Promise<void>((resolve) => (taken = resolve));
      yield { kind, role: 'user', content: 'Where did I put my passport?' };
      await answered;
    }
    yield { kind: 'context-used', memoryIds: [wanted!.id, 'mem_01m74wy5y5eh5rxsp5y91d0ahp'] };
  }
  for await (const update of world.app.anticipate(access, signals(), AbortSignal.timeout(20_000))) {
    if (update.kind === 'bundle') taken();
  }
}

test('an instance is told how well its streams foresaw, by days, and nobody else is', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  await asksForHerPassport(access);
  const { anticipation } = (await doors.ask(key, query)).json().data.instance;
  expect(anticipation.total).toMatchObject({
    coverage: 1, // what is no memory of hers counts for nothing
    used: 1,
    usedFromBundle: 1,
    useful: 1,
    streams: 1,
    staleServes: 0,
    leadTime: { count: 1 },
  });
  const { pushed, precision, pushedTokens, wastedTokens, latency, bundles } = anticipation.total;
  expect(bundles).toBeGreaterThanOrEqual(2); // the first words may come in time for a bundle at the start
  expect(latency.count).toBe(bundles);
  expect(precision).toBe(1 / pushed);
  expect(pushedTokens).toBeGreaterThan(wastedTokens);
  expect(latency.mean).toBeGreaterThan(0);
  expect(anticipation.days).toEqual([{ day: expect.stringContaining('T00:00:00'), figures: anticipation.total }]);

  const other = await world.instance();
  const told = (await doors.ask(other.key, query)).json().data.instance.anticipation;
  expect(told).toMatchObject({ total: { coverage: null, precision: null, pushed: 0 }, days: [] });
});

test.each([
  { case: 'days in the wrong order', from: '2026-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' },
  { case: 'more than a year', from: '2024-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' },
])('refuses $case, by name', async ({ from, to }) => {
  const { key } = await world.instance();
  const { errors } = (await doors.ask(key, query, { from, to })).json();
  expect(errors[0]).toMatchObject({ message: expect.stringContaining('from'), extensions: { code: 'invalid_input' } });
});

test('the process tells its operators the same, and no instance from another', async () => {
  const { access, id } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('My passport is in the blue drawer of the desk.', day(1));
  await asksForHerPassport(access);
  const told = await world.registry.metrics();
  for (const name of ['used', 'used_from_bundle', 'pushed_tokens', 'bundles', 'streams']) {
    expect(told).toMatch(new RegExp(`^presage_anticipation_${name}_total\\{process="test"\\} [1-9]`, 'm'));
  }
  expect(told).toMatch(/^presage_anticipation_stale_serves_total\{process="test"\} 0$/m);
  expect(told).toMatch(/^presage_anticipation_latency_seconds_count\{process="test"\} [1-9]/m);
  expect(told).toMatch(/^presage_anticipation_open_streams\{process="test"\} 0$/m);
  expect(told).not.toContain(id);
});
