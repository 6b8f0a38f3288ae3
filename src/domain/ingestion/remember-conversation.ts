import { transaction, type Tx } from '../../db/database.ts';
import {
  findConversation,
  lockConversation,
  decryptMetadata,
  subjectOfConversation,
  saveConversationProgress,
  type ConversationRow,
} from '../conversations/conversation-store.ts';
import { isEndedOrPaused, memoryExtractionDueAt } from '../conversations/conversation.ts';
import { readMessagesFrom, saveTurns, type NumberedMessage } from '../conversations/message-store.ts';
import { isUnnamedMachine } from '../language/speaker.ts';
import { limits } from '../limits.ts';
import type { Access } from '../tenancy/access.ts';
import type { Submission } from './ingestion.ts';
import { acceptDocument } from './accept-document.ts';
import type { SubmissionDependencies } from './submit-document.ts';

/** Turns of one document: a long silence between many messages makes several. */
const turnsAtMost = 500;

/** Thrown to undo what another process did at the same time. */
class DoneElsewhere extends Error {}

/**
 * Lets what was said in a conversation become memories, if it is time: it is accepted as a document of these turns, in
 * the transaction that says that they are remembered, so each of them once. `isEarly`: also before it is time, but for
 * what the assistant said last. Returns the ids of the ingestions.
 */
export async function rememberConversation(
  deps: SubmissionDependencies,
  access: Access,
  id: string,
  { isEarly = false } = {},
): Promise<string[]> {
  const ingestionIds: string[] = [];
  for (;;) {
    const ingestionId = await transaction(deps.db, (tx) =>
      rememberSome(tx, access, { id, at: deps.now(), isEarly }),
    ).catch((error: unknown) => {
      if (error instanceof DoneElsewhere) return null;
      throw error;
    });
    if (!ingestionId) return ingestionIds;
    ingestionIds.push(ingestionId);
    deps.wake();
  }
}

async function rememberSome(
  tx: Tx,
  access: Access,
  { id, at, isEarly }: { id: string; at: Date; isEarly: boolean },
): Promise<string | null> {
  const row = await findConversation(tx, access, id);
  const dueAt = row && memoryExtractionDueAt(row);
  if (!dueAt) return null;
  const isDue = dueAt <= at;
  if (!isDue && !isEarly) return null;
  const waiting = { conversationId: id, from: row.ingestedMessageCount, limit: turnsAtMost };
  const unremembered = withinDocument(await readMessagesFrom(tx, access, waiting));
  const messages = isEndedOrPaused(row, at) ? unremembered : withoutUnanswered(unremembered);
  if (!isDue && messages.every(isUnnamedMachine)) return null; // they wait for their answer
  const last = messages.at(-1);
  // Not locked yet: the owner comes before its conversations, as it does wherever both are locked.
  const accepted =
    last &&
    (await acceptDocument(tx, access, submissionOf(access, row, messages), {
      at,
      batch: null,
      isConversationBound: true,
    }));
  const locked = await lockConversation(tx, access, id);
  // One that was forgotten meanwhile begins anew, with another owner: what was read of it must not come back.
  if (!locked || locked.ownerNo !== row.ownerNo || locked.ingestedMessageCount !== row.ingestedMessageCount)
    throw new DoneElsewhere();
  await saveConversationProgress(tx, access, { ...locked, ingestedMessageCount: last ? last.n + 1 : row.messageCount });
  if (!accepted) return null; // what was said was forgotten
  const { documentId } = accepted.work;
  await saveTurns(tx, access, { conversationId: id, documentId, ns: messages.map(({ n }) => n) });
  return accepted.ingestion.id;
}

/** The messages, from the first on, that one document may hold. */
function withinDocument(messages: readonly NumberedMessage[]): readonly NumberedMessage[] {
  let bytes = 0;
  const tooMany = messages.findIndex(({ content }) => (bytes += Buffer.byteLength(content)) > limits.document.max);
  return tooMany < 0 ? messages : messages.slice(0, Math.max(1, tooMany));
}

/**
 * Without what the assistant said last: its answer is to come into one document with it, since it needs the question.
 */
function withoutUnanswered(messages: readonly NumberedMessage[]): readonly NumberedMessage[] {
  const last = messages.findLastIndex((message) => !isUnnamedMachine(message));
  return last < 0 ? messages : messages.slice(0, last + 1);
}

function submissionOf(access: Access, row: ConversationRow, messages: readonly NumberedMessage[]): Submission {
  return {
    document: messages.map(({ role, content, name, at }) => ({
      role,
      content,
      timestamp: at,
      ...(name === null ? {} : { name }),
    })),
    documentType: 'ai-chat-conversation',
    mode: 'long-range',
    documentCreatedAt: messages[0]!.at,
    conversationId: row.id,
    ...subjectOfConversation(row),
    scope: row.scope === 'CLIENT' ? 'CLIENT' : undefined,
    metadata: decryptMetadata(access, row) ?? undefined,
  };
}
