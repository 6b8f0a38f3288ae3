import type { Answered, ResponseInfo } from './connection.ts';
import type { Context } from './records.ts';

/** A request under way: await it for its data. */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'Call';
  readonly #answered: Promise<Answered<T>>;

  constructor(answered: Promise<Answered<T>>) {
    this.#answered = answered;
  }

  /** The data with the status and headers of its answer. */
  withResponse(): Promise<{ readonly data: T; readonly response: ResponseInfo }> {
    return this.#answered;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited
  then<A = T, B = never>(
    done?: ((data: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const data = this.#answered.then((answered) => answered.data);
    return data.then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, failed);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.#answered.then(({ data }) => data).finally(done);
  }
}

/** A recall under way. It is sent at the end of the present turn, when it is known whether its prompt is wanted. */
export class Recall extends Call<Context> {
  readonly #send: (format: 'json' | 'prompt') => Promise<Answered<Context>>;
  #state: { format: 'json' | 'prompt'; isSent: boolean };

  constructor(send: (format: 'json' | 'prompt') => Promise<Answered<Context>>, format: 'json' | 'prompt' = 'json') {
    const state = { format, isSent: false };
    super(
      Promise.resolve().then(() => {
        state.isSent = true;
        return send(state.format);
      }),
    );
    this.#send = send;
    this.#state = state;
  }

  /** What was recalled, as a text for the prompt of a model. */
  get prompt(): Promise<string> {
    if (!this.#state.isSent) this.#state.format = 'prompt';
    return this.#state.format === 'prompt'
      ? this.then(promptOf)
      : this.#send('prompt').then(({ data }) => promptOf(data));
  }
}

const promptOf = ({ prompt = '' }: Context) => prompt;
