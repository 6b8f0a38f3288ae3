import { hash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool } from 'pg';
import { PrismaClient, type Prisma } from '../generated/prisma/client.ts';
import { migrate } from './migrate.ts';
import { openPglite } from './pglite.ts';

/** The database outside of any transaction: each statement is committed on its own. */
export type Db = PrismaClient;
/** Inside a transaction await only SQL: the embedded Postgres has one connection, anything else stops the product. */
export type Tx = Prisma.TransactionClient;

/**
 * Our own statements are prepared once for a connection: on the embedded Postgres, parsing one takes as long as running
 * it. Not those of Prisma's client, which writes another for every length of a list: they would pile up.
 */
const prepared = {
  statementNameGenerator: ({ sql }: { sql: string }) => (sql.includes('"public".') ? '' : hash('sha1', sql)),
};

/** How long a transaction may wait for its connection and how long it may run. */
const limits = { maxWait: 30_000, timeout: 30_000 };

export interface Database {
  readonly db: Db;
  close(): Promise<void>;
}

/** A migrated database: the real Postgres of `url`, or the embedded one in `dataFolder`. */
export async function openDatabase(where: { url: string } | { dataFolder: string }): Promise<Database> {
  const { pool, close } = 'url' in where ? openPostgres(where.url) : await openPglite(where.dataFolder);
  await migrate(pool);
  const db = new PrismaClient({ adapter: new PrismaPg(pool, prepared), transactionOptions: limits });
  return {
    db,
    close: async () => {
      await db.$disconnect();
      await close();
    },
  };
}

function openPostgres(url: string): { pool: Pool; close(): Promise<void> } {
  const pool = new Pool({ connectionString: url, max: 10 });
  return { pool, close: () => pool.end() };
}

/** All of the work or nothing of it; see `Tx`. */
export function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(work);
}
