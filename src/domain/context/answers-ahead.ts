import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { currentConfiguration } from '../configurations/store.ts';
import { findConversation } from '../conversations/conversation-store.ts';
import type { MessageFeed } from '../conversations/message-feed.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import type { Naming } from '../conversations/resolve-subject.ts';
import { DomainError } from '../errors.ts';
import { latestOnly } from '../flow/latest-only.ts';
import { conversationUuid } from '../ids.ts';
import { limits } from '../limits.ts';
import { isSameManner, keyOfManner, mannerOf, wordsOf, type Manner } from '../ready-answers/manner.ts';
import { expiryOfAnswer, type ReadyAnswer } from '../ready-answers/ready-answer.ts';
import { readManner, saveManner, saveReadyAnswer, tidyReadyAnswers } from '../ready-answers/ready-answer-store.ts';
import type { Retrieving } from '../retrieval/search.ts';
import { revisionsIn, tellAll, type Access } from '../tenancy/access.ts';
import { accessAsWorker, type Authentication } from '../tenancy/authenticate.ts';
import { markOf } from '../tenancy/store.ts';
import type { ContextQuery } from './context.ts';
import { findContext } from './find-context.ts';
import { textOf, type Readiness } from './ready-context.ts';

/** What answering ahead needs. */
export interface Answering extends Retrieving, Readiness, Authentication {
  readonly feed: MessageFeed;
  readonly warn: (message: string, error: unknown) => void;
}

/** Messages of a conversation that are answered ahead though it never asked for anything. */
const unaskedAtMost = 3;
/** Conversations that wait for their turn; what is said in others meanwhile is not answered ahead. */
const waitingAtMost = 100;
const conversationsAtMost = 10_000;
/** How often what is over is removed. */
const tidyEveryMs = 60_000;

/** Whose a conversation is, and its id. */
export type Talk = Naming & { readonly conversationId: string };

/** What is known of a conversation in this process. */
interface Known {
  /** As it asked last; undefined: not here. */
  manner?: Manner;
  /** What it asked since something was said: that needs no answer ahead any more. */
  words?: string | undefined;
  /** Messages since it asked. */
  unasked: number;
  readonly answers: ReturnType<typeof latestOnly<Said>>;
  /** The number of the message that comes next, as far as one was heard; infinite once nobody listens. */
  next: number;
  stopListening(): void;
}

interface Said {
  readonly access: Access;
  readonly talk: Talk;
  readonly text: string;
}

/**
 * Answers what a conversation will probably ask next, which is what was just said in it, before it asks: one after the
 * other, so that those who wait for an answer come first. A conversation that does not ask is soon left alone.
 */
export class AnswersAhead {
  readonly #d: Answering;
  readonly #oneByOne = pLimit(1);
  readonly #known = new LRUCache<string, Known>({
    max: conversationsAtMost,
    dispose(known) {
      known.next = Infinity;
      known.stopListening();
    },
  });
  #tidying: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(d: Answering) {
    this.#d = d;
  }

  /** Something was said by the people in a conversation. */
  said(access: Access, talk: Talk, text: string): void {
    if (text.length > limits.query.most || this.#oneByOne.pendingCount >= waitingAtMost) return;
    const known = this.#knownOf(access, talk.conversationId);
    known.unasked += 1;
    known.words = undefined;
    known.answers.push({ access, talk, text });
  }

  /** A conversation asks, and will probably ask in the same manner again. */
  asked(access: Access, query: ContextQuery): void {
    const { conversationId } = query;
    const text = textOf(query);
    if (text === undefined || conversationId === undefined) return;
    const known = this.#knownOf(access, conversationId);
    known.unasked = 0;
    known.words = wordsOf(text);
    const manner = mannerOf(query);
    if (known.manner && isSameManner(known.manner, manner)) return;
    known.manner = manner;
    if (this.#d.isAlone) return;
    const { id } = conversationUuid(access.instance, conversationId);
    void saveManner(this.#d.db, access, { conversationId: id, manner, at: this.#d.now() }).catch(this.#failed);
  }

  /** Resolves when what was said before is answered, or was overtaken by what was said later. */
  async settled(): Promise<void> {
    await Promise.all([...this.#known.values()].map(({ answers }) => answers.settled()));
    await this.#oneByOne(() => undefined); // of conversations that are known no more
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#tidying);
    return this.settled();
  }

  #knownOf({ instance, i }: Access, conversationId: string): Known {
    const { id } = conversationUuid(instance, conversationId);
    const key = `${i}/${id}`;
    let known = this.#known.get(key);
    if (!known) {
      const made: Known = {
        unasked: 0,
        next: 0,
        stopListening: this.#d.isAlone
          ? this.#d.feed.listen(i, id, ({ n = -1 }) => (made.next = Math.max(made.next, n + 1)))
          : () => undefined,
        answers: latestOnly((said: Said) => this.#oneByOne(() => this.#answer(made, said)).catch(this.#failed)),
      };
      this.#known.set(key, (known = made));
    }
    return known;
  }

  async #answer(known: Known, { access: { instance }, talk, text }: Said): Promise<void> {
    if (this.#isClosed) return;
    const { db, isAlone, readyAnswers } = this.#d;
    const access = await accessAsWorker(this.#d, instance); // a stream's own is as old as the stream
    const { id: conversationId } = conversationUuid(instance, talk.conversationId);
    const manner = known.manner ?? (isAlone ? null : await readManner(db, access, conversationId));
    if (!manner && known.unasked > unaskedAtMost) return;
    const words = wordsOf(text);
    if (!words || words === known.words) return;
    const configuration = await currentConfiguration(db, access);
    const asked = { i: access.i, conversationId, manner: keyOfManner(manner ?? {}, configuration), words };
    // Of the conversation alone: naming its user again would bring back one who was forgotten meanwhile.
    const query = { conversationId: talk.conversationId, ...manner, searchQueries: [text], explain: false };
    const answer = await readyAnswers.make(asked, () => this.#find(access, query, known));
    if (!answer) return;
    if (!isAlone) await saveReadyAnswer(db, access, asked, answer);
    this.#tidyLater();
  }

  async #find(access: Access, query: ContextQuery & Talk, known: Known): Promise<ReadyAnswer | null> {
    const stamp = this.#d.heardChanges.stampOf(access.i);
    const { named, memories, totalTokens, budgetExceeded, configurationVersion, reads, warnings } = await findContext(
      this.#d,
      access,
      query,
    );
    if (warnings.length || !tellAll(reads, named.customerId)) return null;
    const { db, isAlone } = this.#d;
    const conversation = await findConversation(db, access, conversationUuid(access.instance, query.conversationId).id);
    const count = conversation?.messageCount ?? 0; // before the messages: more of them are read again
    const recent = { messages: await recentMessages(db, access, query.conversationId), count };
    return {
      named,
      memories,
      totalTokens,
      budgetExceeded,
      configurationVersion,
      revisions: revisionsIn(reads),
      mark: markOf(reads),
      stamp,
      recent,
      ...(isAlone ? { heardMore: () => known.next > count } : {}),
      expiresAt: expiryOfAnswer(memories, this.#d.now()),
    };
  }

  #tidyLater(): void {
    if (this.#isClosed) return;
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      const now = this.#d.now();
      this.#d.readyAnswers.tidy(now);
      if (!this.#d.isAlone) void tidyReadyAnswers(this.#d.db, now).catch(this.#failed);
      if (this.#d.readyAnswers.size) this.#tidyLater();
    }, tidyEveryMs).unref();
  }

  /** Nobody waits for it: the store answers as ever. What the caller may not do, or is gone by now, is no failure. */
  readonly #failed = (error: unknown): void => {
    if (!(error instanceof DomainError) && !this.#isClosed) this.#d.warn('an answer could not be made ready', error);
  };
}
