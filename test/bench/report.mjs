import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { percentile } from './measure.mjs';

const head = ['milliseconds', 'n', 'p50', 'p95', 'p99', 'budget', '', '× bare p50', 'p95', 'max', ''];

/**
 * One line a measurement: its name, its times, the times of the bare store beside which it was measured, a budget for
 * its p95, and how many times the bare store's p50 its own may be at most. Returns the table and the names of those over their budget.
 */
export function tableOf(measurements) {
  const broken = [];
  const lines = measurements.map(({ name, times, beside, budget, max }) => {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share));
    const isOver = budget !== undefined && p95 >= budget;
    if (isOver) broken.push(name);
    const ratios = ratiosOf(times, beside);
    const isMore = max !== undefined && ratios[0] > max;
    if (isMore) broken.push(`${name}, beside the bare store`);
    return [
      name,
      String(times.length),
      ...[p50, p95, p99].map((ms) => ms.toFixed(1)),
      budget === undefined ? '' : `p95 < ${budget}`,
      budget === undefined ? '' : isOver ? 'BROKEN' : 'ok',
      ...[0, 1].map((n) => ratios[n]?.toFixed(2) ?? ''),
      max === undefined ? '' : `<= ${max}`,
      max === undefined ? '' : isMore ? 'BROKEN' : 'ok',
    ];
  });
  return { table: aligned([head, ...lines]), broken };
}

const ratiosOf = (times, beside) =>
  beside ? [0.5, 0.95].map((share) => percentile(times, share) / percentile(beside, share)) : [];

/** One line for programs. */
export function resultLine(measurements, broken) {
  const rows = measurements.map(({ name, times, beside }) => {
    const [p50, p95] = [0.5, 0.95].map((share) => Number(percentile(times, share).toFixed(2)));
    return {
      name: name.trim(),
      n: times.length,
      p50,
      p95,
      ratios: ratiosOf(times, beside).map((each) => Number(each.toFixed(2))),
    };
  });
  return `RESULT bench ${JSON.stringify({ rows, broken })}`;
}

function aligned(rows) {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const cell = (text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]));
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}

/** Where and of what this was measured. */
export function machineLine() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  let commit = 'no commit';
  try {
    commit =
      git('rev-parse', '--short', 'HEAD') +
      (git('status', '--porcelain', 'src', 'package.json') ? ' with changes' : '');
  } catch {
    // not a checkout
  }
  const load = loadavg().map((each) => each.toFixed(1));
  return `${availableParallelism()} cores (${cpus()[0]?.model}), Node ${process.version}, load ${load.join(' ')}, commit ${commit}`;
}
