import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { dimensions, type FromWorker, type ToWorker, type WorkerSettings, type WorkerStart } from './messages.ts';
import { NativeGate } from './native-gate.ts';

interface Waiting {
  resolve(message: FromWorker): void;
  reject(error: Error): void;
}

/** One worker thread with the model loaded. It answers one call at a time and, once ended, does not come back. */
export class EmbeddingThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  #endedBy: Error | undefined;

  private constructor(settings: WorkerSettings) {
    // The runtime reports its use to its makers unless told not to, and reads this where the process began.
    process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
    const gate = new NativeGate();
    const workerData: WorkerStart = { ...settings, gate: gate.memory };
    // Flags of the process, such as those of `node --eval`, may be none that a worker takes.
    this.#worker = new Worker(new URL('./embedding-worker.js', import.meta.url), { workerData, execArgv: [] });
    const onProcessExit = (): void => gate.close();
    process.on('exit', onProcessExit);
    this.#worker.on('exit', () => process.off('exit', onProcessExit));
    this.#worker.on('message', (message: FromWorker) => this.#take()?.resolve(message));
    this.#worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', (code) => this.#end(new Error(`the embedding thread ended with code ${code}`)));
  }

  /** Resolves when the model is loaded; rejects when it, or the native runtime, cannot be. */
  static async start(settings: WorkerSettings): Promise<EmbeddingThread> {
    const thread = new EmbeddingThread(settings);
    await thread.#answer();
    // An idle embedder keeps no process alive.
    thread.#worker.unref();
    return thread;
  }

  get hasEnded(): boolean {
    return this.#endedBy !== undefined;
  }

  /** One vector a text, in order. */
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    if (this.#endedBy) throw this.#endedBy;
    this.#worker.ref();
    try {
      this.#send({ kind: 'embed', texts });
      const message = await this.#answer();
      if (message.kind === 'failed') throw new Error(message.reason);
      if (message.kind !== 'embedded') throw new Error(`unexpected answer «${message.kind}» of the embedding thread`);
      const { vectors } = message;
      return texts.map((_, row) => vectors.slice(row * dimensions, (row + 1) * dimensions));
    } finally {
      // One that is being stopped is waited for: the process must not run out of work before it has ended.
      if (!this.#endedBy) this.#worker.unref();
    }
  }

  /** Lets the thread release the model and end by itself: `terminate()` could meet it inside native code. */
  async stop(): Promise<void> {
    if (this.#endedBy) return;
    const exited = once(this.#worker, 'exit');
    this.#end(new Error('the embedding thread was stopped'));
    this.#worker.ref();
    this.#send({ kind: 'stop' });
    await exited;
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message, []);
  }

  #answer(): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #end(cause: Error): void {
    this.#endedBy ??= cause;
    this.#take()?.reject(this.#endedBy);
  }
}
