import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { Pool } from 'pg';
import { openDatabaseOn, type Database } from '../../src/db/database.ts';
import { DriverStream } from '../../src/db/driver-stream.ts';

/**
 * The embedded Postgres of a data folder, in this thread: half of what a short statement takes is the way to the thread
 * of the product and back. Plans are made once, too. For proofs of many short scenes; whatever blocks blocks all.
 */
export async function openPgliteHere(dataFolder: string, outage?: (cause: unknown) => Error): Promise<Database> {
  const server = await PGlite.create({ dataDir: dataFolder, extensions: { vector } });
  const pool = new Pool({ max: 1, idleTimeoutMillis: 0, user: 'postgres', stream: () => new Wire(server) });
  const connected = {
    pool,
    exclusively: <T>(work: (session: Pool) => Promise<T>) => work(pool),
    connect: null,
    trouble: () => null,
    progressAt: () => null,
    close: async () => {
      await pool.end();
      await server.close();
    },
  };
  return openDatabaseOn(connected, outage);
}

/** Each write is answered before the next. */
class Wire extends DriverStream {
  readonly #server: PGlite;

  constructor(server: PGlite) {
    super();
    this.#server = server;
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error) => void): void {
    void this.#answer(bytes, done);
  }
  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  async #answer(bytes: Buffer, done: (error?: Error) => void): Promise<void> {
    try {
      const isStartup = bytes[0] === 0;
      if (isStartup) await this.#forgetSession();
      const parts: Uint8Array[] = [];
      const onRawData = (part: Uint8Array) => void parts.push(part.slice());
      await this.#server.execProtocolRawStream(new Uint8Array(bytes), { onRawData });
      for (const part of parts) this.push(part); // never within the driver's call, as from a socket
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  /** One session is there for all connections, as in the product. */
  async #forgetSession(): Promise<void> {
    await this.#server.exec('ROLLBACK');
    await this.#server.exec('DISCARD ALL');
    await this.#server.exec(`SET plan_cache_mode = 'force_generic_plan'`);
  }
}
