import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from 'async-mutex';
import type { Dependencies } from '../../dependencies.ts';
import { hasSuspected, renewJob, retryJob, takeJob, type Job, type QueueName } from '../../db/queue.ts';
import { DomainError } from '../../domain/errors.ts';
import { unlessAborted } from '../../domain/flow/unless-aborted.ts';
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
import { sealInstance } from './seal-clear-text.ts';
import { keepAskingToSweep, sweepInstance } from './sweep-retention.ts';

/** A third of the lease, so that it does not end while its worker lives. */
const renewEveryMs = 5_000;
/** How long a worker that nobody woke waits before it looks for work by itself. */
const lookEveryMs = 1_000;
const attempts = 5;
/** A stopping worker finishes what takes no longer; the rest is handed back, and begun again by another. */
const finishWithinMs = 2_000;
/** A document at which so many workers ended without a word is given up: it is what ends them. */
const mostDeaths = 3;
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
  /** Only jobs that a worker died at, or only the others. Default: any. */
  readonly suspected?: boolean;
  /** Runs what takes a job, or waits for one, beside the other lines as far as they may run beside each other. */
  together<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs jobs, `concurrency` documents at a time and one job of each other kind, until `signal` is aborted; then finishes
 * those under way. A document at which a worker died is tried alone, so that no other is under suspicion with it.
 */
export async function runWorker(
  d: Dependencies,
  telemetry: Telemetry,
  { signal, concurrency }: { signal: AbortSignal; concurrency: number },
): Promise<void> {
  const stopping = { asked: signal, overdue: afterwards(signal, finishWithinMs) };
  setMaxListeners(0, signal, stopping.overdue); // every line waits for them
  const inTurn = new Semaphore(concurrency);
  const ingestion: Line = {
    queue: 'ingest-document',
    async run(job, accepted) {
      if (job.deaths < mostDeaths)
        return telemetry.operation('ingest', () => ingestDocument(d, telemetry, { job, accepted, signal }));
      telemetry.log.error(
        { job: job.id, instance: instanceIdOf(job.i), deaths: job.deaths },
        'a document was given up',
      );
      return failDocument(d, job, `given up: ${job.deaths} times the process that read it ended meanwhile`);
    },
    async failed(job, error) {
      // A store that is away is no fault of the document: it waits until the store is back.
      if (isAway(error)) return retryJob(d.db, job, delayOf(job));
      if (job.attempt < attempts) return retryJob(d.db, job, firstRetryMs * 4 ** (job.attempt - 1));
      await failDocument(d, job, error instanceof DomainError ? error.message : 'an internal error; see the logs');
    },
    wait: (ms) => d.wakeUp.wait(ms, signal),
    suspected: false,
    together: (work) => inTurn.runExclusive(work, 1),
  };
  /** One at a time, tried until it is done. */
  const upkeep = (queue: QueueName, operation: string, job: (job: Job) => Promise<void>): Line => ({
    queue,
    run: (each) => telemetry.operation(operation, () => job(each)),
    failed: (each) => retryJob(d.db, each, delayOf(each)),
    wait: (ms) => pause(ms, undefined, { signal }).catch(() => undefined),
    together: (work) => work(),
  });
  const lines = [
    ...Array.from({ length: concurrency }, () => ingestion),
    upkeep('reembed-instance', 'reembed', (job) => reembedInstance(d, telemetry, job, signal)),
    upkeep('follow-vectors', 'follow_vectors', (job) => followVectors(d, job)),
    upkeep('repair-vectors', 'repair_vectors', (job) => repairVectorsOf(d, telemetry, job, signal)),
    upkeep('rotate-master-key', 'rotate', (job) => rotateMasterKey(d, telemetry, job, signal)),
    upkeep('purge-instance', 'purge', (job) => purgeInstance(d, job, signal)),
    upkeep('sweep-retention', 'sweep', (job) => sweepInstance(d, telemetry, job, signal)),
    upkeep('seal-clear-text', 'seal', (job) => sealInstance(d, telemetry, job, signal)),
  ];
  await Promise.all([
    ...lines.map((line) => work(d, telemetry, line, stopping)),
    keepLooking(telemetry, signal, async () => {
      if (!(await hasSuspected(d.db, ingestion.queue))) await pause(lookEveryMs, undefined, { signal });
      else
        await inTurn.runExclusive(async () => {
          const job = await takeJob(d.db, ingestion.queue, { suspected: true });
          if (job) await run(d, telemetry, ingestion, { job }, stopping);
        }, concurrency);
    }),
    keepVectors(d, telemetry, signal),
    keepConversations(d, telemetry, signal),
    keepAskingToSweep(d, telemetry, signal),
  ]);
}

const isAway = (error: unknown) => error instanceof DomainError && error.code === 'unavailable';

/** Aborted when the worker is to take no more jobs, and when those under way are to be handed back. */
interface Stopping {
  readonly asked: AbortSignal;
  readonly overdue: AbortSignal;
}

/** Aborted `ms` after `signal` is. */
function afterwards(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const abort = () => later.abort(new Error('the worker stops, and the job takes longer'));
  signal.addEventListener('abort', () => setTimeout(abort, ms).unref(), { once: true });
  return later.signal;
}

const work = (d: Dependencies, telemetry: Telemetry, line: Line, stopping: Stopping): Promise<void> =>
  keepLooking(telemetry, stopping.asked, () =>
    line.together(async () => {
      const job = await takeJob(d.db, line.queue, { suspected: line.suspected });
      const lookAt = performance.now() + lookEveryMs;
      if (job) await run(d, telemetry, line, { job }, stopping);
      else
        for (let given; (given = await line.wait(lookAt - performance.now()));)
          await run(d, telemetry, line, given, stopping);
    }),
  );

/** Looks for work again and again until `signal` is aborted; logs what goes wrong while looking. */
async function keepLooking(telemetry: Telemetry, signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      if (signal.aborted) return;
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
  stopping: Stopping,
): Promise<void> {
  const { job } = given;
  const lease = setInterval(() => void renewJob(d.db, job).catch(() => undefined), renewEveryMs);
  const told = { job: job.id, queue: job.queue, attempt: job.attempt, instance: instanceIdOf(job.i) };
  try {
    // An abandoned run that stores something later has that rolled back: the job is another attempt by then.
    await unlessAborted(line.run(job, 'work' in given ? given : undefined), stopping.overdue);
  } catch (error) {
    if (stopping.asked.aborted) return await retryJob(d.db, job, 0); // stopped, not failed
    if (error instanceof DomainError && error.code === 'misdirected') return await retryJob(d.db, job, elsewhereMs);
    telemetry.log[isAway(error) ? 'warn' : 'error']({ ...told, error }, 'a job failed');
    await line.failed(job, error);
  } finally {
    clearInterval(lease);
  }
}
