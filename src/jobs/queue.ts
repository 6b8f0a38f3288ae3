import { Prisma } from '../generated/prisma/client.ts';
import type { Db, Sql } from '../db/database.ts';
import { currentTraceparent } from '../tracing.ts';

/**
 * The payload of each job by its name; its definition holds it to a schema. It is declared here since whoever enqueues a
 * job imports this file alone, and not what runs it, which imports them.
 */
export interface JobPayloads {
  'ingest-document': { ingestionId: string };
  'reembed-instance': {};
  'follow-vectors': {};
  'repair-vectors': {};
  'rotate-master-key': {};
  'purge-instance': {};
  'sweep-retention': {};
  'compact-conversation': {
    conversationId: string;
    isRequested?: boolean | undefined;
    strategy?: 'adaptive' | 'aggressive' | 'balanced' | 'conservative' | undefined;
    targetTokens?: number | undefined;
  };
  /** The id of the job is that of the ingestion. */
  'erase-replaced': {};
}
export type JobName = keyof JobPayloads;

/** A job as a worker has it for the time of its lease. */
export interface LeasedJob<Payload> {
  readonly id: string;
  readonly name: JobName;
  readonly instanceNumber: bigint;
  readonly payload: Payload;
  /** 1 at the first try, 0 before it; also of tries that a stop or an outage ended. */
  readonly attempt: number;
  /** Tries that failed of themselves: by them a job is given up. */
  readonly failures: number;
  /** Workers that ended while they had it, without a word. */
  readonly workerCrashes: number;
  /** The trace of what asked for it; null where nothing was traced. */
  readonly traceparent: string | null;
}

/** A job with the payload that the definition of this name says. */
export type Job<Name extends JobName> = LeasedJob<JobPayloads[Name]>;

/** Jobs whose payload may be empty: the instance says it all. */
export type InstanceJobName = { [Name in JobName]: {} extends JobPayloads[Name] ? Name : never }[JobName];

/** Identifies one lease of a job: each attempt has its own. */
type Lease = Pick<LeasedJob<unknown>, 'id' | 'attempt'>;

/** A worker that died keeps its job for this long; one that lives renews in time. */
const leaseMs = 15_000;

/**
 * The statement part that enqueues a job with its cause, once for each row of `cause`: use it in the same statement as
 * the rows that call for the job, and it runs once they are committed. When it is due is the database's to say, by the
 * clock that it is leased by: that of a process which is an hour ahead would let it wait for an hour. A job of attempt 1
 * is leased with that, to a worker who runs it without asking for one.
 */
export const enqueueSql = <Name extends JobName>(
  name: Name,
  job: Pick<Job<Name>, 'id' | 'instanceNumber' | 'payload' | 'attempt' | 'traceparent'>,
  cause: string,
) =>
  Prisma.sql`
    INSERT INTO job (id, queue, i, payload, run_at, attempt, locked_until, traceparent)
    SELECT ${job.id}::uuid, ${name}, ${job.instanceNumber}, ${JSON.stringify(job.payload)}::jsonb, now(), ${job.attempt}::int,
      CASE WHEN ${job.attempt}::int > 0 THEN now() + ${leaseMs} * interval '1 millisecond' END, ${job.traceparent}::text
    FROM ${Prisma.raw(cause)}`;

/** A job to be enqueued; its payload is left out only where it may be empty. */
type JobRequest<Name extends JobName> = Pick<Job<Name>, 'id' | 'instanceNumber'> &
  ({} extends JobPayloads[Name] ? Partial<Pick<Job<Name>, 'payload'>> : Pick<Job<Name>, 'payload'>);

/**
 * Enqueues a job once for each id, however often it is asked for. Asked for while it runs, it runs once more, with the
 * payload that it was asked for with last. An id that another instance or another queue has is left to it.
 */
export async function enqueue<Name extends JobName>(
  sql: Sql,
  name: Name,
  { id, instanceNumber, payload }: JobRequest<Name>,
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO job AS j (id, queue, i, payload, run_at, traceparent)
    VALUES (${id}::uuid, ${name}, ${instanceNumber}, ${JSON.stringify(payload ?? {})}::jsonb, now(), ${currentTraceparent()})
    ON CONFLICT (id) DO UPDATE SET payload = excluded.payload, traceparent = excluded.traceparent, attempt = j.attempt + 1, locked_until = NULL,
      run_at = least(j.run_at, now())
    WHERE j.queue = excluded.queue AND j.i = excluded.i`;
}

/**
 * Leases the next due job for `forMs`, or null: of the instance that has the fewest leased now, so that a batch of one
 * instance keeps no other waiting; its oldest. A job whose worker crashed is due again when its lease is over. Then it
 * stands behind all that wait now: as the oldest it would be what each worker begins with, and the first at which the
 * next one ends too. `hadCrash`: only those at which a worker crashed, or only the others. Default: any.
 */
export async function leaseJob(
  db: Db,
  name: JobName,
  { forMs = leaseMs, hadCrash }: { forMs?: number; hadCrash?: boolean | undefined } = {},
): Promise<LeasedJob<unknown> | null> {
  const isWanted = hadCrash === undefined ? Prisma.sql`true` : Prisma.sql`${hadCrashSql} = ${hadCrash}`;
  const rows = await db.$queryRaw<LeasedJob<unknown>[]>`
    WITH RECURSIVE waiting AS ( -- each instance that has jobs, found by the index and not among all jobs
      (SELECT i FROM job WHERE queue = ${name} ORDER BY i LIMIT 1)
      UNION ALL
      SELECT (SELECT i FROM job WHERE queue = ${name} AND i > waiting.i ORDER BY i LIMIT 1)
      FROM waiting WHERE waiting.i IS NOT NULL
    )
    UPDATE job SET
      attempt = attempt + 1,
      worker_crashes = worker_crashes + (locked_until IS NOT NULL)::int,
      run_at = CASE WHEN locked_until IS NULL THEN run_at ELSE now() END,
      locked_until = now() + ${forMs} * interval '1 millisecond'
    WHERE id = (
      SELECT next.id FROM waiting
      CROSS JOIN LATERAL (
        SELECT id, run_at FROM job WHERE i = waiting.i AND ${isDue(name)} AND ${isWanted}
        ORDER BY run_at, id FOR UPDATE SKIP LOCKED LIMIT 1) AS next
      ORDER BY (SELECT count(*) FROM job WHERE queue = ${name} AND locked_until > now() AND i = waiting.i),
        next.run_at, next.id LIMIT 1
    )
    RETURNING id, queue AS name, i AS "instanceNumber", payload, attempt, failures, worker_crashes AS "workerCrashes", traceparent`;
  return rows[0] ?? null;
}

const isDue = (name: JobName) =>
  Prisma.sql`queue = ${name} AND run_at <= now() AND (locked_until IS NULL OR locked_until < now())`;

/** SQL: a worker crashed at a due job; a crash that let its lease run out is counted when the job is taken next. */
const hadCrashSql = Prisma.sql`(worker_crashes > 0 OR locked_until IS NOT NULL)`;

/** Whether a job is due at which a worker crashed. */
export async function hasDueCrashedJob(db: Db, name: JobName): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM job WHERE ${isDue(name)} AND worker_crashes > 0)
      OR EXISTS (SELECT FROM job WHERE queue = ${name} AND locked_until < now()) AS found`;
  return rows[0]!.found;
}

/** Extends the lease; false when another worker has taken the job over. */
export async function renewLease(db: Db, job: Lease): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE job SET locked_until = now() + ${leaseMs} * interval '1 millisecond'
    WHERE id = ${job.id}::uuid AND attempt = ${job.attempt}`;
  return renewed === 1;
}

/** The statement part that removes a job that is done and gives its id, unless another worker has taken it over. */
export const completeSql = (job: Lease) =>
  Prisma.sql`DELETE FROM job WHERE id = ${job.id}::uuid AND attempt = ${job.attempt} RETURNING id`;

/** Removes a done job, in the transaction of its effect; false when another worker has it: roll back then. */
export async function completeJob(sql: Sql, job: Lease): Promise<boolean> {
  const rows = await sql.$executeRaw`${completeSql(job)}`;
  return rows === 1;
}

/** Gives the lease back, for the job to be run in `delayMs`. `hasFailed`: of itself, and not by a stop or an outage. */
export async function rescheduleJob(
  db: Db,
  job: Lease,
  delayMs: number,
  { hasFailed = false }: { hasFailed?: boolean } = {},
): Promise<void> {
  await db.$executeRaw`
    UPDATE job SET locked_until = NULL, run_at = now() + ${delayMs} * interval '1 millisecond',
      failures = failures + ${hasFailed ? 1 : 0}::int
    WHERE id = ${job.id}::uuid AND attempt = ${job.attempt}`;
}

/** Gives back every lease: for the one process of the embedded default, whose predecessor is gone. */
export async function releaseLeases(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE job SET locked_until = NULL, worker_crashes = worker_crashes + 1, run_at = now() WHERE locked_until IS NOT NULL`;
}

/** The backlog of one job. */
export interface QueueBacklog {
  readonly name: JobName;
  readonly jobs: number;
  /** Since the oldest job that nobody has could be leased; 0 without one. */
  readonly waitingSeconds: number;
}

/** The backlog of each of these jobs, also where it is empty. */
export const readBacklog = (sql: Sql, names: readonly JobName[]) => sql.$queryRaw<QueueBacklog[]>`
  SELECT q.name, count(job.id)::int AS jobs,
    coalesce(extract(epoch FROM now() - min(job.run_at) FILTER (
      WHERE job.run_at <= now() AND (job.locked_until IS NULL OR job.locked_until < now()))), 0)::float8 AS "waitingSeconds"
  FROM unnest(${names}::text[]) AS q (name) LEFT JOIN job ON job.queue = q.name GROUP BY q.name`;
