import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Pool } from 'pg';
import type { Connected } from './connected.ts';
import { DriverStream } from './driver-stream.ts';

/**
 * The embedded Postgres behind the ordinary driver: a pool of one connection whose stream ends in PGlite's thread.
 * So the embedded default and a real Postgres are used through one driver, with one dialect and one set of types.
 */
export async function openPglite(dataFolder: string): Promise<Connected> {
  const worker = new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData: { dataFolder } });
  await once(worker, 'message'); // rejects when the thread fails to start
  const stream = () => new WorkerStream(worker);
  const pool = new Pool({ max: 1, idleTimeoutMillis: 0, user: 'postgres', pipeline: true, stream });
  return {
    pool,
    exclusively: (work) => work(pool), // one connection is one session, and the lock file keeps other processes out
    connect: null,
    close: async () => {
      await pool.end();
      const gone = once(worker, 'exit');
      worker.postMessage(null);
      await gone;
    },
  };
}

/** Ends in PGlite's thread. */
class WorkerStream extends DriverStream {
  readonly #worker: Worker;
  readonly #fail = (error: Error) => void this.destroy(error);
  readonly #receive = (bytes: Uint8Array) => this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));

  constructor(worker: Worker) {
    super();
    this.#worker = worker.on('message', this.#receive);
    worker.once('error', this.#fail);
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#worker.postMessage(new Uint8Array(chunk));
    queueMicrotask(done); // what is written meanwhile goes as one message: waking a thread takes as long as a statement
  }
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), '', done);
  }
  override _final(done: () => void): void {
    this.#worker.off('message', this.#receive);
    this.push(null);
    done();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#worker.off('message', this.#receive).off('error', this.#fail);
    done(error);
  }
}
