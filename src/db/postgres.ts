import pRetry from 'p-retry';
import { Client, Pool, type ClientConfig } from 'pg';
import { defaultStatementTimeoutMs, type DatabaseConnection } from './database-connection.ts';
import { isOutage } from './outage.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Connections of this process at most; one more listens. All processes together stay below the server's limit. */
  readonly poolSize: number;
  /** The name of the process in the server's own lists. */
  readonly name: string;
  readonly statementTimeoutMs?: number | undefined;
}

/** The server gives the client's answer this much longer to arrive; a network that went away says nothing. */
const answerMs = 5_000;
/** Row locks are held for one short transaction. */
const lockTimeoutMs = 10_000;
/** Inside a transaction only SQL is awaited, so one that does nothing has lost its process. */
const idleInTransactionMs = 10_000;
/** How long to wait for a free connection, and for a new one to open. */
const connectTimeoutMs = 5_000;
/** The time to connect at the start, when the server may be starting too. */
const startMs = 30_000;
/** Held while migrating and making first things, so that processes that start together do it once. Nobody else locks it. */
const startLock = 7_238_001;

/** A real Postgres, 15 or later. Resolves once it answers; rejects when it does not for half a minute. */
export async function openPostgres({
  url,
  poolSize,
  name,
  statementTimeoutMs = defaultStatementTimeoutMs,
}: PostgresOptions): Promise<DatabaseConnection> {
  const connection: ClientConfig = {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
  };
  const pool = new Pool({
    ...connection,
    max: poolSize,
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + answerMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  });
  pool.on('error', () => undefined); // of a connection that nobody uses: the pool makes another
  await answers(pool);
  return {
    pool,
    async exclusively(work) {
      const client = new Client(connection); // without the limits: a migration takes its time, and so does waiting for one
      client.on('error', () => undefined); // whoever waits for a statement is told; between two nobody would catch it
      await client.connect();
      try {
        await client.query('SELECT pg_advisory_lock($1)', [startLock]);
        return await work(client);
      } finally {
        await client.end(); // and the lock with it
      }
    },
    connect: async () => {
      const client = new Client(connection);
      await client.connect();
      return client;
    },
    trouble: () => null,
    progressAt: () => null,
    close: () => pool.end(),
  };
}

async function answers(pool: Pool): Promise<void> {
  try {
    const pauses = { retries: Infinity, minTimeout: 250, factor: 1, maxRetryTime: startMs };
    const client = await pRetry(() => pool.connect(), { ...pauses, shouldRetry: ({ error }) => isStarting(error) });
    client.release();
  } catch (error) {
    throw new Error(`the database of DATABASE_URL does not answer: ${(error as Error).message}`, { cause: error });
  }
}

/** Refused, or `57P03`: the server is starting up. */
const isStarting = (error: unknown) => isOutage(error) || (error as { code?: unknown }).code === '57P03';
