import { MessageChannel, Worker } from 'node:worker_threads';
import { type DatabaseTrouble } from './database-connection.ts';
import { PgliteStream } from './pglite-stream.ts';

/** The data that the thread is started with. */
export interface PgliteStart {
  readonly dataFolder: string;
  /** One number that both threads see, raised when a message is taken up and when it is done: odd while the thread works. */
  readonly steps: Int32Array;
}

type FromThread = { readonly kind: 'ready' } | { readonly kind: 'failed'; readonly reason: string };

/**
 * A thread that answers nothing for the time of a statement is told to be in trouble; when it goes on so for this much
 * longer, in parts of that time, the process is ended.
 */
const grace = 0.5;
/** Longer than a start, a migration, an index or a vacuum of an embedded database takes. */
const exclusiveMs = 900_000;
const lookEveryMs = 500;
/** In MiB: messages are soon done with, and V8 would let the part of the heap for what is new grow to 48. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

/**
 * PGlite's thread, watched from outside: a statement blocks it, so that it cannot find out by itself that one does not
 * end, and Postgres may give up in it. Nothing can be mended then: only a new process reads the folder anew.
 */
export class PgliteThread {
  readonly #worker: Worker;
  readonly #steps = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #streams = new Set<PgliteStream>();
  readonly #watching: NodeJS.Timeout;
  readonly #ended: Promise<void>;
  readonly #statementTimeoutMs: number;
  #seen = 0;
  /** When a message was last found to have been done. */
  #doneAt = -Infinity;
  /** When a message was last found to have been done, or the thread to be idle. */
  #progressAt = performance.now();
  #exclusive = 1;
  #trouble: DatabaseTrouble | null = null;
  #isClosing = false;

  private constructor(dataFolder: string, statementTimeoutMs: number) {
    this.#statementTimeoutMs = statementTimeoutMs;
    const workerData: PgliteStart = { dataFolder, steps: this.#steps };
    // Flags of the process, such as those of `node --eval`, may be none that a worker takes.
    this.#worker = new Worker(new URL('./pglite-worker.js', import.meta.url), {
      workerData,
      execArgv: [],
      resourceLimits,
    });
    this.#watching = setInterval(() => this.#look(), lookEveryMs).unref();
    let reason = 'its thread ended';
    this.#worker.on('message', (message: FromThread) => {
      if (message.kind === 'failed') ({ reason } = message);
    });
    this.#worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    this.#ended = new Promise((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.once('exit', () => {
      clearInterval(this.#watching);
      if (!this.#isClosing) this.#lose({ reason, isFinal: true });
    });
  }

  /** Resolves when the database in the folder is open; rejects with the reason when it cannot be. */
  static async start(dataFolder: string, statementTimeoutMs: number): Promise<PgliteThread> {
    const thread = new PgliteThread(dataFolder, statementTimeoutMs);
    await new Promise<void>((resolve, reject) => {
      thread.#worker.once('message', ({ kind }: FromThread) => kind === 'ready' && resolve());
      thread.#worker.once('exit', () => reject(new Error(thread.#trouble?.reason)));
    });
    thread.#exclusive -= 1;
    return thread;
  }

  /** Why no statement is answered, while that is so. */
  get trouble(): DatabaseTrouble | null {
    return this.#trouble;
  }

  get progressAt(): number {
    this.#look();
    return this.#doneAt;
  }

  connect(): PgliteStream {
    const { port1, port2 } = new MessageChannel();
    const stream = new PgliteStream(port1);
    this.#streams.add(stream.once('close', () => this.#streams.delete(stream)));
    if (this.#trouble) stream.destroy(connectionLost(this.#trouble));
    else this.#worker.postMessage(port2, [port2]);
    return stream;
  }

  /** Work of which a statement may take minutes. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    this.#exclusive += 1;
    try {
      return await work();
    } finally {
      this.#exclusive -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#trouble) await this.#worker.terminate();
    else this.#worker.postMessage(null, []);
    await this.#ended;
  }

  #look(): void {
    const now = performance.now();
    const steps = Atomics.load(this.#steps, 0);
    const isWorking = steps % 2 !== 0;
    if (steps !== this.#seen) this.#doneAt = now;
    if (steps !== this.#seen || !isWorking) {
      this.#seen = steps;
      this.#progressAt = now;
      if (!this.#trouble?.isFinal) this.#trouble = null;
      return;
    }
    const silentMs = now - this.#progressAt;
    const timeoutMs = this.#exclusive ? exclusiveMs : this.#statementTimeoutMs;
    if (silentMs < timeoutMs || this.#trouble?.isFinal) return;
    const isFinal = silentMs >= timeoutMs + grace * this.#statementTimeoutMs;
    const seconds = Math.round(silentMs / 1_000);
    this.#lose({ reason: `it has not answered for ${seconds} seconds: a statement does not end`, isFinal });
    if (isFinal) void this.#worker.terminate();
  }

  /** The first reason stays: what ends the thread afterwards follows from it. */
  #lose(trouble: DatabaseTrouble): void {
    if (!this.#trouble?.isFinal) this.#trouble = trouble;
    for (const stream of this.#streams) stream.destroy(connectionLost(trouble));
  }
}

/** An error of the form that a closed socket would give. */
const connectionLost = ({ reason }: DatabaseTrouble) =>
  Object.assign(new Error(`the embedded database failed: ${reason}`), { code: 'ECONNRESET' });
