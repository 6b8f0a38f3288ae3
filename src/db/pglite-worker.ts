import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { PgliteStart } from './pglite-thread.ts';

/**
 * PGlite in a thread of its own. A port that it is sent is a connection, spoken to in Postgres' wire protocol: one
 * message in is one write of the driver, one message out the server's answer to it. `null` closes the database.
 */
const { dataFolder, steps } = workerData as PgliteStart;
const thread = parentPort!;

/** PGlite's Postgres throws this status where it would jump back into its main loop, after an ordinary error. */
const backToMainLoop = 100;
const startup = 0;
/**
 * WebAssembly never gives memory back, so what Postgres takes once the process holds for good.
 *
 * Pages stay in Postgres' own buffers until others need the room, and the operating system has them too: at the default of
 * 128 MB a process holds some 90 MB more, and point reads of a table of 106 MB take as long. ANALYZE copies 300 rows for
 * each step of this target: at the default of 100 that is 110 MB of a table of vectors, at 10, Postgres' default until
 * 8.4, a tenth.
 */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB', '-c', 'default_statistics_target=10'];

/** The database's own words for an error after which it cannot go on; other lines may quote a statement. */
let lastWords: string | undefined;

Atomics.add(steps, 0, 1);
const db = await open();
let work = Promise.resolve();
thread.on('message', (connection: MessagePort | null) => {
  if (!connection) {
    work = work.then(close);
    return;
  }
  connection.on('message', (bytes: Uint8Array) => {
    work = work.then(() => answer(bytes, connection));
  });
  connection.unref();
});
Atomics.add(steps, 0, 1);
thread.postMessage({ kind: 'ready' });

async function open(): Promise<PGlite> {
  const onStderr = (line: string) => {
    lastWords = /(?:FATAL|PANIC): .*/.exec(line)?.[0] ?? lastWords;
    return false; // it is not to be printed
  };
  try {
    const opened = await PGlite.create({ dataDir: dataFolder, extensions: { vector }, onStderr, startParams });
    endWithPostgres(opened);
    return opened;
  } catch (error) {
    throw new Error(lastWords ?? (error as Error).message, { cause: error });
  }
}

/**
 * Ends this thread with the Postgres in it. PGlite catches whatever its main loop throws and calls it again, also when
 * Postgres gave up (a full disk under its log is a `PANIC`): it then commits what is not there, or spins for ever.
 */
function endWithPostgres({ Module: postgres }: PGlite): void {
  const mainLoopOnce = postgres._PostgresMainLoopOnce.bind(postgres);
  postgres._PostgresMainLoopOnce = () => {
    try {
      mainLoopOnce();
    } catch (error) {
      if ((error as { status?: unknown }).status !== backToMainLoop) {
        thread.postMessage({ kind: 'failed', reason: lastWords ?? String(error) });
        process.exit(1); // of the thread: throwing would be caught
      }
      throw error;
    }
  };
}

async function answer(bytes: Uint8Array, connection: MessagePort): Promise<void> {
  Atomics.add(steps, 0, 1);
  if (bytes[0] === startup) await forgetSession();
  const parts: Uint8Array[] = []; // raw: read by the driver alone, and not by PGlite first
  await db.execProtocolRawStream(bytes, { onRawData: (part) => void parts.push(part.slice()) });
  Atomics.add(steps, 0, 1);
  if (parts.length) connection.postMessage(parts.length === 1 ? parts[0] : Buffer.concat(parts));
}

/** The driver opens a new connection after an error; PGlite has one session, and must not show it the last one's. */
async function forgetSession(): Promise<void> {
  await db.exec('ROLLBACK');
  await db.exec('DISCARD ALL');
}

async function close(): Promise<void> {
  await db.close();
  thread.close();
}
