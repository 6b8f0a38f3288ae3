import { expect, test } from 'vitest';
import type { Db } from '../../../src/db/database.ts';
import { Metering, type UsageWriters } from '../../../src/domain/metering/metering.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, second));
const gone = () => Promise.reject(new Error('the database is gone'));
const writes = ['usage', 'peak', 'uses', 'accesses', 'calls'] as const;

/** A metering whose `failing` write fails for as long as it is named, and all that came of the others. */
function counting() {
  const state = {
    failing: null as (typeof writes)[number] | null,
    slow: null as { write: (typeof writes)[number]; until: Promise<void> } | null,
    usage: 0,
    batches: [] as number[],
    peaks: 0,
    during: () => undefined as void,
  };
  const kept = {
    uses: new Map<string, Date>(),
    accesses: new Map<string, { count: number; lastAt: Date }>(),
    calls: 0,
  };
  const ended = async (write: (typeof writes)[number]) => {
    state.during();
    if (state.slow?.write === write) await state.slow.until;
    return state.failing === write ? gone() : Promise.resolve();
  };
  const db = {
    async $executeRaw(sql: TemplateStringsArray, ...values: unknown[]) {
      const isUsage = sql.join('').includes('INTO usage');
      await ended(isUsage ? 'usage' : 'peak');
      if (!isUsage) state.peaks += 1;
      else {
        const [, batch, , { values: columns }] = values as [string, number, Date, { values: unknown[] }];
        const counts = columns[3] as number[];
        state.batches.push(batch);
        for (const count of counts) state.usage += count;
      }
    },
  } as unknown as Db; // its statements alone are asked, and each must fail in turn
  const usageWriters: UsageWriters = {
    async saveUses(_db, ids, time) {
      await ended('uses');
      for (const id of ids) kept.uses.set(id, time);
    },
    async saveAccesses(_db, accesses) {
      await ended('accesses');
      for (const { memoryId, count, lastAt } of accesses) {
        kept.accesses.set(memoryId, { count: (kept.accesses.get(memoryId)?.count ?? 0) + count, lastAt });
      }
    },
    async saveUserCalls(_db, calls) {
      await ended('calls');
      kept.calls += calls.length;
    },
  };
  return { metering: new Metering({ db, usageWriters, now: () => at(1) }), state, kept };
}

test.each(writes)('when %s cannot be written, all is counted once in the end', async (failing) => {
  const { metering, state, kept } = counting();
  const count = (second: number) => {
    metering.countCall(7n, second < 3 ? 'one key' : 'other key');
    metering.countAccesses(7n, ['bees', 'ducks'], at(second));
    metering.countUserCall(7n, 'ada', at(second));
    metering.noteStorage(7n);
  };
  count(1);
  count(2);
  state.failing = failing;
  let isFirst = true;
  state.during = () => {
    if (isFirst) count(3); // while the flush that will fail is under way
    isFirst = false;
  };
  const write = async (time: Date) => {
    await metering.flush(time);
    await metering.raisePeaks(time);
  };
  await expect(write(at(4))).rejects.toThrow('the database is gone');
  metering.countAccesses(7n, ['geese'], at(5));
  state.failing = null;
  await write(at(6));
  await write(at(9)); // nothing is left
  expect(state.usage).toBe(3);
  expect(state.batches).toEqual([1, 2]);
  expect(state.peaks).toBeGreaterThan(0);
  expect([...kept.uses.keys()].toSorted()).toEqual(['one key', 'other key']);
  expect(Object.fromEntries(kept.accesses)).toEqual({
    bees: { count: 3, lastAt: at(3) },
    ducks: { count: 3, lastAt: at(3) },
    geese: { count: 1, lastAt: at(5) },
  });
  expect(kept.calls).toBeGreaterThan(0);
});

test('a key whose use was written is not written again because something else could not be', async () => {
  const { metering, state, kept } = counting();
  metering.countCall(7n, 'key');
  metering.countAccesses(7n, ['bees'], at(1));
  state.failing = 'accesses';
  await expect(metering.flush(at(2))).rejects.toThrow('the database is gone');
  state.failing = null;
  await metering.flush(at(60));
  expect(kept.uses).toEqual(new Map([['key', at(2)]]));
});

test.each(['peak', 'uses'] as const)('usage is written while %s take long', async (slow) => {
  const { metering, state } = counting();
  metering.countCall(7n, 'key');
  metering.noteStorage(7n);
  await metering.flushUsage();
  let isReached = false;
  let goOn = () => {};
  state.slow = { write: slow, until: new Promise<void>((resolve) => (goOn = resolve)) };
  state.during = () => void (isReached = true);
  const slowly = slow === 'peak' ? metering.raisePeaks(at(2)) : metering.flush(at(2));
  await expect.poll(() => isReached).toBe(true);
  metering.countCall(7n, 'key');
  await metering.flushUsage();
  expect(state.usage).toBe(2);
  goOn();
  await slowly;
});

test('what is held is added up by itself, and not with each flush', async () => {
  const { metering, state } = counting();
  metering.noteStorage(7n);
  await metering.flush(at(2));
  expect(state.peaks).toBe(0);
  await metering.raisePeaks(at(60));
  const raised = state.peaks;
  expect(raised).toBeGreaterThan(0);
  await metering.raisePeaks(at(120)); // nothing came or went
  expect(state.peaks).toBe(raised);
});
