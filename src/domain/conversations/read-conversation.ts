import type { Sql } from '../../db/database.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { mapPageRecords, pagesFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { conversationNotFoundError } from '../errors.ts';
import { conversationUuid, toPublicId } from '../ids.ts';
import { limits } from '../limits.ts';
import { countTokens } from '../language/count-tokens.ts';
import { mayReadOwner, type Access, type SubjectIds } from '../tenancy/access.ts';
import {
  findConversation,
  findConversations,
  conversationsOf,
  toConversation,
  type ConversationFilter,
  type ConversationRow,
} from './conversation-store.ts';
import type {
  Conversation,
  ConversationWithMessages,
  ConversationReference,
  AnticipatedTurnMemory,
  Message,
} from './conversation.ts';
import { lastMessages, lastMessagesOf, toMessage, type MessageKey } from './message-store.ts';
import { readTurnAnticipations, type PushedMemory } from './turn-anticipation-store.ts';
import { readTurnRanges, type TurnRange } from './turn-store.ts';

/** A conversation; naming a user or customer narrows who is asking. Throws `context_not_found`. */
export async function readableConversation(
  sql: Sql,
  access: Access,
  input: ConversationReference,
): Promise<ConversationRow> {
  const reader = await narrowIfSubjectGiven(sql, access, input);
  const row = await findConversation(sql, access, conversationUuid(access.instance, input.conversationId).id);
  if (!row || !mayReadOwner(reader, row.ownerNo)) throw conversationNotFoundError();
  return row;
}

/** Reads a conversation as it is shown, with its last messages, at most `last`. */
export async function readConversation(
  sql: Sql,
  access: Access,
  { last, ...input }: ConversationReference & { last: number },
): Promise<ConversationWithMessages> {
  const row = await readableConversation(sql, access, input);
  const recent = last > 0 ? await lastMessages(sql, access, row.id, last) : [];
  return { ...toConversation(access, row), recentMessages: recent };
}

/**
 * Reads the messages of these turns in order, up to `limits.turnsRead` and `limits.messageTexts`. Throws `not_found`.
 */
export async function readConversationTurns(
  sql: Sql,
  access: Access,
  { ranges, ...input }: ConversationReference & { ranges: readonly TurnRange[] },
): Promise<(Message & { turn: number; conversationId: string })[]> {
  const { id } = await readableConversation(sql, access, input);
  const turns = await readTurnRanges(sql, access, { conversationId: id, ranges, limit: limits.turnsRead.max });
  return turns.map((turn) => ({ turn: turn.n, conversationId: id, ...toMessage(turn) }));
}

/** Reads conversations in the order of the UUIDs; null where there is none that `access` may read. */
export async function conversationsByIds(
  sql: Sql,
  access: Access,
  ids: readonly string[],
): Promise<(Conversation | null)[]> {
  const rows = await findConversations(sql, access, ids);
  const byId = new Map(rows.map((row) => [row.id, toConversation(access, row)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** A page of the conversations of each of the named. */
export async function listConversations(
  sql: Sql,
  access: Access,
  named: readonly SubjectIds[],
  { state, ...request }: PageRequest & ConversationFilter,
): Promise<Page<Conversation>[]> {
  const keysetQuery = parsePageRequest('conversations', request);
  const rows = await conversationsOf(sql, access, named, { state, ...keysetQuery });
  const pages = pagesFromRows(rows, named.length, keysetQuery, (row) => row);
  return pages.map((page) => mapPageRecords(page, (row) => toConversation(access, row)));
}

/** Reads the last messages of each conversation, at most `last`; none where `access` may not read it. */
export async function messagesOfConversations(
  sql: Sql,
  access: Access,
  { ids, last }: { ids: readonly string[]; last: number },
): Promise<(readonly Message[])[]> {
  const readable = (await findConversations(sql, access, ids)).map(({ id }) => id);
  const messages = await lastMessagesOf(sql, access, { ids: readable, last });
  return ids.map((id) => messages.get(id) ?? []);
}

/** Reads the memories pushed for each turn, best first; null: none received it, or `access` may not read it. */
export async function memoriesOfTurns(
  sql: Sql,
  access: Access,
  turns: readonly MessageKey[],
): Promise<(readonly AnticipatedTurnMemory[] | null)[]> {
  const nameOf = ({ conversationId, n }: MessageKey) => `${conversationId}/${n}`;
  const existing = new Map(
    (await readTurnAnticipations(sql, access, turns)).map((turn) => [nameOf(turn), turn.memories]),
  );
  const shown = ({ memoryId, ...pushed }: PushedMemory) => ({ memoryId: toPublicId('memory', memoryId), ...pushed });
  return turns.map((turn) => existing.get(nameOf(turn))?.map(shown) ?? null);
}

/** The recent messages that a fetch includes: whole ones, the newest first, within the tokens. */
const recalled = { messages: 10, tokens: 1_000 } as const;

/** Reads the last messages of a conversation that the caller may fetch for, oldest first. */
export async function recentMessages(sql: Sql, access: Access, conversationId: string): Promise<Message[]> {
  const { id } = conversationUuid(access.instance, conversationId);
  const messages = await lastMessages(sql, access, id, recalled.messages);
  let tokens = 0;
  const first = messages.findLastIndex(({ content }) => (tokens += countTokens(content)) > recalled.tokens);
  return messages.slice(first + 1);
}
