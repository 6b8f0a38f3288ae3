import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { readSummary } from '../compaction/read-compactions.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { findConversation } from '../conversations/conversation-store.ts';
import type { Message } from '../conversations/conversation.ts';
import type { MessageFeed } from '../conversations/message-feed.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import { DomainError } from '../errors.ts';
import { latestOnly } from '../flow/latest-only.ts';
import { conversationUuid } from '../ids.ts';
import { isLonger, limits } from '../limits.ts';
import { expiryOfContext, type PrefetchedContext, type PrefetchKey } from '../reader-cache/prefetched-context.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import { revisionsCoverReads, versionVectorOf, type Access, type SubjectIds } from '../tenancy/access.ts';
import { accessAsWorker, type AuthenticationDependencies } from '../tenancy/authenticate.ts';
import type { Context, ContextQuery, PrefetchLookup } from './context.ts';
import { retrieveContext } from './fetch-context.ts';
import { fetchOptionsOf, isSameOptions, optionsKeyOf, normaliseQueryText, type FetchOptions } from './fetch-options.ts';
import type { SharedPrefetches } from './prefetch-store.ts';

export interface PrefetchDependencies extends RetrievalDependencies, AuthenticationDependencies {
  readonly feed: MessageFeed;
  readonly shared: SharedPrefetches;
  readonly warn: (message: string, error: unknown) => void;
}

/** Messages of a conversation for which contexts are prefetched though it never fetches. */
const unaskedAtMost = 3;
/** Conversations that wait for their turn; for messages of others nothing is prefetched meanwhile. */
const waitingAtMost = 100;
const conversationsAtMost = 10_000;
/** The interval at which expired contexts are removed from the shared store. */
const tidyEveryMs = 60_000;

/** A conversation as this process knows it. */
interface KnownConversation {
  /** The options of its last fetch; undefined: this process saw none. */
  options?: FetchOptions;
  /** The words it fetched for since its last message: these need no prefetching any more. */
  words?: string | undefined;
  /** Messages since its last fetch. */
  unasked: number;
  readonly messages: ReturnType<typeof latestOnly<MessageToAnswer>>;
}

interface MessageToAnswer {
  readonly access: Access;
  readonly conversationId: string;
  readonly text: string;
}

/**
 * Retrieves the context that a conversation will probably fetch next, which is for its last message, before it fetches:
 * one after the other, so that those who wait for an answer come first. A conversation that does not fetch is soon left
 * alone.
 */
export class Prefetcher implements PrefetchLookup {
  readonly #deps: PrefetchDependencies;
  readonly #oneByOne = pLimit(1);
  readonly #conversations = new LRUCache<string, KnownConversation>({ max: conversationsAtMost });
  #tidying: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(deps: PrefetchDependencies) {
    this.#deps = deps;
  }

  /** The context prefetched for this query; null when there is none, or its reader's data changed. */
  async find(access: Access, query: ContextQuery): Promise<Context | null> {
    const text = textOf(query);
    // Nothing is found for a browser: it names nobody, and whose the conversation is that it names is for
    // `resolveSubject`.
    if (text === undefined || access.principal.kind === 'browser') return null;
    const { db, readers, shared, now } = this.#deps;
    const configuration = await currentConfiguration(db, access);
    const conversationId = conversationUuid(access.instance, query.conversationId!).id;
    const key = {
      instanceNumber: access.instanceNumber,
      conversationId,
      options: optionsKeyOf(query, configuration),
      words: normaliseQueryText(text),
    };
    const cached = await readers.prefetched(key, now());
    const found = cached ?? (await shared.find(access, key, now()));
    if (!found || found.configurationVersion !== access.configurationVersion || !isFor(query, found)) return null;
    const [owners, messages] = await Promise.all([
      readers.owners(access.instanceNumber, found.named, configuration.isolation),
      this.#recentMessages(access, key, found),
    ]);
    if (versionVectorOf(owners) !== found.versions) {
      readers.dropPrefetched(key, found);
      return null;
    }
    if (!cached) readers.keepPrefetched(key, found);
    const summary = await readers.summary(key, owners, () => readSummary(db, access, query.conversationId!));
    const { named, memories, totalTokens, budgetExceeded, configurationVersion } = found;
    const told = { named, memories, totalTokens, budgetExceeded, configurationVersion };
    const mode = query.mode ?? configuration.retrieval.mode;
    return { ...told, mode, source: 'anticipation', warnings: [], summary, recentMessages: messages };
  }

  /** Reads the latest messages, from memory where this process knows that none came since. */
  #recentMessages(
    access: Access,
    { conversationId }: PrefetchKey,
    { recent }: PrefetchedContext,
  ): readonly Message[] | Promise<readonly Message[]> {
    const isLatest = this.#deps.feed.countOf(access.instanceNumber, conversationId) === recent.count;
    return isLatest ? recent.messages : recentMessages(this.#deps.db, access, conversationId);
  }

  /** The people in a conversation said something. */
  noteMessage(access: Access, conversationId: string, text: string): void {
    if (isLonger(text, limits.query) || this.#oneByOne.pendingCount >= waitingAtMost) return;
    const existing = this.#knownOf(access, conversationId);
    existing.unasked += 1;
    existing.words = undefined;
    existing.messages.push({ access, conversationId, text });
  }

  /** A conversation fetches, and will probably fetch with the same options again. */
  noteFetch(access: Access, query: ContextQuery): void {
    const { conversationId } = query;
    const text = textOf(query);
    if (text === undefined || conversationId === undefined) return;
    const existing = this.#knownOf(access, conversationId);
    existing.unasked = 0;
    existing.words = normaliseQueryText(text);
    const options = fetchOptionsOf(query);
    if (existing.options && isSameOptions(existing.options, options)) return;
    existing.options = options;
    const { id } = conversationUuid(access.instance, conversationId);
    const at = this.#deps.now();
    void this.#deps.shared.saveOptions(access, { conversationId: id, options, at }).catch(this.#failed);
  }

  /** Resolves when the contexts for earlier messages are prefetched, or a later message took their place. */
  async settled(): Promise<void> {
    await Promise.all([...this.#conversations.values()].map(({ messages }) => messages.settled()));
    await this.#oneByOne(() => undefined); // for conversations that are known no more
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#tidying);
    return this.settled();
  }

  #knownOf({ instance, instanceNumber }: Access, conversationId: string): KnownConversation {
    const key = `${instanceNumber}/${conversationUuid(instance, conversationId).id}`;
    let existing = this.#conversations.get(key);
    if (!existing) {
      const made: KnownConversation = {
        unasked: 0,
        messages: latestOnly((message: MessageToAnswer) =>
          this.#oneByOne(() => this.#prefetch(made, message)).catch(this.#failed),
        ),
      };
      this.#conversations.set(key, (existing = made));
    }
    return existing;
  }

  async #prefetch(existing: KnownConversation, { text, ...message }: MessageToAnswer): Promise<void> {
    if (this.#isClosed) return;
    const { db, readers, shared } = this.#deps;
    const access = await accessAsWorker(this.#deps, message.access); // a stream's own is as old as the stream
    const { id: conversationId } = conversationUuid(access.instance, message.conversationId);
    const options = existing.options ?? (await shared.readOptions(access, conversationId));
    if (!options && existing.unasked > unaskedAtMost) return;
    const words = normaliseQueryText(text);
    if (!words || words === existing.words) return;
    const configuration = await currentConfiguration(db, access);
    const key = {
      instanceNumber: access.instanceNumber,
      conversationId,
      options: optionsKeyOf(options ?? {}, configuration),
      words,
    };
    // Naming the conversation alone: naming its user again would bring back one who was forgotten meanwhile.
    const query = { conversationId, ...options, searchQueries: [text], explain: false };
    const context = await readers.prefetch(key, () => this.#retrieve(access, query));
    if (!context) return;
    await shared.save(access, key, context);
    this.#tidyLater();
  }

  async #retrieve(
    access: Access,
    query: ContextQuery & { readonly conversationId: string },
  ): Promise<PrefetchedContext | null> {
    const { db, feed, now } = this.#deps;
    const { reads, warnings, ...found } = await retrieveContext(this.#deps, access, query);
    if (warnings.length || !revisionsCoverReads(reads, found.named.customerId)) return null;
    const conversation = await findConversation(db, access, query.conversationId);
    const count = conversation?.messageCount ?? 0; // before the messages: more of them are read again
    feed.noteCount(access.instanceNumber, query.conversationId, count);
    const recent = { messages: await recentMessages(db, access, query.conversationId), count };
    const { named, memories, totalTokens, budgetExceeded, configurationVersion } = found;
    return {
      named,
      memories,
      totalTokens,
      budgetExceeded,
      configurationVersion,
      versions: versionVectorOf(reads),
      recent,
      expiresAt: expiryOfContext(memories, now()),
    };
  }

  #tidyLater(): void {
    if (this.#isClosed) return;
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      void this.#deps.shared.removeExpired(this.#deps.now()).catch(this.#failed);
      if (this.#deps.readers.prefetchedCount) this.#tidyLater();
    }, tidyEveryMs).unref();
  }

  /**
   * Logs an error of a prefetch, for which nobody waits. Refusals, and subjects that are gone by now, are no errors.
   */
  readonly #failed = (error: unknown): void => {
    if (!(error instanceof DomainError) && !this.#isClosed) this.#deps.warn('a context could not be prefetched', error);
  };
}

/** The one text of a query that says no more than a message says; undefined for all others. */
function textOf({ conversationId, searchQueries, metadata, asOf, explain }: ContextQuery): string | undefined {
  const isPlain = conversationId !== undefined && searchQueries.length === 1 && !metadata && !asOf && !explain;
  return isPlain ? searchQueries[0] : undefined;
}

/** A query inherits those whom its conversation belongs to; one that names others is refused by `resolveSubject`. */
const isFor = (query: SubjectIds, { named: { userId, customerId } }: PrefetchedContext): boolean =>
  (query.userId === undefined || query.userId === userId) &&
  (query.customerId === undefined || query.customerId === customerId);
