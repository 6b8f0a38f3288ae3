import { Gauge } from 'prom-client';
import type { Db } from '../db/database.ts';
import type { Telemetry } from '../telemetry.ts';
import { jobNames } from './jobs.ts';
import { readBacklog, type QueueBacklog } from './queue.ts';

/**
 * Exposes the backlog as metrics, read on each scrape. While the database is away, all other metrics are still told.
 */
export function observeQueues(db: Db, { registry }: Pick<Telemetry, 'registry'>): void {
  let reading: Promise<QueueBacklog[]> | undefined;
  /** One statement for both: metrics are collected side by side. */
  const read = () =>
    (reading ??= readBacklog(db, jobNames)
      .catch(() => [])
      .finally(() => (reading = undefined)));
  const gauge = (name: string, help: string, valueOf: (backlog: QueueBacklog) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        for (const each of backlog) this.set({ queue: each.name }, valueOf(each));
      },
    });
  gauge('presage_jobs', 'Jobs that wait, are under way or are put off, of all processes.', ({ jobs }) => jobs);
  gauge(
    'presage_job_waiting_seconds',
    'How long the job has waited that has been due the longest and is not under way.',
    ({ waitingSeconds }) => waitingSeconds,
  );
}
