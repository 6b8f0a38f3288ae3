import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/**
 * PGlite in a thread of its own, spoken to in Postgres' wire protocol: one message in is one write of the driver, one
 * message out the server's answer to it. `null` closes.
 */
const { dataFolder } = workerData as { dataFolder: string };
const port = parentPort!;
const db = await PGlite.create({ dataDir: dataFolder, extensions: { vector } });

const startup = 0;
let work = Promise.resolve();
port.on('message', (bytes: Uint8Array | null) => {
  work = work.then(() => (bytes ? answer(bytes) : close()));
});
port.postMessage('ready');

async function answer(bytes: Uint8Array): Promise<void> {
  if (bytes[0] === startup) await forgetSession();
  const parts: Uint8Array[] = []; // raw: read by the driver alone, and not by PGlite first
  await db.execProtocolRawStream(bytes, { onRawData: (part) => void parts.push(part.slice()) });
  if (parts.length) port.postMessage(parts.length === 1 ? parts[0] : Buffer.concat(parts));
}

/** The driver opens a new connection after an error; PGlite has one session, and must not show it the last one's. */
async function forgetSession(): Promise<void> {
  await db.exec('ROLLBACK');
  await db.exec('DISCARD ALL');
}

async function close(): Promise<void> {
  await db.close();
  port.close();
}
