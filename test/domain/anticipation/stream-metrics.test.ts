import { describe, expect, test } from 'vitest';
import type { AnticipatedMemory, Signal, Update } from '../../../src/domain/anticipation/stream-messages.ts';
import {
  streamStatisticsOf,
  storedMetricName,
  durationMetricNames,
  type StreamMetrics,
} from '../../../src/domain/anticipation/stream-statistics.ts';
import { ResumableSessions } from '../../../src/domain/anticipation/resumable-sessions.ts';
import { HeldMemories } from '../../../src/domain/anticipation/held-memories.ts';
import { SubscriptionRegistry } from '../../../src/domain/anticipation/subscription-registry.ts';
import {
  anticipateWithMetrics,
  type StreamMetricsDependencies,
} from '../../../src/domain/anticipation/anticipate-with-metrics.ts';
import type { ReadVersions } from '../../../src/domain/invalidation/invalidation.ts';
import { readVersionsOf } from '../../../src/domain/tenancy/access.ts';
import { onlyOwner, oneProcess } from '../../support/one-process.ts';

const start: Signal = { kind: 'session-start', session: { userId: 'ada' } };
const says = (content: string, role = 'user'): Signal => ({ kind: 'message', role, content });
const typing = (content: string): Signal => ({ kind: 'partial-message', role: 'user', content });
const used = (...memoryIds: string[]): Signal => ({ kind: 'context-used', memoryIds });

describe('coverage', () => {
  test.each([
    {
      case: 'what was in the bundle before the message counts',
      told: [typing('m1'), says('m1'), used('m1')],
      coverage: 1,
    },
    { case: 'what the message itself brought was not', told: [says('m1'), used('m1')], coverage: 0 },
    { case: 'what was never sent was not', told: [says('m1'), used('m9')], coverage: 0 },
    {
      case: "what the agent's own words brought stood before the next message",
      told: [says('m1', 'assistant'), says('m2'), used('m1', 'm2')],
      coverage: 1 / 2,
    },
    {
      case: 'a memory counts once for a message, and again for the next',
      told: [says('m1'), used('m1'), used('m1'), says('m1'), used('m1')],
      coverage: 1 / 2,
    },
    { case: 'without a message, what is in the bundle counts', told: [typing('m1'), used('m1')], coverage: 1 },
    { case: 'nothing reported, nothing said', told: [says('m1')], coverage: null },
  ])('$case', async ({ told, coverage }) => expect((await figuresAfter(start, ...told)).coverage).toBe(coverage));
});

describe('precision', () => {
  test('is the share of what was sent that was used later, each memory once', async () => {
    const figures = await figuresAfter(start, says('m1 m2'), used('m1'), says('m1 m2 m3 m4'), used('m1', 'm9'));
    expect(figures).toMatchObject({ pushed: 4, useful: 1, precision: 1 / 4 });
  });

  test('of tokens, tells what was sent in vain', async () => {
    const { pushedTokens, wastedTokens } = await figuresAfter(start, says('m1 m2'), used('m1'));
    expect(pushedTokens).toBe(6); // three of each
    expect(wastedTokens).toBe(3);
  });
});

test('the time at hand runs from the first bundle with a memory, and is told only of what was used from the bundle', async () => {
  const { leadTime } = await figuresAfter(start, typing('m1'), says('m1 m2'), used('m1', 'm2'));
  expect(leadTime).toMatchObject({ count: 1, p50: 1_000, p99: 1_000 });
});

test('each bundle is timed from the signal that it answers, and a silent brief is none', async () => {
  const { latency, bundles, streams } = await figuresAfter(start, says('m1'), typing('m2'), says('m2'));
  expect({ bundles, streams, timed: latency.count }).toEqual({ bundles: 3, streams: 1, timed: 3 });
});

test('times spread over bounds, and those above the last count for it', () => {
  const counts = new Map<string, number>();
  const add = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const ms of [1, 4, 5, 6, 12_000]) {
    add(durationMetricNames('latency', ms).bound, 1);
    add(durationMetricNames('latency', ms).sum, ms);
  }
  const { latency } = streamStatisticsOf(counts);
  expect(latency).toEqual({ count: 5, mean: 12_016 / 5, p50: 5, p95: 10_000, p99: 10_000 });
});

test.each([
  { case: 'the last check keeps it back', isChecked: true, staleServes: 0, stalePrevented: 1 },
  { case: 'without that check it goes out, and is told', isChecked: false, staleServes: 1, stalePrevented: 0 },
])(
  'of a memory that is withdrawn while the next bundle is chosen: $case',
  async ({ isChecked, staleServes, stalePrevented }) => {
    const counts = new Map<string, number>();
    const subscriptions = new SubscriptionRegistry(async () => []); // nothing holds any more
    const invalidation = {
      ...oneProcess().invalidation,
      isCurrent: (of: ReadVersions) => !isChecked || !isOver || of === afterwards,
    };
    const afterwards: ReadVersions = { instanceNumber: 1n, revisions: new Map() };
    let isOver = false;
    let go: (() => void) | undefined;
    const choosing = new Promise<void>((resolve) => (go = resolve));
    const stream = watched(metricsInto(counts), waitingAfter(start, says('m1'), typing('m1 and')), {
      subscriptions,
      invalidation,
      recheck: async () => ({ memories: [], totalTokens: 0, asOf: afterwards }),
      chosen: (text) => (text === 'm1 and' ? choosing : undefined),
    });
    expect(await stream.next()).toMatchObject({ value: { kind: 'bundle', memories: [{ id: 'm1' }] } });
    await subscriptions.onInvalidated(1n, [onlyOwner.ownerNo]);
    isOver = true;
    expect(await stream.next()).toMatchObject({ value: { kind: 'withdrawal', memoryIds: ['m1'] } });
    go?.();
    expect(await stream.next()).toMatchObject({ value: { kind: 'bundle' } });
    await stream.return();
    expect(streamStatisticsOf(counts)).toMatchObject({ staleServes, stalePrevented, withdrawals: 1 });
  },
);

test('streams are open until their reader leaves', async () => {
  const open = { now: 0 };
  const streamMetrics = { ...metricsInto(new Map()), opened: () => (open.now += 1), closed: () => (open.now -= 1) };
  const stream = watched(streamMetrics, waitingAfter(start, says('m1')));
  expect(await stream.next()).toMatchObject({ value: { kind: 'bundle' } });
  expect(open.now).toBe(1);
  await stream.return();
  expect(open.now).toBe(0);
});

/** What is counted when each signal waits for the answer to the one before. */
async function figuresAfter(...signals: Signal[]) {
  const counts = new Map<string, number>();
  let answered: (() => void) | undefined;
  async function* inTurn() {
    for (const signal of signals) {
      const brings = signal.kind === 'message' || signal.kind === 'partial-message';
      const answer = new Promise<void>((resolve) => (answered = resolve));
      yield signal;
      if (brings) await answer;
    }
  }
  for await (const update of watched(metricsInto(counts), inTurn())) if (update.kind === 'bundle') answered?.();
  return streamStatisticsOf(counts);
}

/** A store in which words match the memories that they name, once they are `chosen`. */
function watched(
  streamMetrics: StreamMetrics,
  signals: AsyncIterable<Signal>,
  {
    chosen,
    ...more
  }: Partial<StreamMetricsDependencies> & { chosen?: (text: string) => Promise<void> | undefined } = {},
): AsyncGenerator<Update, void, undefined> {
  let bundles = 0;
  const process = oneProcess();
  const d: StreamMetricsDependencies = {
    ...process,
    streamMetrics,
    sessions: new ResumableSessions(),
    held: new HeldMemories(),
    observers: [],
    predict: async (reader, { window, watch }) => {
      await watch({ ...reader, readableOwners: [onlyOwner] });
      const text = window.asked?.text ?? window.heard.at(-1)?.text ?? '';
      await chosen?.(text);
      const named = text.match(/m\d/g) ?? [];
      const memories = named.map(
        (id) =>
          ({
            id,
            uuid: id,
            ownerNo: onlyOwner.ownerNo,
            contentVersion: 0,
            content: `memory ${id}`,
            tokens: 3,
          }) as AnticipatedMemory,
      );
      return { memories, totalTokens: 0, gone: [], asOf: readVersionsOf(reader) };
    },
    learn: async (_, { memoryIds }) => memoryIds,
    reauthenticate: async () => process.access(),
    newBundleId: () => `bun_${(bundles += 1)}`,
    ...more,
  };
  return anticipateWithMetrics(d, process.access(), signals, AbortSignal.timeout(5_000));
}

async function* waitingAfter(...signals: Signal[]) {
  yield* signals;
  await new Promise(() => undefined);
}

function metricsInto(counts: Map<string, number>): StreamMetrics {
  const add = (name: string, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by);
  return {
    count: (_, counter, by) => add(storedMetricName(counter), by),
    recordDuration(_, duration, ms) {
      add(durationMetricNames(duration, ms).bound);
      add(durationMetricNames(duration, ms).sum, ms);
    },
    recordSignal: () => undefined,
    opened: () => undefined,
    closed: () => undefined,
  };
}
