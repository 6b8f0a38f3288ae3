import pRetry from 'p-retry';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import { DomainError, hasErrorCode } from '../domain/errors.ts';
import { unlessAborted } from '../domain/flow/unless-aborted.ts';
import { instanceIdOf } from '../domain/ids.ts';
import type { AcceptedDocument } from '../domain/ingestion/accept-document.ts';
import type { Telemetry } from '../telemetry.ts';
import { withTraceSpan } from '../tracing.ts';
import { backoffMs, retryUntilDone, type JobContext, type JobDefinition, type JobOutcome } from './job.ts';
import { completeJob, renewLease, rescheduleJob, type LeasedJob } from './queue.ts';

/** A third of the lease, so that it does not end while its worker lives. */
const renewEveryMs = 5_000;
/** A job of another region's instance is that region's to do. */
const elsewhereMs = 60_000;
/** The interval at which a database that is away is asked to take a job back. */
const lookAgainMs = 500;

/** Aborted when the worker is to lease no more jobs, and when those under way are to be handed back. */
export interface StopSignals {
  readonly asked: AbortSignal;
  readonly overdue: AbortSignal;
}

/** The dependencies of a run. `handedOver`: the job was enqueued by this process, which holds its lease already. */
export interface JobRun {
  readonly deps: Dependencies;
  readonly telemetry: Telemetry;
  readonly definition: JobDefinition;
  readonly stopping: StopSignals;
  readonly job: LeasedJob<unknown>;
  readonly handedOver?: AcceptedDocument | undefined;
}

/** One attempt at a leased job, with what follows from its outcome: it is done, put back, or given up. */
export async function runJob(run: JobRun): Promise<void> {
  const { deps, job, stopping } = run;
  const renewing = setInterval(() => void renewLease(deps.db, job).catch(() => undefined), renewEveryMs);
  try {
    // Later writes of an abandoned run are rolled back: the job has a new attempt number by then.
    const outcome = await unlessAborted(traced(run), stopping.overdue);
    if (outcome === 'done') await completeJob(deps.db, job);
    else if (outcome !== 'removed') await putBack(run, outcome.runAgainInMs);
  } catch (error) {
    if (stopping.asked.aborted) return await putBack(run, 0); // stopped, not failed
    if (hasErrorCode(error, 'misdirected')) return await putBack(run, elsewhereMs);
    await handleFailure(run, error);
  } finally {
    clearInterval(renewing);
  }
}

/** Runs a job in the trace of the request that enqueued it. */
const traced = (run: JobRun): Promise<JobOutcome> => {
  const { id, name, instanceNumber, attempt: n, traceparent } = run.job;
  const attributes = () => ({
    'presage.job': name,
    'presage.job.id': id,
    'presage.job.attempt': n,
    'gen_ai.memory.store.id': instanceIdOf(instanceNumber),
  });
  return withTraceSpan(`job ${name}`, { kind: 'consumer', traceparent, attributes }, () => attempt(run));
};

async function attempt(run: JobRun): Promise<JobOutcome> {
  const { telemetry, definition, job } = run;
  const { operation, retry, deadLetter } = definition;
  if (!deadLetter || job.workerCrashes < retry.maxWorkerCrashes)
    return telemetry.operation(operation, async () => definition.handler(contextOf(run)));
  telemetry.log.error(jobLogFields(job), 'a job was given up');
  await deadLetter(contextOf(run), `given up: ${job.workerCrashes} times the process that read it ended meanwhile`);
  return 'removed';
}

async function handleFailure(run: JobRun, error: unknown): Promise<void> {
  const { telemetry, definition, job } = run;
  const { retry, deadLetter } = definition;
  const failures = job.failures + 1;
  const isAway = hasErrorCode(error, 'unavailable');
  telemetry.log[isAway ? 'warn' : 'error']({ ...jobLogFields(job), error }, 'a job failed');
  // A store that is away is no fault of the job, nor is a release that cannot read it: it waits for one that can.
  if (isAway || error instanceof UnreadablePayload) await putBack(run, backoffMs(retryUntilDone.backoff, job.attempt));
  else if (!deadLetter || failures < retry.maxAttempts)
    await putBack(run, backoffMs(retry.backoff, failures), { hasFailed: true });
  else
    await deadLetter(contextOf(run), error instanceof DomainError ? error.message : 'an internal error; see the logs');
}

/**
 * Gives the job back, also where the database is away: a lease that ran out would count as a crash of its worker. What
 * another has taken over meanwhile stays with that one.
 */
const putBack = ({ deps, job, stopping }: JobRun, ...when: [delayMs: number, how?: { hasFailed: boolean }]) =>
  pRetry(() => rescheduleJob(deps.db, job, ...when), {
    retries: Infinity,
    minTimeout: lookAgainMs,
    factor: 1,
    shouldRetry: ({ error }) => hasErrorCode(error, 'unavailable') && !stopping.overdue.aborted,
  });

/** Throws `UnreadablePayload`. */
function contextOf(run: JobRun): JobContext<z.output<JobDefinition['payload']>> {
  const { deps, telemetry, definition, job, handedOver, stopping } = run;
  const { data, error } = definition.payload.safeParse(job.payload);
  if (!data) throw new UnreadablePayload(error.message);
  return {
    deps,
    telemetry,
    job: { ...job, payload: data },
    handedOver,
    backoffMs: backoffMs(definition.retry.backoff, job.attempt),
    signal: stopping.asked,
  };
}

/** A payload that does not fit the schema of this release: another one enqueued the job. */
class UnreadablePayload extends Error {}

const jobLogFields = ({ id, name, attempt: n, failures, workerCrashes, instanceNumber }: LeasedJob<unknown>) => ({
  job: id,
  queue: name,
  attempt: n,
  failures,
  worker_crashes: workerCrashes,
  instance: instanceIdOf(instanceNumber),
});
