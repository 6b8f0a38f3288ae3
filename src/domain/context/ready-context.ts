import type { Db } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { recentMessages } from '../conversations/read-conversation.ts';
import type { HeardChanges } from '../freshness/heard-changes.ts';
import { conversationUuid } from '../ids.ts';
import { keyOfManner, wordsOf } from '../ready-answers/manner.ts';
import type { AnsweredMemory, ReadyAnswer } from '../ready-answers/ready-answer.ts';
import { readReadyAnswer } from '../ready-answers/ready-answer-store.ts';
import type { ReadyAnswers } from '../ready-answers/ready-answers.ts';
import type { Access, Isolation, Named } from '../tenancy/access.ts';
import type { Context, ContextQuery } from './context.ts';

/** What answering from what is ready needs. */
export interface Readiness {
  readonly db: Db;
  /** There are no other processes that could have made an answer. */
  readonly isAlone: boolean;
  readonly readyAnswers: ReadyAnswers;
  readonly heardChanges: HeardChanges;
  readonly now: () => Date;
}

export interface Checked {
  /** Nothing that its reader may see changed since, and it may still be told. */
  readonly isCurrent: boolean;
  /** What was said in the conversation by now, where that is known. */
  readonly messageCount: number | undefined;
}

/** What is asked, and how to find out that an answer to it still holds. */
export interface Asking {
  readonly query: ContextQuery;
  /** See `Checked`. `conversationId` is its UUID. */
  check(answer: ReadyAnswer, where: { isolation: Isolation; conversationId: string }): Checked | Promise<Checked>;
  /** Whether to look for what other processes made ready, too. */
  readonly isElsewhere: boolean;
}

/**
 * What the store would answer, made ready when it was said in the conversation what is asked for now. Null when there is
 * no such thing, or when anything that its reader may see has changed since.
 */
export async function readyContext(
  d: Readiness,
  access: Access,
  { query, check, isElsewhere }: Asking,
): Promise<Context<AnsweredMemory> | null> {
  const text = textOf(query);
  // Whom a browser means is for `meant` to say: it names nobody, and is bound to somebody.
  if (text === undefined || access.principal.kind === 'browser') return null;
  const configuration = await currentConfiguration(d.db, access);
  const asked = {
    i: access.i,
    conversationId: conversationUuid(access.instance, query.conversationId!).id,
    manner: keyOfManner(query, configuration),
    words: wordsOf(text),
  };
  const now = d.now();
  const here = await d.readyAnswers.find(asked, now);
  const answer = here ?? (isElsewhere ? await readReadyAnswer(d.db, access, asked, now) : null);
  if (!answer || answer.configurationVersion !== access.configurationVersion || !isFor(query, answer)) return null;
  const checked = await check(answer, { isolation: configuration.isolation, conversationId: asked.conversationId });
  if (!checked.isCurrent) {
    d.readyAnswers.drop(asked, answer);
    return null;
  }
  if (!here) d.readyAnswers.keep(asked, answer);
  const { named, memories, totalTokens, budgetExceeded, configurationVersion } = answer;
  const { recent } = answer;
  const isLatest = checked.messageCount === recent.count;
  return {
    named,
    memories,
    source: 'anticipation',
    totalTokens,
    budgetExceeded,
    warnings: [],
    configurationVersion,
    recentMessages: isLatest ? recent.messages : await recentMessages(d.db, access, asked.conversationId),
  };
}

/** The one text of a query that says no more than a message says; undefined for all others. */
export function textOf({ conversationId, searchQueries, asOf, explain }: ContextQuery): string | undefined {
  const isPlain = conversationId !== undefined && searchQueries.length === 1 && !asOf && !explain;
  return isPlain ? searchQueries[0] : undefined;
}

/** A query inherits those whom its conversation belongs to; one that names others is refused, which the store does. */
const isFor = (query: Named, { named: { userId, customerId } }: ReadyAnswer): boolean =>
  (query.userId === undefined || query.userId === userId) &&
  (query.customerId === undefined || query.customerId === customerId);
