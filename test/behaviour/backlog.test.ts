import { expect, test } from 'vitest';
import { createTelemetry } from '../../src/telemetry.ts';
import { observeQueues } from '../../src/jobs/observe-queues.ts';
import { readBacklog } from '../../src/jobs/queue.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld({});
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const job = { queue: 'purge-instance', instanceNumber: 1n, payload: {} };
const underWay = { runAt: inHours(-9), lockedUntil: inHours(1), attempt: 1 };

test('how much work there is, of each queue, is among the metrics', async () => {
  const { registry } = createTelemetry({ level: 'silent', process: 'test' });
  observeQueues(world.deps.db, { registry });
  await world.deps.db.job.create({ data: { ...job, id: crypto.randomUUID(), ...underWay } });
  await world.deps.db.job.create({ data: { ...job, id: crypto.randomUUID(), runAt: inHours(2) } });
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('presage_job'));
  const told = (name: string, queue: string) => lines.find((line) => line.startsWith(`${name}{queue="${queue}"`))!;
  expect(told('presage_jobs', 'purge-instance')).toMatch(/ 2$/);
  expect(told('presage_job_waiting_seconds', 'purge-instance')).toMatch(/ 0$/); // nobody waits for what is put off
  expect(told('presage_jobs', 'ingest-document')).toMatch(/ 0$/);
});

test('a job waits for as long as it could have been taken, also when its worker died', async () => {
  const undone = new Error('nobody may take it');
  const during = world.deps.db.$transaction(async (tx) => {
    const left = { ...underWay, runAt: inHours(-3), lockedUntil: inHours(-2) };
    await tx.job.create({ data: { ...job, id: crypto.randomUUID(), ...left } });
    await tx.job.create({ data: { ...job, id: crypto.randomUUID(), ...underWay } });
    const backlog = await readBacklog(tx, ['purge-instance']);
    const { waitingSeconds } = backlog.find(({ name }) => name === 'purge-instance')!;
    expect(Math.round(waitingSeconds / 3_600)).toBe(3);
    throw undone;
  });
  await expect(during).rejects.toBe(undone);
});
