import { setTimeout as pause } from 'node:timers/promises';
import { credentials, loadPackageDefinition, Metadata, status, type ClientDuplexStream } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** As much of a memory as this agent shows its model. */
export interface Memory {
  readonly id: string;
  readonly content: string;
  readonly score: number;
  /** Why it is here: REASON_STANDING, REASON_DUE, REASON_CONTEXT, REASON_LEARNED; undefined when it was fetched. */
  readonly reason?: string;
}

export interface MemoryStreamOptions {
  /** `host:port` of the stream, and where the HTTP interface is. */
  readonly grpc: string;
  readonly http: string;
  readonly key: string;
  readonly userId: string;
  readonly conversationId: string;
  /** The file that describes the stream; ships with the service. */
  readonly proto?: string;
}

interface Update {
  readonly bundle?: {
    sequence: number;
    snapshot: boolean;
    signalsHeard: number;
    memories: (Memory & { held: boolean })[];
  };
  readonly withdrawal?: { sequence: number; memoryIds: string[] };
  readonly throttle?: { retryAfterMs: number };
  readonly pong?: object;
}
type Call = ClientDuplexStream<object, Update>;
type Service = new (
  address: string,
  channel: ReturnType<typeof credentials.createInsecure>,
  options: object,
) => {
  anticipate(metadata: Metadata): Call;
  close(): void;
};

/** The server says something every 30 s; a stream that is silent for twice as long is lost. */
const silentMs = 60_000;
const [firstPauseMs, longestPauseMs] = [100, 5_000];
/** How long the end of a session may take. */
const leavingMs = 1_000;
/** Turns that are kept for the server while it cannot be reached. */
const unsentAtMost = 20;
/** These ends are our own doing: to open the stream again would end alike. */
const hopeless = new Set([status.INVALID_ARGUMENT, status.UNAUTHENTICATED, status.PERMISSION_DENIED, status.NOT_FOUND]);

/**
 * The memories that a conversation calls for, at hand before the model is asked. It keeps the bundle that stands, and
 * itself connected: after a loss it resumes its session, so that nothing is missed and nothing stale is kept.
 */
export class MemoryStream {
  readonly #options: MemoryStreamOptions;
  readonly #client: InstanceType<Service>;
  readonly #sessionId = crypto.randomUUID();
  readonly #closing = new AbortController();
  readonly #unsent: object[] = [];
  #call: Call | undefined;
  #bundle = new Map<string, Memory>();
  #sequence = 0;
  #quietUntil = 0;
  /** Signals on this connection: how many, which of them were words last, how many of them the bundle answers. */
  #sent = 0;
  #lastWords = 0;
  #answered = 0;
  #waiting: { readonly for: number; readonly resolve: () => void }[] = [];

  /** Settles when the stream is closed; rejects when it can never be open again, such as by a revoked key. */
  readonly ended: Promise<void>;

  constructor(options: MemoryStreamOptions) {
    this.#options = options;
    const { proto = 'proto/presage/anticipation/v1/anticipation.proto' } = options;
    const definition = loadSync(proto, { longs: Number, enums: String, defaults: true, oneofs: true });
    const { presage } = loadPackageDefinition(definition) as unknown as {
      presage: { anticipation: { v1: { Anticipation: Service } } };
    };
    // Use `credentials.createSsl()` where the service speaks TLS.
    this.#client = new presage.anticipation.v1.Anticipation(options.grpc, credentials.createInsecure(), {
      'grpc.initial_reconnect_backoff_ms': firstPauseMs,
      'grpc.max_reconnect_backoff_ms': longestPauseMs,
    });
    this.ended = this.#stayConnected();
    this.ended.catch(() => undefined); // whoever wants to know awaits it
  }

  /** What is known to matter now, best first. */
  get memories(): readonly Memory[] {
    return [...this.#bundle.values()];
  }

  get isConnected(): boolean {
    return this.#call !== undefined;
  }

  /** Words so far of a turn that is being spoken: all of them each time. Of no use any more when they cannot be sent. */
  hears(content: string): void {
    if (this.#call && Date.now() >= this.#quietUntil) this.#send(this.#call, { partialMessage: { content } });
  }

  /** A whole turn, of the user or of this agent. */
  said(role: 'user' | 'assistant', content: string): void {
    this.#tell({ message: { role, content } });
  }

  /** Which memories went into the last answer: from this the service learns. */
  used(memoryIds: readonly string[]): void {
    if (memoryIds.length > 0) this.#tell({ contextUsed: { memoryIds } });
  }

  /**
   * The memories for an answer to what was just said: those of the bundle that answers it, if it is here or comes within
   * `patienceMs`; else those that stand, which partial words have mostly brought already. Without a connection, those of
   * a fetch.
   */
  async recall(question: string, patienceMs = 50): Promise<readonly Memory[]> {
    if (!this.isConnected) return this.#fetch(question);
    if (this.#answered < this.#lastWords) {
      const answer = new Promise<void>((resolve) => this.#waiting.push({ for: this.#lastWords, resolve }));
      await Promise.race([answer, pause(patienceMs, undefined, { ref: false })]);
    }
    return this.memories;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.ended.catch(() => undefined);
    this.#client.close();
  }

  #send(call: Call, signal: object): void {
    call.write(signal);
    this.#sent += 1;
    if ('message' in signal || 'partialMessage' in signal) this.#lastWords = this.#sent;
  }

  #tell(signal: object): void {
    if (this.#call) this.#send(this.#call, signal);
    else this.#unsent.push(signal);
    if (this.#unsent.length > unsentAtMost) this.#unsent.shift();
  }

  async #stayConnected(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      const before = this.#sequence;
      const end = await this.#converse();
      if (signal.aborted) return;
      if (hopeless.has(end.code)) throw new Error(`the stream ended: ${end.details}`);
      if (this.#sequence > before) pauseMs = firstPauseMs; // it was a good connection
      // Not all at the same time: a server that comes back meets all its clients.
      await pause(pauseMs * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  }

  /** One connection, from its first signal to its end. */
  #converse(): Promise<{ code: status; details: string }> {
    const { key, userId, conversationId } = this.#options;
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${key}`);
    const call = this.#client.anticipate(metadata);
    const silence = setTimeout(() => call.cancel(), silentMs);
    call.on('data', (update: Update) => {
      silence.refresh();
      this.#take(update);
    });
    call.once('metadata', () => {
      this.#call = call; // the server is there
      for (const signal of this.#unsent.splice(0)) this.#send(call, signal);
    });
    const leave = () => {
      call.write({ sessionEnd: {} });
      call.end();
      setTimeout(() => call.cancel(), leavingMs).unref(); // nobody may be there to answer
    };
    this.#closing.signal.addEventListener('abort', leave, { once: true });
    const lastSequence = this.#sequence;
    [this.#sent, this.#lastWords, this.#answered] = [0, 0, 0];
    this.#send(call, {
      sessionStart: { userId, conversationId, sessionId: this.#sessionId, lastSequence, keepsBundle: true },
    });
    return new Promise((resolve) => {
      call.on('error', () => undefined); // its status says it too
      call.once('status', (end) => {
        clearTimeout(silence);
        this.#closing.signal.removeEventListener('abort', leave);
        this.#call = undefined;
        resolve(end);
      });
    });
  }

  #take({ bundle, withdrawal, throttle }: Update): void {
    if (withdrawal) {
      this.#sequence = withdrawal.sequence;
      for (const id of withdrawal.memoryIds) this.#bundle.delete(id); // from now on: never shown again
    }
    if (bundle) {
      this.#sequence = bundle.sequence;
      const held = bundle.snapshot ? new Map<string, Memory>() : this.#bundle;
      // What we hold travels by its id: the words are those that we have.
      const all = bundle.memories.map((memory) =>
        memory.held ? { ...held.get(memory.id)!, ...standing(memory) } : memory,
      );
      this.#bundle = new Map(
        all.map(({ id, content, score, reason }) => [id, { id, content, score, reason: reason! }]),
      );
      this.#answered = bundle.signalsHeard;
      for (const each of this.#waiting.splice(0)) {
        if (each.for <= this.#answered) each.resolve();
        else this.#waiting.push(each);
      }
    }
    if (throttle) this.#quietUntil = Date.now() + throttle.retryAfterMs;
  }

  async #fetch(question: string): Promise<readonly Memory[]> {
    const { http, key, userId, conversationId } = this.#options;
    const response = await fetch(`${http}/v1/context/fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ search_queries: [question], user_id: userId, conversation_id: conversationId }),
    });
    if (!response.ok) throw new Error(`the fetch was answered ${response.status}`);
    const { memories } = (await response.json()) as { memories: Memory[] };
    return memories.map(({ id, content, score }) => ({ id, content, score }));
  }
}

/** Of a memory that we hold: what may have changed. */
const standing = ({ id, score, reason }: Memory) => ({ id, score, ...(reason ? { reason } : {}) });
