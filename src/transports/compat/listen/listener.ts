import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import type { AnticipatedMemory, Signal } from '../../../domain/anticipation/stream-messages.ts';
import { DomainError, type ErrorCode } from '../../../domain/errors.ts';
import { isUuid, toPublicId } from '../../../domain/ids.ts';
import { isLonger, limits, type Limit } from '../../../domain/limits.ts';
import { storableText } from '../../../domain/plain-text.ts';
import type { Access } from '../../../domain/tenancy/access.ts';
import type { Telemetry } from '../../../telemetry.ts';
import { currentCompaction } from '../compactions.ts';
import { findConversationWithMessages } from '../conversations.ts';
import { optionalCallerId, roleField } from '../fields.ts';
import type { TurnDeduplicator } from '../turn-deduplicator.ts';
import type { EventDeduplicator } from './event-deduplicator.ts';
import type { ContextUsed, ConversationEvent, SessionControl, StreamResponse } from './protocol.ts';
import { SignalQueue } from './signal-queue.ts';
import { toBundle, toCompactionUpdate, type Addressee, type PushedMemory } from './to-bundle.ts';

export interface ListenDependencies {
  readonly app: App;
  readonly telemetry: Pick<Telemetry, 'log'>;
  readonly turns: TurnDeduplicator;
}

/** The connection of a listener. */
export interface ListenConnection {
  /** Opens the key of the connection as of now: throws once it is invalid. */
  readonly current: () => Promise<Access>;
  readonly push: (response: StreamResponse) => void;
  readonly events: EventDeduplicator;
}

/** Conversations of one connection that are foreseen at a time, and how long one is that says nothing. */
const [sessionsAtMost, silentMs] = [500, 30 * 60_000];
/** Conversations whose compactions are looked for: those that said something of late. */
const [watchedAtMost, watchedForMs] = [20, 10 * 60_000];

/** Memories that answer a turn; the library keeps them long. */
const answeredAtMost = 5;
/** Memories that the library has: what is foreseen is pushed once in so long. */
const [pushedAtMost, pushedForMs] = [5_000, 10 * 60_000];

interface WatchedConversation {
  readonly to: Addressee;
  /** The compaction that was there, or was told: undefined until that is known, and null where there is none. */
  compactionId: string | null | undefined;
  /** Messages were counted since its last count was sent, which only releases that name their events understand. */
  isCounted: boolean;
}

/** A connection of the library, which multiplexes conversations of many users, each with a session of its own. */
export class Listener {
  readonly #deps: ListenDependencies;
  readonly #access: Access;
  readonly #current: ListenConnection['current'];
  readonly #push: ListenConnection['push'];
  readonly #events: EventDeduplicator;
  readonly #over = new AbortController();
  readonly #sessions = new LRUCache<string, SignalQueue>({
    max: sessionsAtMost,
    ttl: silentMs,
    updateAgeOnGet: true,
    dispose: (queue) => queue.end(),
  });
  readonly #pushed = new LRUCache<string, true>({ max: pushedAtMost, ttl: pushedForMs });
  readonly #watched = new LRUCache<string, WatchedConversation>({ max: watchedAtMost, ttl: watchedForMs });

  constructor(deps: ListenDependencies, access: Access, { current, push, events }: ListenConnection) {
    this.#deps = deps;
    this.#access = access;
    this.#current = current;
    this.#push = push;
    this.#events = events;
  }

  /** An event is acknowledged once it is done with, and not before: the library repeats what it has no acknowledgement of. */
  hear(event: ConversationEvent): void {
    const eventId = isLonger(event.eventId, limits.id) ? '' : event.eventId;
    const settle = (isDone: boolean) => {
      if (!eventId) return;
      this.#events.settle(this.#access, eventId, isDone);
      if (isDone) this.#push({ eventAck: { eventIds: [eventId], timestampMs: Date.now() } });
    };
    if (eventId && this.#events.isUnderWay(this.#access, eventId)) return;
    if (eventId && this.#events.has(this.#access, eventId)) return settle(true);
    if (eventId) this.#events.begin(this.#access, eventId);
    this.#take(event, eventId !== '', settle);
  }

  /** Does what an event is about, and settles it: not where it begins a session that the key has no room for. */
  #take(event: ConversationEvent, isNamed: boolean, settle: (isDone: boolean) => void): void {
    const said = signalOf(event);
    const to = addresseeOf(event);
    if (!said || (!to?.userId && !to?.conversationId)) return settle(true);
    const session = this.#sessionOf(to);
    if (!session) return settle(false);
    const signal = this.#onceKept(said, event.conversationId);
    if (to.conversationId) this.#watch(to.conversationId, to, isNamed && signal.kind === 'message');
    session.isAsked = event.eventType === 'user_message';
    const done = new Promise<boolean>((resolve) => {
      session.push(signal, (isDone) => {
        settle(isDone);
        resolve(isDone);
      });
    });
    const { conversationId } = to;
    if (said.kind === 'message' && conversationId)
      this.#deps.turns.keeps(this.#access, { conversationId, role: said.role, content: said.content }, done);
    if (said.kind === 'message' && session.isAsked) void this.#answerAhead(to, said.content);
    if (signal.kind === 'session-end') this.#sessions.delete(keyOf(to));
  }

  /** The signal; a message that REST told is heard as words that are typed, and not kept again. */
  #onceKept(signal: Signal, conversationId: string): Signal {
    if (signal.kind !== 'message' || !conversationId) return signal;
    const { role, content } = signal;
    const isKept = this.#deps.turns.isKnown(this.#access, { conversationId, role, content }, 'stream');
    return isKept ? { kind: 'partial-message', role, content } : signal;
  }

  /** A session begins with what is said in it; the end of one ends what is foreseen for it. */
  control({ action, ...of }: SessionControl): void {
    const to = addresseeOf(of);
    const session = to && this.#sessions.get(keyOf(to));
    if (action !== 'end' || !session) return;
    session.push({ kind: 'session-end' });
    this.#sessions.delete(keyOf(to));
  }

  used(used: ContextUsed): void {
    const uuids = used.servedItemIds.filter((id) => isUuid(id)).slice(0, limits.used.max);
    const memoryIds = uuids.map((id) => toPublicId('memory', id.toLowerCase()));
    const to = addresseeOf(used);
    if (to && memoryIds.length) this.#sessions.get(keyOf(to))?.push({ kind: 'context-used', memoryIds });
  }

  /** Tells new compactions and message counts since the last call. Throws once the key is invalid. */
  async tellConversations(): Promise<void> {
    this.#sessions.purgeStale(); // nobody else ends those that fell silent
    const access = await this.#current();
    for (const [conversationId, watched] of this.#watched.entries()) {
      if (watched.isCounted) await this.#tellCount(access, conversationId, watched);
      const compaction = await currentCompaction(this.#deps.app, access, conversationId);
      const before = watched.compactionId;
      watched.compactionId = compaction?.id ?? null;
      // By its id: versions count from 1 again once all were removed, since words of them were forgotten.
      if (!compaction || before === undefined || compaction.id === before) continue;
      const ranges = [{ from: compaction.throughTurn, to: compaction.throughTurn }];
      const [last] = await this.#deps.app.conversationTurns(access, { conversationId, ranges });
      const lastTurnAt = last?.at ?? compaction.createdAt;
      const messageCount =
        (await findConversationWithMessages(this.#deps.app, access, conversationId))?.messageCount ?? 0;
      this.#push(toCompactionUpdate(compaction, watched.to, { lastTurnAt, messageCount }));
    }
  }

  async #tellCount(access: Access, conversationId: string, watched: WatchedConversation): Promise<void> {
    watched.isCounted = false;
    const conversation = await findConversationWithMessages(this.#deps.app, access, conversationId);
    if (conversation) this.#push({ conversationState: { conversationId, messageCount: conversation.messageCount } });
  }

  close(): void {
    this.#over.abort();
    for (const session of this.#sessions.values()) session.close(false);
    this.#sessions.clear();
  }

  /**
   * A session takes a call from the rate of the key, and is one of its streams: the library may name as many users as it
   * likes. Null where it has none left.
   */
  #sessionOf(to: Addressee): SignalQueue | null {
    const before = this.#sessions.get(keyOf(to));
    if (before) return before;
    const leave = this.#begin();
    if (!leave) return null;
    const queue = new SignalQueue();
    queue.push({ kind: 'session-start', session: { ...to, remember: to.conversationId !== undefined } });
    this.#sessions.set(keyOf(to), queue);
    void this.#run(to, queue).finally(leave);
    return queue;
  }

  #begin(): (() => void) | null {
    const { app, telemetry } = this.#deps;
    try {
      app.spend(this.#access);
      return app.beginStream(this.#access);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      telemetry.log.debug({ code: error.code }, 'a conversation of the library was not begun');
      return null;
    }
  }

  async #run(to: Addressee, queue: SignalQueue): Promise<void> {
    const { app, telemetry } = this.#deps;
    let isLastDone = false;
    try {
      for await (const update of app.anticipate(this.#access, queue.signals(), this.#over.signal)) {
        if (update.kind !== 'bundle' || !queue.isAsked) continue;
        const memories = update.memories.filter((memory): memory is AnticipatedMemory => !('held' in memory));
        await this.#pushMemories(
          memories.filter(({ uuid }) => !this.#pushed.has(uuid)),
          to,
        );
      }
      isLastDone = !this.#over.signal.aborted;
    } catch (error) {
      isLastDone = isRefusedForGood(error);
      // The library takes an end of the stream for a fault of the connection: only this conversation ends.
      if (error instanceof DomainError) telemetry.log.info({ code: error.code }, 'a conversation of the library ended');
      else telemetry.log.error({ error }, 'a conversation of the library failed');
    } finally {
      queue.close(isLastDone);
      if (this.#sessions.peek(keyOf(to)) === queue) this.#sessions.delete(keyOf(to));
    }
  }

  /** Fetches and pushes context for what was just said, which the library mostly fetches next. Counts as a call. */
  async #answerAhead(to: Addressee, content: string): Promise<void> {
    const { app, telemetry } = this.#deps;
    try {
      const addressee = await this.#addressee(to);
      if (!addressee || !content.trim()) return;
      const { userId, customerId } = addressee;
      const searchQueries = [content.trim().slice(-limits.query.max)];
      const query = { userId, customerId, searchQueries, mode: 'accurate', maxResults: answeredAtMost } as const;
      const access = await this.#current();
      app.spend(access);
      const { memories } = await app.fetchContext(access, { ...query, explain: false });
      await this.#pushMemories(memories, addressee);
    } catch (error) {
      if (!(error instanceof DomainError)) telemetry.log.error({ error }, 'a turn of the library was not answered');
    }
  }

  async #pushMemories(memories: readonly PushedMemory[], to: Addressee): Promise<void> {
    const addressee = memories.length ? await this.#addressee(to) : null;
    const response = addressee && toBundle(memories, addressee);
    if (!response) return;
    for (const { uuid } of memories) this.#pushed.set(uuid, true);
    this.#push(response);
  }

  /** The user whom a bundle is for. Null: it is not to be pushed, since the library would show it to others. */
  async #addressee(to: Addressee): Promise<Addressee | null> {
    const { app } = this.#deps;
    const conversation =
      to.userId || !to.conversationId ? null : await findConversationWithMessages(app, this.#access, to.conversationId);
    const userId = to.userId ?? conversation?.userId ?? undefined;
    const customerId = to.customerId ?? conversation?.customerId ?? undefined;
    if (!userId) return customerId ? { ...to, customerId } : null;
    const { body } = await app.configurations.active(this.#access);
    if (body.isolation === 'b2c') return { ...to, userId, customerId };
    // The library compares the user alone: one of several customers would be shown what is another's.
    const [customers] = await app.lists.customersOf(this.#access, [{ userId }], { limit: 2 });
    return (customers?.data.length ?? 0) < 2 ? { ...to, userId, customerId } : null;
  }

  #watch(conversationId: string, to: Addressee, isCounted: boolean): void {
    const before = this.#watched.get(conversationId);
    const watched = before ?? { to, compactionId: undefined, isCounted };
    watched.isCounted ||= isCounted;
    this.#watched.set(conversationId, watched);
    if (before) return;
    this.#noteCompaction(conversationId).catch(() => undefined); // it is looked for again
  }

  async #noteCompaction(conversationId: string): Promise<void> {
    const compaction = await currentCompaction(this.#deps.app, this.#access, conversationId);
    const watched = this.#watched.get(conversationId);
    if (watched && watched.compactionId === undefined) watched.compactionId = compaction?.id ?? null;
  }
}

/** Maps an event to a signal; null: it is none, such as a fetch of the library's own, which is no turn. */
function signalOf({ eventType, role, content, toolName, toolArgsJson }: ConversationEvent): Signal | null {
  switch (eventType) {
    case 'user_message':
    case 'assistant_message':
      if (!content.trim()) return null;
      return {
        kind: 'message',
        // A role that REST would refuse is replaced, since these words come from nowhere else.
        role: eventType === 'user_message' ? (roleField.safeParse(role).data ?? 'user') : 'assistant',
        content: textWithin(limits.message, content),
      };
    case 'tool_call': {
      const name = textWithin(limits.toolName, toolName || content);
      return { kind: 'tool-call', name, arguments: textWithin(limits.toolArguments, toolArgsJson) };
    }
    case 'session_end':
      return { kind: 'session-end' };
    default:
      return null;
  }
}

/** The beginning of a text that may be longer than it may be kept. A cut can leave half a surrogate pair. */
const textWithin = ({ max }: Limit, text: string): string => storableText(text.slice(0, max));

/** Errors that are not the event's own fault: repeated, it may be taken. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'unavailable',
  'rate_limited',
  'misdirected',
  'unauthenticated',
  'token_expired',
  'forbidden',
]);

/** Whether an event would be refused again however often it is repeated. */
const isRefusedForGood = (error: unknown): boolean => error instanceof DomainError && !passing.has(error.code);

const keyOf = ({ userId = '', customerId = '', conversationId = '' }: Addressee) =>
  JSON.stringify([userId, customerId, conversationId]);

const Ids = z.object({ userId: optionalCallerId, customerId: optionalCallerId, conversationId: optionalCallerId });

/** Null: an id is none that REST would take, so nothing is known by it. */
const addresseeOf = (told: Pick<ConversationEvent, 'userId' | 'customerId' | 'conversationId'>): Addressee | null =>
  Ids.safeParse(told).data ?? null;
