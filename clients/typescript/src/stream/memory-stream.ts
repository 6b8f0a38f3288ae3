import { backoffMs } from '../backoff.ts';
import type { Connection } from '../connection.ts';
import { connectionOf } from '../connection-of.ts';
import { unsendable } from '../errors.ts';
import type { Signal } from '../generated/proto/presage/anticipation/v1/Signal.ts';
import type { Update__Output } from '../generated/proto/presage/anticipation/v1/Update.ts';
import type { Presage } from '../presage.ts';
import { CurrentSet } from './current-set.ts';
import {
  errorOfEnd,
  openChannel,
  retryAfterOfEnd,
  type Status,
  type StreamCall,
  type StreamChannel,
} from './open-call.ts';
import type { StreamMemory, StreamOptions, StreamUpdate } from './records.ts';
import { newUuid } from '../uuid.ts';

/** The server says something every 30 s; a stream that is silent for twice as long is lost. */
const silentMs = 60_000;
/** How long the end of a session may take. */
const leavingMs = 1_000;
/** Signals that are kept for the server while it cannot be reached. */
const unsentAtMost = 20;
/** Each wait before a call is opened again is longer, up to the fourth. */
const longestPauseAt = 4;

interface Waiter {
  readonly for: number;
  readonly resolve: () => void;
}

/**
 * The memories that a conversation calls for, at hand before the model is asked. It keeps the set that stands, and itself
 * connected: after a loss it resumes its session, so that nothing is missed and nothing stale is kept. Iterate it to hear
 * of each change; whoever reads slowly gets the newest set.
 */
export class MemoryStream implements AsyncIterable<StreamUpdate>, AsyncDisposable {
  readonly #client: Presage;
  readonly #connection: Connection;
  readonly #options: StreamOptions;
  readonly #channel: StreamChannel;
  readonly #sessionId = newUuid();
  readonly #closing = new AbortController();
  readonly #current = new CurrentSet();
  readonly #ended: Promise<void>;
  #unsent: Signal[] = [];
  #kept: Promise<unknown> = Promise.resolve();
  #lost: unknown;
  #call: StreamCall | undefined;
  #quietUntil = 0;
  #isOver = false;
  /** What was said last was said while there was no connection. */
  #isBehind = false;
  /** Signals on this connection: how many, which of them were words last, how many of them the set answers. */
  #sent = 0;
  #lastWords = 0;
  #answered = 0;
  #waiting: Waiter[] = [];
  #wake: () => void = () => undefined;

  constructor(client: Presage, options: StreamOptions = {}) {
    if (options.remember && !options.conversation_id) throw unsendable('conversation_id', 'is required with remember');
    this.#client = client;
    this.#connection = connectionOf(client);
    this.#options = options;
    const { baseUrl } = this.#connection;
    const address = options.address ?? (process.env['PRESAGE_GRPC'] || `${baseUrl.hostname}:50051`);
    this.#channel = openChannel(address, {
      isSecure: baseUrl.protocol === 'https:',
      rootCertificates: options.rootCertificates,
    });
    this.#ended = this.#stayConnected().finally(() => {
      this.#isOver = true;
      this.#wake();
      for (const { resolve } of this.#waiting.splice(0)) resolve();
    });
    this.#ended.catch(() => undefined); // whoever iterates, recalls or closes is told
  }

  /** The memories that matter now: standing ones first, then the others, best first. */
  get memories(): readonly StreamMemory[] {
    return this.#current.memories;
  }

  get isConnected(): boolean {
    return this.#call !== undefined;
  }

  /** Words so far of a turn that is being typed or spoken: all of them each time. Dropped where they cannot be sent. */
  hears(content: string, role = 'user'): void {
    if (this.#call && Date.now() >= this.#quietUntil) this.#send(this.#call, { partial_message: { role, content } });
  }

  /**
   * A whole turn, of the user or of the agent. Resolves, with `remember`, when it is kept. Rejects with why the stream
   * ended, if it ended for good.
   */
  said(role: string, content: string): Promise<void> {
    if (this.#isOver) return this.#ended;
    this.#isBehind = true;
    this.#tell({ message: { role, content } });
    if (!this.#options.remember) return Promise.resolve();
    const { conversation_id = '', user_id, customer_id } = this.#options;
    const about = { ...(user_id ? { user_id } : {}), ...(customer_id ? { customer_id } : {}) };
    const before = this.#kept;
    const keep = async (): Promise<void> => {
      await before; // in their order
      await this.#client.conversations.say(conversation_id, { role, content }, about);
    };
    const kept = keep();
    this.#kept = kept.catch((error: unknown) => (this.#lost ??= error)); // `close` tells of the first
    kept.catch(() => undefined);
    return kept;
  }

  /** A tool that the agent calls. */
  calls(name: string, given: unknown = {}): void {
    this.#tell({ tool_call: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) } });
  }

  /** Which memories went into the last answer: from this the service learns. */
  used(memoryIds: readonly string[]): void {
    if (memoryIds.length > 0) this.#tell({ context_used: { memory_ids: [...memoryIds] } });
  }

  /**
   * The memories for an answer to what was just said: the set that answers it, when it is here or comes within
   * `patienceMs`; else the one that stands. Where the stream has not heard it or sent nothing yet, those of a fetch.
   */
  async recall(
    question: string,
    { patienceMs = 50 }: { readonly patienceMs?: number } = {},
  ): Promise<readonly StreamMemory[]> {
    if (this.#isOver) await this.#ended;
    if (!this.isConnected || this.#isBehind) return this.#fetch(question);
    if (this.#answered < this.#lastWords) await this.#answer(patienceMs);
    const hasSet = this.isConnected && this.#answered > 0;
    return hasSet ? this.memories : this.#fetch(question);
  }

  /** Ends the session. Rejects when something that was said could not be kept. */
  async close(): Promise<void> {
    await this.#kept;
    this.#closing.abort();
    await this.#ended.catch(() => undefined);
    this.#channel.close();
    if (this.#lost !== undefined) throw this.#lost;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Each change, until the stream is closed. Rejects when it can never be open again, such as by a revoked key. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamUpdate, void, undefined> {
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.#wake = resolve));
      const news = this.#current.news();
      if (news) yield news;
      else if (this.#isOver) break;
      else await changed;
    }
    await this.#ended;
  }

  #send(call: StreamCall, signal: Signal): void {
    call.write(signal);
    this.#sent += 1;
    if (signal.message) this.#isBehind = false;
    if (signal.message || signal.partial_message) this.#lastWords = this.#sent;
  }

  /** What is said in a conversation that is remembered reaches the session by that way too, when it is resumed. */
  #tell(signal: Signal): void {
    if (this.#call) this.#send(this.#call, signal);
    else if (!(signal.message && this.#options.remember)) this.#unsent = [...this.#unsent, signal].slice(-unsentAtMost);
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const before = this.#current.sequence;
      const end = await this.#converse();
      if (signal.aborted) return;
      const error = errorOfEnd(end);
      if (error) throw error;
      failures = this.#current.sequence > before ? 1 : Math.min(failures + 1, longestPauseAt); // else it was a good connection
      const pauseMs = backoffMs(failures, retryAfterOfEnd(end), this.#connection.clock.random());
      await this.#connection.clock.pause(pauseMs, signal).catch(() => undefined);
    }
  }

  /** One connection, from its first signal to its end. */
  #converse(): Promise<Status> {
    const call = this.#channel.open(this.#connection.authorization);
    const silence = setTimeout(() => call.cancel(), silentMs);
    call.on('data', (update: Update__Output) => {
      silence.refresh();
      this.#take(update);
    });
    call.once('metadata', () => {
      this.#call = call; // the server is there
      for (const signal of this.#unsent.splice(0)) this.#send(call, signal);
    });
    const leave = () => {
      call.write({ session_end: {} });
      call.end();
      setTimeout(() => call.cancel(), leavingMs).unref(); // nobody may be there to answer
    };
    this.#closing.signal.addEventListener('abort', leave, { once: true });
    [this.#sent, this.#lastWords, this.#answered] = [0, 0, 0];
    this.#send(call, { session_start: this.#start() });
    return new Promise((resolve) => {
      call.on('error', () => undefined); // its status says it too
      call.once('status', (end) => {
        clearTimeout(silence);
        this.#closing.signal.removeEventListener('abort', leave);
        this.#call = undefined;
        for (const { resolve: goOn } of this.#waiting.splice(0)) goOn();
        resolve(end);
      });
    });
  }

  #start() {
    const { user_id, customer_id, conversation_id, token_budget } = this.#options;
    return {
      user_id: user_id ?? '',
      customer_id: customer_id ?? '',
      conversation_id: conversation_id ?? '',
      token_budget: token_budget ?? 0,
      session_id: this.#sessionId,
      last_sequence: this.#current.sequence,
      keeps_bundle: true,
    };
  }

  #take({ bundle, withdrawal, throttle }: Update__Output): void {
    if (withdrawal) this.#current.withdraw(withdrawal);
    if (bundle) {
      this.#current.replace(bundle);
      this.#answered = bundle.signals_heard;
      const [answered, waiting] = [this.#waiting.filter((each) => each.for <= this.#answered), this.#waiting];
      this.#waiting = waiting.filter((each) => !answered.includes(each));
      for (const { resolve } of answered) resolve();
    }
    if (throttle) this.#quietUntil = Date.now() + throttle.retry_after_ms;
    if (withdrawal || bundle) this.#wake();
  }

  /** Resolves with the bundle that answers the last words, or after so long. */
  #answer(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      const answered = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push({ for: this.#lastWords, resolve: answered });
    });
  }

  async #fetch(question: string): Promise<readonly StreamMemory[]> {
    const { user_id, customer_id, conversation_id } = this.#options;
    const { memories } = await this.#client.recall(question, {
      ...(user_id ? { user_id } : {}),
      ...(customer_id ? { customer_id } : {}),
      ...(conversation_id ? { conversation_id } : {}),
    });
    return memories.map((memory) => Object.assign(memory, { reason: 'fetched' as const }));
  }
}
