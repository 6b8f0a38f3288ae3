import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Semaphore } from 'async-mutex';
import type { Dependencies } from '../dependencies.ts';
import type { AcceptedDocument } from '../domain/ingestion/accept-document.ts';
import type { Telemetry } from '../telemetry.ts';
import type { JobDefinition } from './job.ts';
import { jobs } from './jobs.ts';
import { periodicTasks } from './periodic/periodic-tasks.ts';
import { repeatTask } from './periodic/periodic-task.ts';
import { hasDueCrashedJob, leaseJob } from './queue.ts';
import { runJob, type JobRun } from './run-job.ts';

/** A worker that nobody woke polls for work at this interval. */
const lookEveryMs = 1_000;
/** A stopping worker finishes what takes no longer; the rest is handed back, and begun again by another. */
const finishWithinMs = 2_000;

/** Leases jobs of one definition and runs them, one after the other. */
interface Lane extends Pick<JobRun, 'deps' | 'telemetry' | 'stopping'> {
  readonly definition: JobDefinition;
  /** Only jobs at which a worker crashed, or only the others. Default: any. */
  readonly hadCrash?: boolean;
  /** Until there may be work, `ms` at most; or until some is handed over, whose job is leased to us. */
  wait(ms: number): Promise<AcceptedDocument | undefined>;
  /** Runs what leases a job, or waits for one, beside the other lanes as far as they may run beside each other. */
  together<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs jobs until `signal` is aborted, `concurrency` at a time of those that run in parallel and one of each other; then
 * finishes those under way.
 */
export async function runWorker(
  deps: Dependencies,
  telemetry: Telemetry,
  { signal, concurrency }: { signal: AbortSignal; concurrency: number },
): Promise<void> {
  const stopping = { asked: signal, overdue: afterwards(signal, finishWithinMs) };
  setMaxListeners(0, signal, stopping.overdue); // every lane waits for them
  const worker = { deps, telemetry, stopping };
  await Promise.all([
    ...jobs.flatMap((definition) =>
      definition.runsInParallel
        ? parallelLanes(worker, definition, concurrency)
        : [lookInto(oneLane(worker, definition))],
    ),
    ...periodicTasks.map((task) => repeatTask(task, deps, telemetry, signal)),
  ]);
}

type Worker = Pick<Lane, 'deps' | 'telemetry' | 'stopping'>;

const oneLane = (worker: Worker, definition: Lane['definition']): Lane => ({
  ...worker,
  definition,
  wait: (ms) => pause(ms, undefined, { signal: worker.stopping.asked }).catch(() => undefined),
  together: (work) => work(),
});

/** A job at which a worker crashed is tried alone, so that no other job counts the next crash. */
function parallelLanes(worker: Worker, definition: Lane['definition'], concurrency: number): Promise<void>[] {
  const { deps, stopping } = worker;
  const inTurn = new Semaphore(concurrency);
  const lane: Lane = {
    ...worker,
    definition,
    wait: (ms) => deps.wakeUp.wait(ms, stopping.asked),
    hadCrash: false,
    together: (work) => inTurn.runExclusive(work, 1),
  };
  const alone: Lane = { ...lane, hadCrash: true, together: (work) => inTurn.runExclusive(work, concurrency) };
  return [...Array.from({ length: concurrency }, () => lookInto(lane)), lookForCrashed(alone)];
}

const lookInto = (lane: Lane): Promise<void> =>
  keepLooking(lane, () =>
    lane.together(async () => {
      const lookAt = performance.now() + lookEveryMs;
      if (await runNext(lane)) return;
      for (let input; (input = await lane.wait(lookAt - performance.now()));)
        await runJob({ ...lane, job: input.job, handedOver: input });
    }),
  );

const lookForCrashed = (lane: Lane): Promise<void> =>
  keepLooking(lane, async () => {
    if (await hasDueCrashedJob(lane.deps.db, lane.definition.name)) await lane.together(() => runNext(lane));
    else await pause(lookEveryMs, undefined, { signal: lane.stopping.asked });
  });

/** False when no job is due. */
async function runNext(lane: Lane): Promise<boolean> {
  const job = await leaseJob(lane.deps.db, lane.definition.name, { hadCrash: lane.hadCrash });
  if (job) await runJob({ ...lane, job });
  return job !== null;
}

/** Looks for work again and again until the worker stops; logs what goes wrong while looking. */
async function keepLooking({ telemetry, stopping }: Lane, look: () => Promise<void | boolean>): Promise<void> {
  const signal = stopping.asked;
  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      if (signal.aborted) return;
      telemetry.logRecurring(error, 'the worker could not look for jobs');
      await pause(lookEveryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Aborted `ms` after `signal` is. */
function afterwards(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const abort = () => later.abort(new Error('the worker stops, and the job takes longer'));
  signal.addEventListener('abort', () => setTimeout(abort, ms).unref(), { once: true });
  return later.signal;
}
