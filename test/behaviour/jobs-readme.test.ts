import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobs } from '../../src/jobs/jobs.ts';
import { periodicTasks } from '../../src/jobs/periodic/periodic-tasks.ts';
import type { JobDefinition } from '../../src/jobs/job.ts';

const readme = readFileSync(new URL('../../src/jobs/README.md', import.meta.url), 'utf8');
/** The formatter fills the cells of a table with spaces. */
const unaligned = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');
const table = (...rows: string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const duration = (ms: number) => (ms < 1_000 ? `${ms} ms` : ms < 3_600_000 ? `${ms / 1_000} s` : `${ms / 3_600_000} h`);
const orNever = (times: number) => (Number.isFinite(times) ? String(times) : 'never given up');

function rowOf({ name, description, payload, retry, runsInParallel }: JobDefinition): string[] {
  const { firstMs, factor, maxMs } = retry.backoff;
  return [
    `\`${name}\``,
    description,
    Object.keys(payload.shape)
      .map((field) => `\`${field}\``)
      .join(', ') || 'none',
    orNever(retry.maxAttempts),
    orNever(retry.maxWorkerCrashes),
    `${duration(firstMs)}, × ${factor}, up to ${duration(maxMs)}`,
    runsInParallel ? 'several' : 'one',
  ];
}

test('the README of the jobs shows each of them with its policies', () => {
  const heads = ['job', 'does', 'payload', 'attempts', 'worker crashes', 'backoff', 'at a time in a worker'];
  expect(unaligned(readme)).toContain(
    unaligned(
      table(
        heads,
        heads.map(() => '-'),
        ...jobs.map(rowOf),
      ),
    ),
  );
});

test('the README of the jobs shows each periodic task', () => {
  const rows = periodicTasks.map(({ name, description, everyMs }) => [`\`${name}\``, description, duration(everyMs)]);
  expect(unaligned(readme)).toContain(unaligned(table(['task', 'does', 'every'], ['-', '-', '-'], ...rows)));
});

test('a job that may be given up says so where its caller looks', () => {
  const endsUp = (job: JobDefinition) =>
    Number.isFinite(job.retry.maxAttempts) || Number.isFinite(job.retry.maxWorkerCrashes);
  for (const job of jobs) expect([job.name, 'deadLetter' in job]).toEqual([job.name, endsUp(job)]);
});

test('each job has a name and an operation of its own', () => {
  for (const key of ['name', 'operation'] as const) {
    const values = jobs.map((job) => job[key]);
    expect(values).toEqual([...new Set<string>(values)]);
  }
});
