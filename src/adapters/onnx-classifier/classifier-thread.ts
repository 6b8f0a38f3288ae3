import { unavailableError } from '../../domain/errors.ts';
import { ModelThread } from '../onnx-thread/model-thread.ts';
import type { ClassifierContract, ClassifierInput, ClassifierResult, ClassifierSettings } from './messages.ts';

type Thread = ModelThread<ClassifierContract>;

/** A worker thread with the classifier, started when it is first wanted; one that has ended is replaced by another. */
export class ClassifierThread {
  readonly #settings: ClassifierSettings;
  #thread: Promise<Thread> | undefined;
  #isClosed = false;

  constructor(settings: ClassifierSettings) {
    this.#settings = settings;
  }

  /** Loads the model before it is wanted. Throws `unavailable` where it cannot be used. */
  async load(): Promise<void> {
    await this.#running();
  }

  run(input: ClassifierInput): Promise<ClassifierResult> {
    return this.#run(input, false);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  /** A thread that dies meanwhile is replaced once: a document must not lose its statements by that. */
  async #run(input: ClassifierInput, isAgain: boolean): Promise<ClassifierResult> {
    const thread = await this.#running();
    try {
      return await thread.run(input);
    } catch (cause) {
      if (thread.hasEnded && !isAgain) return this.#run(input, true);
      throw unavailableError('the statement model could not be used', cause);
    }
  }

  async #running(): Promise<Thread> {
    // No lack of the model: whoever meets it is to be run again by the next process.
    if (this.#isClosed) throw new Error('the statement model is closed');
    const existing = (this.#thread ??= this.#start());
    const thread = await existing.catch(() => undefined);
    if (thread && !thread.hasEnded) return thread;
    if (this.#thread === existing) this.#thread = this.#start();
    return this.#thread;
  }

  #start(): Promise<Thread> {
    const starting: Promise<Thread> = ModelThread.start(
      new URL('./classifier-worker.js', import.meta.url),
      this.#settings,
    );
    return starting.catch((cause: unknown) => {
      throw unavailableError(`the statement model ${this.#settings.model} cannot be used`, cause);
    });
  }
}
