import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Mutex } from 'async-mutex';
import { youngHeapMiB } from '../thread-pool.ts';
import { NativeGate } from './native-gate.ts';

/** A message from a thread with a model: the model is loaded, a call has its result, or a call failed. */
export type Answer<Result> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly reason: string };

/** A call of a thread, or its end. */
export type Request<Input> = { readonly kind: 'run'; readonly input: Input } | { readonly kind: 'stop' };

/** The data that a thread is started with. */
export interface ThreadStart<Settings> {
  readonly settings: Settings;
  /** Memory of the `NativeGate`. */
  readonly gate: SharedArrayBuffer;
}

/** The types of one model: its settings, the input of a call and its result. All of them can be sent to threads. */
export interface ModelContract {
  readonly settings: unknown;
  readonly input: unknown;
  readonly result: unknown;
}

interface PendingRequest<Result> {
  resolve(answer: Answer<Result>): void;
  reject(error: Error): void;
}

/**
 * One thread at a time enters or leaves the native runtime, whoever starts it: two that make or remove its environment
 * at once may end the process.
 */
const entering = new Mutex();

/**
 * Several times what a tokenizer and the texts of one call take. A limit lets garbage be collected before there is much of
 * it: without one, V8 goes by the memory of the machine.
 */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: youngHeapMiB };

/** A worker thread with a model loaded. It takes one call after the other and, once ended, does not come back. */
export class ModelThread<Contract extends ModelContract> {
  readonly #worker: Worker;
  readonly #waiting: PendingRequest<Contract['result']>[] = [];
  #endedBy: Error | undefined;

  private constructor(file: URL, settings: Contract['settings']) {
    // The runtime reports its use to its makers unless told not to, and reads this where the process began.
    process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
    const gate = new NativeGate();
    const workerData: ThreadStart<Contract['settings']> = { settings, gate: gate.memory };
    // Flags of the process, such as those of `node --eval`, may be none that a worker takes.
    this.#worker = new Worker(file, { workerData, execArgv: [], resourceLimits });
    const onProcessExit = (): void => gate.close();
    process.on('exit', onProcessExit);
    this.#worker.on('exit', () => process.off('exit', onProcessExit));
    this.#worker.on('message', (answer: Answer<Contract['result']>) => this.#waiting.shift()?.resolve(answer));
    let cause: Error | undefined; // told when the thread has left the runtime
    this.#worker.on('error', (error) => (cause = error instanceof Error ? error : new Error(String(error))));
    this.#worker.on('exit', (code) => this.#end(cause ?? new Error(`the thread of the model ended with code ${code}`)));
  }

  /** Resolves when the model is loaded; rejects when it, or the native runtime, cannot be. */
  static start<Contract extends ModelContract>(
    file: URL,
    settings: Contract['settings'],
  ): Promise<ModelThread<Contract>> {
    return entering.runExclusive(async () => {
      const thread = new ModelThread<Contract>(file, settings);
      await thread.#answer();
      // An idle model keeps no process alive.
      thread.#worker.unref();
      return thread;
    });
  }

  get hasEnded(): boolean {
    return this.#endedBy !== undefined;
  }

  async run(input: Contract['input']): Promise<Contract['result']> {
    if (this.#endedBy) throw this.#endedBy;
    this.#worker.ref();
    try {
      this.#send({ kind: 'run', input });
      const answer = await this.#answer();
      if (answer.kind === 'failed') throw new Error(answer.reason);
      if (answer.kind !== 'done') throw new Error(`unexpected answer «${answer.kind}» of the thread of the model`);
      return answer.result;
    } finally {
      // One that is being stopped is waited for: the process must not run out of work before it has ended.
      if (!this.#endedBy && this.#waiting.length === 0) this.#worker.unref();
    }
  }

  /** Lets the thread release the model and end by itself: `terminate()` could meet it inside native code. */
  async stop(): Promise<void> {
    if (this.#endedBy) return;
    const exited = once(this.#worker, 'exit');
    this.#end(new Error('the thread of the model was stopped'));
    this.#worker.ref();
    await entering.runExclusive(async () => {
      this.#send({ kind: 'stop' });
      await exited;
    });
  }

  #send(request: Request<Contract['input']>): void {
    this.#worker.postMessage(request, []);
  }

  #answer(): Promise<Answer<Contract['result']>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  #end(cause: Error): void {
    this.#endedBy ??= cause;
    for (const each of this.#waiting.splice(0)) each.reject(this.#endedBy);
  }
}
