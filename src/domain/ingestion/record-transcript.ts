import { createHash } from 'node:crypto';
import { appendMessagesNotYetKnown, refuseFarTimes } from '../conversations/append-messages.ts';
import { toConversation } from '../conversations/conversation-store.ts';
import type { ConversationReference, NewMessage } from '../conversations/conversation.ts';
import { readMessagesFrom } from '../conversations/message-store.ts';
import { fieldError, invalidInputError } from '../errors.ts';
import { limits, refuseLongTexts } from '../limits.ts';
import type { Access } from '../tenancy/access.ts';
import {
  endReadable,
  type ConversationIngestionDependencies,
  type ConversationWithIngestions,
} from './add-messages.ts';

/** A whole conversation, from its first turn on. */
export interface Transcript extends ConversationReference {
  readonly turns: readonly NewMessage[];
  /** The hash that its sender made of it; another one means that it did not arrive as it was sent. */
  readonly sha256?: string | undefined;
  /** Kept with each memory of it, where nothing is noted of the conversation yet. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of recording a transcript. */
export interface RecordedTranscript extends ConversationWithIngestions {
  /** The number of its turns that were new. */
  readonly recorded: number;
  readonly sha256: string;
}

/** SHA-256, in hexadecimal, of the JSON of the list of its turns, each as `[role, content]`. */
const transcriptHash = (turns: readonly Pick<NewMessage, 'role' | 'content'>[]): string =>
  createHash('sha256')
    .update(JSON.stringify(turns.map(({ role, content }) => [role, content])))
    .digest('hex');

/**
 * Keeps a conversation that is submitted whole, and ends it, so that it becomes memories now. Turns that came before,
 * through any API, are not kept twice: sent again, it changes nothing. Throws `conflict` where it differs from what
 * was said already, which then stays as it is, `invalid_input` where its hash is another one, and `payload_too_large`.
 */
export async function recordTranscript(
  deps: ConversationIngestionDependencies,
  access: Access,
  { turns, sha256: sent, metadata, ...conversation }: Transcript,
): Promise<RecordedTranscript> {
  refuseLongTexts('turns', turns, limits.messageTexts);
  refuseFarTimes('turns', turns);
  const sha256 = transcriptHash(turns);
  if (sent !== undefined && sent.toLowerCase() !== sha256)
    throw invalidInputError('sha256', 'is not the hash of these turns: they did not arrive as they were sent');
  const input = { ...conversation, metadata };
  const { row, messageIds } = await appendMessagesNotYetKnown(deps, access, input, async (tx, { id, messageCount }) => {
    const asFarAsTold = { conversationId: id, from: 0, limit: turns.length + 1 }; // the one more shows that it differs
    const said = messageCount ? await readMessagesFrom(tx, access, asFarAsTold) : [];
    const other = said.find(({ n, role, content }) => turns[n]?.role !== role || turns[n].content !== content);
    if (other) throw differs(other.n);
    if (messageCount > turns.length) throw differs(turns.length);
    return turns.slice(messageCount);
  });
  // If all turns are known and the conversation is still open, a process died between storing and ending it: end it
  // now.
  if (!messageIds.length && row.endedAt)
    return { conversation: toConversation(access, row), ingestionIds: [], recorded: 0, sha256 };
  return { ...(await endReadable(deps, access, row.id)), recorded: messageIds.length, sha256 };
}

const differs = (turn: number) =>
  fieldError(
    'conflict',
    `turns[${turn}]`,
    'is not what was said there: give another conversation_id, or the turns as they were said',
  );
