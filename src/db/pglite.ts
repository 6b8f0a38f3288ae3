import { Pool } from 'pg';
import { defaultStatementTimeoutMs, type DatabaseConnection } from './database-connection.ts';
import { openDataFolder } from './data-folder.ts';
import { PgliteThread } from './pglite-thread.ts';

/**
 * The embedded Postgres behind the ordinary driver: a pool of one connection whose stream ends in PGlite's thread.
 * So the embedded default and a real Postgres are used through one driver, with one dialect and one set of types.
 */
export async function openPglite(
  dataFolder: string,
  statementTimeoutMs = defaultStatementTimeoutMs,
): Promise<DatabaseConnection> {
  const thread = await openDataFolder(dataFolder, () => PgliteThread.start(dataFolder, statementTimeoutMs));
  const stream = () => thread.connect();
  const pool = new Pool({ max: 1, idleTimeoutMillis: 0, user: 'postgres', pipeline: true, stream });
  pool.on('error', () => undefined); // of a connection that nobody uses: the pool makes another
  return {
    pool,
    // One connection is one session, and the lock file keeps other processes out.
    exclusively: (work) => thread.exclusively(() => work(pool)),
    connect: null,
    trouble: () => thread.trouble,
    progressAt: () => thread.progressAt,
    close: async () => {
      await pool.end();
      await thread.close();
    },
  };
}
