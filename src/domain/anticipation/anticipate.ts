import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, invalid } from '../errors.ts';
import type { Access } from '../tenancy/access.ts';
import type { Session, Signal, Update } from './anticipation.ts';
import { latestOnly } from './latest-only.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { Circumstances, Prediction } from './predict.ts';
import type { Lasting, Sessions } from './sessions.ts';
import { createThrottle } from './throttle.ts';
import { untilAborted } from './until-aborted.ts';

/** What a stream needs. */
export interface Anticipating {
  readonly sessions: Sessions;
  predict(access: Access, circumstances: Circumstances): Promise<Prediction>;
  /** Memories, by their printed ids, were of use after what was said last. */
  learn(access: Access, used: Omit<Circumstances, 'held'> & { memoryIds: readonly string[] }): Promise<void>;
  /** Throws once the credential that opened the stream opens it no more. */
  reauthenticate(): Promise<void>;
  newBundleId(): string;
}

/** Half of the second that a revocation may take to end a silent stream: a busy process is late. */
const checkEveryMs = 500;
/** A reader that hears nothing for twice as long may take the stream for lost. */
const heartbeatMs = 30_000;

/**
 * A session: what is said goes in, the memories that it calls for come out, until the signals end or `signal` is
 * aborted. Throws `invalid_input` for signals out of order, `conflict` when another stream resumes the session, and what
 * `reauthenticate`, `predict` and `learn` throw.
 */
export async function* anticipate(
  d: Anticipating,
  access: Access,
  signals: AsyncIterable<Signal>,
  signal: AbortSignal,
): AsyncGenerator<Update, void, undefined> {
  if (signal.aborted) return;
  const outbox = createOutbox();
  const over = new AbortController();
  const end = () => over.abort();
  const conversation = new Conversation(d, access, outbox);
  const stopWatching = watchCredential(() => d.reauthenticate(), outbox.fail);
  const heartbeat = setInterval(() => outbox.put({ kind: 'pong' }), heartbeatMs);
  over.signal.addEventListener('abort', () => {
    stopWatching();
    clearInterval(heartbeat);
    outbox.close();
  });
  signal.addEventListener('abort', end, { once: true });
  try {
    void conversation.hold(untilAborted(signals, over.signal), over.signal).then(outbox.finish, outbox.fail);
    for await (const update of outbox.updates()) {
      heartbeat.refresh();
      yield conversation.leaving(update);
    }
  } finally {
    signal.removeEventListener('abort', end);
    over.abort();
    conversation.close();
  }
}

/** One session on one stream. */
class Conversation {
  readonly #d: Anticipating;
  readonly #access: Access;
  readonly #outbox: Outbox;
  readonly #throttle = createThrottle(() => performance.now());
  readonly #answers = latestOnly((isBrief: boolean) => this.#answer(isBrief));
  #session: Session | undefined;
  #lasting: Lasting | undefined;
  #isOver = false;
  readonly #release = () => this.#outbox.fail(new DomainError('conflict', 'another stream resumed this session'));

  constructor(d: Anticipating, access: Access, outbox: Outbox) {
    this.#d = d;
    this.#access = access;
    this.#outbox = outbox;
  }

  async hold(signals: AsyncIterable<Signal>, over: AbortSignal): Promise<void> {
    for await (const signal of signals) {
      const waitMs = this.#throttle.take();
      if (waitMs > 0) {
        this.#outbox.put({ kind: 'throttle', retryAfterMs: waitMs });
        if (signal.kind === 'partial-message') continue; // the next one says it all again
        await delay(waitMs, undefined, { signal: over }).catch(() => undefined);
      }
      await this.#d.reauthenticate(); // before anything is done for it
      if (signal.kind === 'session-end') {
        this.#isOver = true;
        break;
      }
      await this.#take(signal);
    }
    await this.#answers.settled();
  }

  async #take(signal: Exclude<Signal, { kind: 'session-end' }>): Promise<void> {
    if (signal.kind === 'ping') return this.#outbox.put({ kind: 'pong' });
    if (signal.kind === 'session-start') return this.#start(signal.session);
    const { session, attention } = this.#begun(signal.kind);
    switch (signal.kind) {
      case 'message':
        attention.hear(signal.role === 'assistant' ? 'agent' : 'people', signal.content);
        break;
      case 'partial-message':
        if (signal.role === 'assistant') return; // its words are heard when they are complete
        attention.speaking(signal.content);
        break;
      case 'tool-call':
        attention.hear('agent', `${signal.name} ${signal.arguments}`);
        break;
      case 'context-used':
        return this.#d.learn(this.#access, { session, attention, memoryIds: signal.memoryIds });
    }
    this.#d.sessions.keep(this.#access.instance, session, this.#lasting!);
    this.#answers.push(false);
  }

  #start(session: Session): void {
    if (this.#session) throw invalid('session_start', 'this stream has its session already');
    this.#session = session;
    this.#lasting = this.#d.sessions.open(this.#access.instance, session);
    this.#lasting.release = this.#release;
    const { holding } = this.#lasting;
    const missed = holding.resume(session.lastSequence ?? 0);
    if (missed?.length) this.#outbox.withdraw(missed, () => holding.next());
    this.#d.sessions.keep(this.#access.instance, session, this.#lasting);
    this.#answers.push(true);
  }

  #begun(kind: Signal['kind']): { session: Session } & Lasting {
    if (this.#session && this.#lasting) return { session: this.#session, ...this.#lasting };
    throw invalid(kind.replace('-', '_'), 'session_start must come first');
  }

  /** A brief, at the start, comes only if there is something to say. */
  async #answer(isBrief: boolean): Promise<void> {
    try {
      const { session, attention, holding } = this.#begun('message');
      const held = holding.ids;
      const { memories, totalTokens, gone } = await this.#d.predict(this.#access, { session, attention, held });
      await this.#d.reauthenticate(); // the key may have been revoked while we searched
      if (gone.length) this.#outbox.withdraw(gone, () => holding.next());
      if (isBrief && !memories.length && !held.length) return;
      const bundle = { bundleId: this.#d.newBundleId(), memories, totalTokens, isSnapshot: false };
      this.#outbox.put({ kind: 'bundle', sequence: holding.next(), ...bundle });
    } catch (error) {
      this.#outbox.fail(error);
    }
  }

  /** The update as it goes out, which the reader holds from now on. */
  leaving(update: Update): Update {
    if (!this.#session || !this.#lasting) return update;
    if (update.kind === 'bundle') return this.#lasting.holding.leave(update, this.#session.keepsBundle === true);
    return update.kind === 'withdrawal' ? this.#lasting.holding.withdraw(update) : update;
  }

  close(): void {
    if (!this.#session || !this.#lasting) return;
    if (this.#lasting.release !== this.#release) return; // another stream has it now
    this.#lasting.release = undefined;
    if (this.#isOver) this.#d.sessions.forget(this.#access.instance, this.#session);
    else this.#d.sessions.keep(this.#access.instance, this.#session, this.#lasting);
  }
}

/** Calls `lost` when the credential is lost. Returns what ends the watch. */
function watchCredential(reauthenticate: () => Promise<void>, lost: (error: unknown) => void): () => void {
  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return; // a database that hangs must not collect checks
    isChecking = true;
    void reauthenticate()
      .catch(lost)
      .finally(() => (isChecking = false));
  }, checkEveryMs);
  return () => clearInterval(timer);
}
