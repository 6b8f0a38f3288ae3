import { Duplex } from 'node:stream';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Pool } from 'pg';
import { databaseOn, type Database } from '../../../src/db/database.ts';

/**
 * The embedded Postgres of a data folder, in this thread: half of what a short statement takes is the way to the thread
 * of the product and back. Plans are made once, too, since nothing here grows.
 */
export async function openPgliteHere(dataFolder: string): Promise<Database> {
  const server = await PGlite.create({ dataDir: dataFolder, extensions: { vector } });
  await server.exec(`SET plan_cache_mode = 'force_generic_plan'`);
  const pool = new Pool({ max: 1, idleTimeoutMillis: 0, user: 'postgres', stream: () => new Wire(server) as never });
  return databaseOn({
    pool,
    exclusively: (work) => work(pool),
    connect: null,
    close: async () => {
      await pool.end();
      await server.close();
    },
  });
}

/** What the driver takes for a socket: each of its writes is answered before the next. */
class Wire extends Duplex {
  readonly #server: PGlite;

  constructor(server: PGlite) {
    super();
    this.#server = server;
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  override _read(): void {}
  override _write(bytes: Buffer, _encoding: string, done: (error?: Error) => void): void {
    const answer: Uint8Array[] = [];
    const onRawData = (part: Uint8Array) => void answer.push(part.slice());
    void this.#server.execProtocolRawStream(new Uint8Array(bytes), { onRawData }).then(() => {
      for (const part of answer) this.push(part); // later than the driver's call, as from a socket
      done();
    }, done);
  }
  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}
