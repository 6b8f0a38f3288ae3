import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import type { AcceptedDocument } from '../domain/ingestion/accept-document.ts';
import type { Telemetry } from '../telemetry.ts';
import type { JobName, JobPayloads, LeasedJob } from './queue.ts';

/** A job: its name in the queue, its payload, how it is retried, and what runs it. */
export interface JobDefinition<Name extends JobName = JobName, Payload extends z.ZodObject = z.ZodObject> {
  readonly name: Name;
  /** One sentence, for the table in README.md. */
  readonly description: string;
  /** Ids only: what else the handler needs it reads from the rows, as they are when it runs. */
  readonly payload: Payload;
  readonly retry: RetryPolicy;
  /** The label of its time among the metrics. */
  readonly operation: string;
  /**
   * Whether a worker runs several at a time, else one. Then it is also woken when one is enqueued in its process, and a
   * job at which a worker died runs alone, so that no other is under suspicion with it.
   */
  readonly runsInParallel?: boolean;
  /** May run twice: a worker that dies leaves the job to another. */
  handler(context: JobContext<z.output<Payload>>): Promise<JobOutcome>;
  /** Ends a job that is given up, and says so where its caller looks. Without it, a job is never given up. */
  deadLetter?(context: JobContext<z.output<Payload>>, reason: string): Promise<void>;
}

/** The retries of a job whose handler failed; after the last it is a dead letter. */
export interface RetryPolicy {
  /** Attempts that a stop or an outage ended are not counted. */
  readonly maxAttempts: number;
  /** The most workers that may die while they have the job. */
  readonly maxWorkerCrashes: number;
  readonly backoff: Backoff;
}

/** The wait before the second attempt; `factor` times as long before each further one, and `maxMs` at most. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

export interface JobContext<Payload> {
  readonly deps: Dependencies;
  readonly telemetry: Telemetry;
  readonly job: LeasedJob<Payload>;
  /** The submitted document, where the job was enqueued in this process and handed to the worker. */
  readonly handedOver: AcceptedDocument | undefined;
  /** The wait before another attempt, by the retry policy. */
  readonly backoffMs: number;
  /** Aborted when the worker stops: whatever takes long ends then, and says when to go on. */
  readonly signal: AbortSignal;
}

/** The outcome of a handler that did not fail: the job is done, the handler removed it, or it runs again later. */
export type JobOutcome = 'done' | 'removed' | { readonly runAgainInMs: number };

/** Done when there is nothing to wait for. */
export const doneOrRunAgain = (waitMs: number | null): JobOutcome =>
  waitMs === null ? 'done' : { runAgainInMs: waitMs };

/** Retried until it is done. */
export const retryUntilDone: RetryPolicy = {
  maxAttempts: Infinity,
  maxWorkerCrashes: Infinity,
  backoff: { firstMs: 500, factor: 2, maxMs: 30_000 },
};

/** The wait after so many tries. */
export const backoffMs = ({ firstMs, factor, maxMs }: Backoff, tries: number) =>
  Math.min(firstMs * factor ** (tries - 1), maxMs);

/** The schema of a job's payload; a field that it lacked would be stripped, and the handler would never see it. */
type PayloadSchema<Name extends JobName> = z.ZodObject &
  z.ZodType<JobPayloads[Name]> & { readonly shape: Record<keyof JobPayloads[Name], z.ZodType> };

/** Declares a job; `jobs.ts` lists it. */
export const defineJob = <Name extends JobName, Payload extends PayloadSchema<Name>>(
  job: JobDefinition<Name, Payload>,
): JobDefinition<Name, Payload> => job;
