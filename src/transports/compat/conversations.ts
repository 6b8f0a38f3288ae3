import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Compaction } from '../../domain/compaction/compaction.ts';
import { compressionRatio } from '../../domain/compaction/compaction.ts';
import type { ConversationWithMessages, Message } from '../../domain/conversations/conversation.ts';
import { nullIfNotFound } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Access, SubjectIds } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import { currentCompaction, textOfCompaction } from './compactions.ts';
import {
  conversationOf,
  withoutIdPrefix,
  optionalCallerId,
  metadataField,
  subjectFields,
  omitUndefined,
  requiredCallerId,
  roleField,
  textField,
  toSubjectIds,
} from './fields.ts';
import { optionalField, type CompatRoute } from './route.ts';
import type { TurnDeduplicator, Turn } from './turn-deduplicator.ts';
import { takeEach } from './take-each.ts';

const Message = z.object({
  conversation_id: requiredCallerId,
  role: roleField,
  content: textField(limits.message.max),
  ...subjectFields,
  session_id: optionalCallerId,
  metadata: metadataField,
});
const Batch = z.object({ messages: z.array(z.unknown()).min(1).max(limits.messages.max) });
const Style = z.object({ style: optionalField(z.enum(['structured', 'narrative', 'bullet_points'])) });

/** The library counts turns from 1, and takes a page with fewer than it asked for as the last. */
const Stretch = z.object({
  start: z.coerce.number().int().min(1).max(limits.version.max).default(1),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});

const shownMessages = 20;

export const conversationRoutes = (turns: TurnDeduplicator): readonly CompatRoute[] => [
  {
    method: 'POST',
    url: '/v1/conversations/messages',
    useCase: 'addMessages',
    isRepeatable: true,
    bodyLimit: limits.textBody.max,
    handle: (app, { access, body }) => record(app, access, turns, validate(Message, body, 'the body')),
  },
  {
    method: 'POST',
    url: '/v1/conversations/messages/batch',
    useCase: 'addMessages',
    isRepeatable: true,
    bodyLimit: limits.textBody.max,
    async handle(app, { access, body }) {
      const { messages } = validate(Batch, body, 'the body');
      // One after the other: they stand in the order in which they were said.
      const { results, failed } = await takeEach(
        messages,
        async (message) => record(app, access, turns, validate(Message, message, 'the message')),
        (_, error) => ({ error: error.message }),
      );
      return { total: messages.length, succeeded: messages.length - failed, failed, results };
    },
  },
  {
    method: 'GET',
    url: '/v1/conversations/:conversation_id/messages',
    useCase: 'conversationTurns',
    async handle(app, { access, params, query }) {
      const { start, limit } = validate(Stretch, query, 'the query');
      const conversationId = conversationOf(params);
      const page = await nullIfNotFound(turnsFrom(app, access, conversationId, { start, limit }));
      return { conversation_id: conversationId, turns: page ?? [] };
    },
  },
  {
    method: 'GET',
    url: '/v1/conversations/:conversation_id/context-for-prompt',
    useCase: 'conversation',
    async handle(app, { access, params, query }) {
      const { style = 'structured' } = validate(Style, query, 'the query');
      const conversationId = conversationOf(params);
      const conversation = await findConversationWithMessages(app, access, conversationId);
      if (!conversation?.messageCount) return { available: false, recent_messages: [], total_message_count: 0 };
      const compaction = await currentCompaction(app, access, conversationId);
      return presentBlock(conversation, compaction, style);
    },
  },
];

async function record(app: App, access: Access, turns: TurnDeduplicator, sent: z.output<typeof Message>) {
  const { conversation_id: conversationId, role, content } = sent;
  const turn = { conversationId, role, content };
  const isKnown = turns.isKnown(access, turn, 'rest');
  if (isKnown) await turns.untilKept(access, turn);
  const told = isKnown ? await toldBefore(app, access, turn) : undefined;
  const { messageId, messageCount } = told ?? (await added(app, access, sent));
  return {
    message_id: withoutIdPrefix('message', messageId),
    conversation_id: conversationId,
    session_id: sent.session_id ?? conversationId,
    recorded_at: new Date().toISOString(),
    conversation_message_count: messageCount,
  };
}

/** A message that is kept, and how many its conversation has by then. */
interface KeptMessage {
  readonly messageId: string;
  readonly messageCount: number;
}

async function added(app: App, access: Access, sent: z.output<typeof Message>): Promise<KeptMessage> {
  const { conversation_id: conversationId, role, content, metadata: noted, session_id: sessionId } = sent;
  const { messageIds, conversation } = await app.addMessages(access, {
    conversationId,
    ...toSubjectIds(sent),
    messages: [{ role, content, metadata: noted, sessionId }],
  });
  return { messageId: messageIds[0]!, messageCount: conversation.messageCount };
}

/** The message that came by another API a moment ago. */
async function toldBefore(app: App, access: Access, said: Turn): Promise<KeptMessage | undefined> {
  const conversation = await findConversationWithMessages(app, access, said.conversationId);
  const message = conversation?.recentMessages.findLast(
    ({ role, content }) => role === said.role && content === said.content,
  );
  return message && { messageId: message.id, messageCount: conversation!.messageCount };
}

/**
 * So many turns of a conversation from `start` on, counted from 1: numbers of forgotten ones are passed over. The domain
 * reads less at once than the library asks for. Throws `context_not_found`.
 */
async function turnsFrom(
  app: Pick<App, 'conversationTurns'>,
  access: Access,
  conversationId: string,
  { start, limit }: { start: number; limit: number },
) {
  const turns: object[] = [];
  for (let from = start; turns.length < limit;) {
    const ranges = [{ from: from - 1, to: limits.version.max }];
    const read = await app.conversationTurns(access, { conversationId, ranges });
    const last = read.at(-1);
    if (!last) break;
    turns.push(
      ...read.map(({ turn, id, role, content, at }) => ({
        position: turn + 1,
        message_id: withoutIdPrefix('message', id),
        role,
        content,
        timestamp: at.toISOString(),
      })),
    );
    from = last.turn + 2;
  }
  return turns.slice(0, limit);
}

/** The conversation with its last messages; null: there is none. */
export const findConversationWithMessages = (
  app: Pick<App, 'conversation'>,
  access: Access,
  conversationId: string,
  subject: SubjectIds = {},
): Promise<ConversationWithMessages | null> =>
  nullIfNotFound(app.conversation(access, { conversationId, ...subject, last: shownMessages }));

/** The block for a prompt: the compaction of the conversation, if it has one, and the turns since. */
function presentBlock(conversation: ConversationWithMessages, compaction: Compaction | null, style: string) {
  const { recentMessages, messageCount } = conversation;
  const compacted = compaction ? compaction.throughTurn + 1 : 0;
  const first = messageCount - recentMessages.length;
  const recent = recentMessages.filter((_, n) => first + n >= compacted);
  const shown = recent.length ? recent : recentMessages.slice(-2);
  const parts = [compaction && textOfCompaction(compaction, style), turnsIn(shown, style)];
  const formatted = parts.filter(Boolean).join('\n\n');
  return omitUndefined({
    available: true,
    formatted_context: formatted,
    context_block: formatted,
    is_stale: false,
    quality_warning: compaction ? compaction.qualityWarning !== null : false,
    compression_ratio: compaction && compressionRatio(compaction),
    validation_score: compaction?.validationScore,
    compaction_id: compaction && withoutIdPrefix('compaction', compaction.id),
    compaction_age_seconds: compaction && Math.max(0, Math.round((Date.now() - compaction.createdAt.getTime()) / 1000)),
    recent_messages: shown.map(({ id, role, content, at }) => ({
      role,
      content,
      timestamp: at.toISOString(),
      message_id: withoutIdPrefix('message', id),
    })),
    recent_message_count: shown.length,
    compacted_message_count: Math.min(compacted, messageCount),
    total_message_count: messageCount,
  });
}

function turnsIn(messages: readonly Message[], style: string): string {
  if (style === 'bullet_points') return messages.map(({ role, content }) => `- ${role}: ${content}`).join('\n');
  const mark = style === 'structured' ? '**' : '';
  const heading = style === 'structured' ? `## Recent Turns (${messages.length})` : 'Recent exchanges:';
  return [heading, ...messages.map(({ role, content }) => `${mark}${role}${mark}: ${content}`)].join('\n');
}
