import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '../../dependencies.ts';
import { renewJob, retryJob, takeJob, type Job, type QueueName } from '../../db/queue.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Accepted } from '../../domain/ingestion/submit.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import type { Telemetry } from '../../telemetry.ts';
import { failDocument, ingestDocument } from './ingest-document.ts';
import { followVectors } from './follow-vectors.ts';
import { keepConversations } from './keep-conversations.ts';
import { keepVectors } from './keep-vectors.ts';
import { purgeInstance } from './purge-instance.ts';
import { delayOf, reembedInstance } from './reembed-instance.ts';
import { repairVectorsOf } from './repair-vectors.ts';
import { rotateMasterKey } from './rotate-master-key.ts';
import { keepAskingToSweep, sweepInstance } from './sweep-retention.ts';

/** A third of the lease, so that it does not end while its worker lives. */
const renewEveryMs = 5_000;
/** How long a worker that nobody woke waits before it looks for work by itself. */
const lookEveryMs = 1_000;
const attempts = 5;
/** A document at which worker after worker ended without a word is given up: it may be what ends them. */
const mostDeaths = 25;
const firstRetryMs = 200;
/** A job of another region's instance is that region's to do. */
const elsewhereMs = 60_000;

/** What one line of workers does. */
interface Line {
  readonly queue: QueueName;
  run(job: Job, accepted?: Accepted): Promise<void>;
  /** After a try that failed. */
  failed(job: Job, error: unknown): Promise<void>;
  /** Until there may be work, `ms` at most; or until some is handed over, whose job is leased to us. */
  wait(ms: number): Promise<Accepted | undefined>;
}

/** Runs jobs, `concurrency` documents at a time and one job of each other kind, until `signal` is aborted; then finishes those under way. */
export async function runWorker(
  d: Dependencies,
  telemetry: Telemetry,
  { signal, concurrency }: { signal: AbortSignal; concurrency: number },
): Promise<void> {
  setMaxListeners(0, signal); // every line waits for it
  const ingestion: Line = {
    queue: 'ingest-document',
    run: (job, accepted) =>
      job.deaths > mostDeaths
        ? failDocument(d, job, 'its worker ended again and again')
        : telemetry.operation('ingest', () => ingestDocument(d, telemetry, { job, accepted, signal })),
    async failed(job, error) {
      // A store that is away is no fault of the document: it waits until the store is back.
      if (isAway(error)) return retryJob(d.db, job, delayOf(job));
      if (job.attempt < attempts) return retryJob(d.db, job, firstRetryMs * 4 ** (job.attempt - 1));
      await failDocument(d, job, error instanceof DomainError ? error.message : 'an internal error; see the logs');
    },
    wait: (ms) => d.wakeUp.wait(ms, signal),
  };
  /** One at a time, tried until it is done. */
  const upkeep = (queue: QueueName, operation: string, job: (job: Job) => Promise<void>): Line => ({
    queue,
    run: (each) => telemetry.operation(operation, () => job(each)),
    failed: (each) => retryJob(d.db, each, delayOf(each)),
    wait: (ms) => pause(ms, undefined, { signal }).catch(() => undefined),
  });
  const lines = [
    ...Array.from({ length: concurrency }, () => ingestion),
    upkeep('reembed-instance', 'reembed', (job) => reembedInstance(d, telemetry, job, signal)),
    upkeep('follow-vectors', 'follow_vectors', (job) => followVectors(d, job)),
    upkeep('repair-vectors', 'repair_vectors', (job) => repairVectorsOf(d, telemetry, job, signal)),
    upkeep('rotate-master-key', 'rotate', (job) => rotateMasterKey(d, telemetry, job, signal)),
    upkeep('purge-instance', 'purge', (job) => purgeInstance(d, job, signal)),
    upkeep('sweep-retention', 'sweep', (job) => sweepInstance(d, telemetry, job, signal)),
  ];
  await Promise.all([
    ...lines.map((line) => work(d, telemetry, line, signal)),
    keepVectors(d, telemetry, signal),
    keepConversations(d, telemetry, signal),
    keepAskingToSweep(d, telemetry, signal),
  ]);
}

const isAway = (error: unknown) => error instanceof DomainError && error.code === 'unavailable';

async function work(d: Dependencies, telemetry: Telemetry, line: Line, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const job = await takeJob(d.db, line.queue);
      const lookAt = performance.now() + lookEveryMs;
      if (job) await run(d, telemetry, line, { job }, signal);
      else
        for (let given; (given = await line.wait(lookAt - performance.now()));)
          await run(d, telemetry, line, given, signal);
    } catch (error) {
      telemetry.log.error({ error }, 'the worker could not look for jobs');
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function run(
  d: Dependencies,
  telemetry: Telemetry,
  line: Line,
  given: Accepted | { readonly job: Job },
  signal: AbortSignal,
): Promise<void> {
  const { job } = given;
  const lease = setInterval(() => void renewJob(d.db, job).catch(() => undefined), renewEveryMs);
  const told = { job: job.id, queue: job.queue, attempt: job.attempt, instance: instanceIdOf(job.i) };
  try {
    await line.run(job, 'work' in given ? given : undefined);
  } catch (error) {
    if (signal.aborted) return await retryJob(d.db, job, 0); // stopped, not failed
    if (error instanceof DomainError && error.code === 'misdirected') return await retryJob(d.db, job, elsewhereMs);
    telemetry.log[isAway(error) ? 'warn' : 'error']({ ...told, error }, 'a job failed');
    await line.failed(job, error);
  } finally {
    clearInterval(lease);
  }
}
