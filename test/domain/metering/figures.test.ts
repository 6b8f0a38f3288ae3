import { expect, test } from 'vitest';
import { OperationStatistics } from '../../../src/domain/metering/operation-statistics.ts';

/** The same numbers each time, from 0 to 1. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const random = numbers(20_261_124);
const uniform = () => random.next().value;
/** Most of 2 to 20 ms, and one of fifty a hundred times as long. */
const latency = () =>
  Math.exp(1.5 + 0.8 * (uniform() + uniform() + uniform() - 1.5) * 2) * (uniform() < 0.02 ? 100 : 1);

test('percentiles of 100,000 latencies of two processes differ from the sorted list by less than 1 %', () => {
  const all: number[] = [];
  const processes = [new OperationStatistics(), new OperationStatistics()];
  const written = [];
  for (let n = 0; n < 100_000; n++) {
    const ms = latency();
    all.push(ms);
    processes[n % 2]!.add({ ms, items: 3 });
    if (n % 5_000 > 1) continue;
    written.push(processes[n % 2]!.toRow()); // as rows, again and again, like a process does
    processes[n % 2] = new OperationStatistics();
  }
  const read = new OperationStatistics();
  for (const row of [...written, ...processes.map((each) => each.toRow())]) read.addRow(row);
  const sorted = all.toSorted((one, other) => one - other);
  const { count, items, max, ...summary } = read.summary();
  expect([count, items]).toEqual([100_000, 300_000]);
  expect(max).toBeCloseTo(sorted.at(-1)!, 0);
  for (const [percentile, told] of [
    [0.5, summary.p50],
    [0.9, summary.p90],
    [0.95, summary.p95],
    [0.99, summary.p99],
  ] as const) {
    const exact = sorted[Math.ceil(percentile * sorted.length) - 1]!;
    expect(Math.abs(told! - exact) / exact).toBeLessThan(0.01);
  }
});

test('what failed is counted and not timed, and nothing is said of the time of nothing', () => {
  const figures = new OperationStatistics();
  figures.add({ ms: 7, isError: true });
  const row = figures.toRow();
  expect(row.sketch).toBeNull();
  const read = new OperationStatistics();
  read.addRow(row);
  expect(read.summary()).toMatchObject({ count: 1, errors: 1, p50: null, p99: null, max: null });
});

test('a row is as large as its times are apart, and grows no more however often it is read and written', () => {
  let row = new OperationStatistics().toRow();
  for (let n = 0; n < 200; n++) {
    const figures = new OperationStatistics();
    figures.add({ ms: 5 + (n % 20) });
    figures.addRow(row);
    row = figures.toRow();
  }
  expect(row.count).toBe(200);
  expect(row.sketch!.length).toBeLessThan(2_000);
});
