import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '../../dependencies.ts';
import { renewJob, retryJob, takeJob, type Job } from '../../db/queue.ts';
import { DomainError } from '../../domain/errors.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import type { Telemetry } from '../../telemetry.ts';
import { failDocument, ingestDocument } from './ingest-document.ts';

const leaseMs = 60_000;
const renewEveryMs = 20_000;
/** How long a worker that nobody woke waits before it looks for work by itself. */
const lookEveryMs = 1_000;
const attempts = 5;
const firstRetryMs = 200;

/** Runs jobs, `concurrency` at a time, until `signal` is aborted; then finishes those under way. */
export async function runWorker(
  d: Dependencies,
  telemetry: Telemetry,
  { signal, concurrency }: { signal: AbortSignal; concurrency: number },
): Promise<void> {
  await Promise.all(Array.from({ length: concurrency }, () => work(d, telemetry, signal)));
}

async function work(d: Dependencies, telemetry: Telemetry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const job = await takeJob(d.db, 'ingest-document', leaseMs);
      if (job) await run(d, telemetry, job);
      else await d.wakeUp.wait(lookEveryMs, signal);
    } catch (error) {
      telemetry.log.error({ error }, 'the worker could not look for jobs');
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function run(d: Dependencies, telemetry: Telemetry, job: Job): Promise<void> {
  const lease = setInterval(() => void renewJob(d.db, job, leaseMs).catch(() => undefined), renewEveryMs);
  const told = { job: job.id, queue: job.queue, attempt: job.attempt, instance: instanceIdOf(job.i) };
  try {
    await telemetry.operation('ingest', () => ingestDocument(d, telemetry, job));
  } catch (error) {
    telemetry.log.error({ ...told, error }, 'a job failed');
    if (job.attempt < attempts) await retryJob(d.db, job, firstRetryMs * 4 ** (job.attempt - 1));
    else await failDocument(d, job, error instanceof DomainError ? error.message : 'an internal error; see the logs');
  } finally {
    clearInterval(lease);
  }
}
