import { PrismaPg } from '@prisma/adapter-pg';
import pRetry, { type Options } from 'p-retry';
import { PrismaClient, type Prisma } from '../generated/prisma/client.ts';
import type { DatabaseConnection } from './database-connection.ts';
import { sendStatementsDirectly } from './direct-statements.ts';
import { migrate } from './migrate.ts';
import { isConflict, translateOutages } from './outage.ts';
import { openPglite } from './pglite.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';

/** The database outside of any transaction: each statement is committed on its own. */
export type Db = PrismaClient;
/** Runs statements, in a transaction or outside of one: for functions that are right either way. */
export type Sql = Prisma.TransactionClient;
declare const isTransaction: unique symbol;
/**
 * A transaction, for functions that take locks or whose statements belong together; only `transaction` makes one.
 * Inside it await only SQL: the embedded Postgres has one connection, anything else stops the product.
 */
export type Tx = Sql & { readonly [isTransaction]: true };

/** How long a transaction may wait for its connection and how long it may run. */
const limits = { maxWait: 30_000, timeout: 30_000 };
/** A transaction that stood in another's way is tried this often, and after pauses that double from this many ms on. */
const pauses = { retries: 5, minTimeout: 10, factor: 2, randomize: true } satisfies Options;

export interface Database extends Pick<
  DatabaseConnection,
  'exclusively' | 'connect' | 'trouble' | 'progressAt' | 'close'
> {
  readonly db: Db;
}

/**
 * A migrated database: the real Postgres of `url`, or the embedded one in `dataFolder`. Its use fails with `outage`
 * when the database is not there; the next use finds it again once it is.
 */
export async function openDatabase(
  where: PostgresOptions | { dataFolder: string; statementTimeoutMs?: number },
  outage: (cause: unknown) => Error = noAnswer,
): Promise<Database> {
  const connected =
    'url' in where ? await openPostgres(where) : await openPglite(where.dataFolder, where.statementTimeoutMs);
  return openDatabaseOn(connected, outage);
}

/** Migrates and opens a database on an existing connection, which closes with it. */
export async function openDatabaseOn(
  { pool, exclusively, connect, trouble, progressAt, close }: DatabaseConnection,
  outage: (cause: unknown) => Error = noAnswer,
): Promise<Database> {
  try {
    await exclusively((session) => migrate(session));
  } catch (error) {
    await close();
    throw error;
  }
  const client = sendStatementsDirectly(
    pool,
    (telling) => new PrismaClient({ adapter: new PrismaPg(telling), transactionOptions: limits }),
  );
  return {
    db: translateOutages(client, outage),
    exclusively,
    connect,
    trouble,
    progressAt,
    close: async () => {
      await client.$disconnect();
      await close();
    },
  };
}

const noAnswer = (cause: unknown) => new Error('the database does not answer', { cause });

/**
 * All of the work or nothing of it; see `Tx`. What stood in another transaction's way is done again from its beginning,
 * so the work has no effect but its statements.
 */
export const transaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  pRetry(() => db.$transaction((begun) => work(begun as Tx)), {
    ...pauses,
    shouldRetry: ({ error }) => isConflict(error),
  });
