import { z } from 'zod';
import type { App } from '../../app.ts';
import type { Compaction } from '../../domain/compaction/compaction.ts';
import { compressionRatio } from '../../domain/compaction/compaction.ts';
import type { ConversationWithMessages, Message } from '../../domain/conversations/conversation.ts';
import { DomainError, orNull } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Access, Named } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import { latestCompaction, textOfCompaction } from './compactions.ts';
import {
  bare,
  foreignId,
  iso,
  metadata,
  named,
  present,
  requireCustomer,
  requiredId,
  text,
  toNamed,
} from './fields.ts';
import { absent, type CompatRoute } from './route.ts';
import type { SaidTurns, Turn } from './said-turns.ts';

const Message = z.object({
  conversation_id: requiredId,
  role: z.string().min(1).max(limits.role.most),
  content: text(limits.message.most),
  ...named,
  session_id: foreignId,
  metadata,
});
const Batch = z.object({ messages: z.array(z.unknown()).min(1).max(limits.messages.most) });
const Style = z.object({ style: absent(z.enum(['structured', 'narrative', 'bullet_points'])) });

const shownMessages = 20;

export const conversations = (turns: SaidTurns): readonly CompatRoute[] => [
  {
    method: 'POST',
    url: '/v1/conversations/messages',
    useCase: 'addMessages',
    isRepeatable: true,
    bodyLimit: limits.textBody.most,
    handle: (app, { access, body }) => record(app, access, turns, validate(Message, body, 'the body')),
  },
  {
    method: 'POST',
    url: '/v1/conversations/messages/batch',
    useCase: 'addMessages',
    isRepeatable: true,
    bodyLimit: limits.textBody.most,
    async handle(app, { access, body }) {
      const { messages } = validate(Batch, body, 'the body');
      const results: object[] = [];
      let failed = 0;
      // One after the other: they stand in the order in which they were said.
      for (const message of messages) {
        try {
          results.push(await record(app, access, turns, validate(Message, message, 'the message')));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          failed += 1;
          results.push({ error: error.message });
        }
      }
      return { total: messages.length, succeeded: messages.length - failed, failed, results };
    },
  },
  {
    method: 'GET',
    url: '/v1/conversations/:conversation_id/context-for-prompt',
    useCase: 'conversation',
    async handle(app, { access, params, query }) {
      const { style = 'structured' } = validate(Style, query, 'the query');
      const conversationId = params['conversation_id']!;
      const conversation = await known(app, access, conversationId);
      if (!conversation?.messageCount) return { available: false, recent_messages: [], total_message_count: 0 };
      const compaction = await latestCompaction(app, access, conversationId);
      return presentBlock(conversation, compaction, style);
    },
  },
];

async function record(app: App, access: Access, turns: SaidTurns, sent: z.output<typeof Message>) {
  const { conversation_id: conversationId, role, content } = sent;
  await requireCustomer(app, access, toNamed(sent));
  const turn = { conversationId, role, content };
  const isKnown = turns.isKnown(access, turn, 'rest');
  if (isKnown) await turns.untilKept(access, turn);
  const id = isKnown ? await idOf(app, access, turn) : undefined;
  const messageId = id ?? (await added(app, access, sent));
  return {
    message_id: bare('message', messageId),
    conversation_id: conversationId,
    session_id: sent.session_id ?? conversationId,
    recorded_at: iso(new Date()),
  };
}

async function added(app: App, access: Access, sent: z.output<typeof Message>): Promise<string> {
  const { conversation_id: conversationId, role, content, metadata: noted, session_id: sessionId } = sent;
  const { messageIds } = await app.addMessages(access, {
    conversationId,
    ...toNamed(sent),
    messages: [{ role, content, metadata: noted, sessionId }],
  });
  return messageIds[0]!;
}

/** The message that another door brought a moment ago. */
async function idOf(app: App, access: Access, said: Turn) {
  const conversation = await known(app, access, said.conversationId);
  return conversation?.recentMessages.findLast(({ role, content }) => role === said.role && content === said.content)
    ?.id;
}

/** The conversation with its last messages; null: there is none. */
export const known = (
  app: Pick<App, 'conversation'>,
  access: Access,
  conversationId: string,
  whose: Named = {},
): Promise<ConversationWithMessages | null> =>
  orNull(app.conversation(access, { conversationId, ...whose, last: shownMessages }));

/** The block for a prompt: the compaction of the conversation, if it has one, and the turns since. */
function presentBlock(conversation: ConversationWithMessages, compaction: Compaction | null, style: string) {
  const { recentMessages, messageCount } = conversation;
  const compacted = compaction ? compaction.throughTurn + 1 : 0;
  const first = messageCount - recentMessages.length;
  const recent = recentMessages.filter((_, n) => first + n >= compacted);
  const shown = recent.length ? recent : recentMessages.slice(-2);
  const parts = [compaction && textOfCompaction(compaction, style), turnsIn(shown, style)];
  const formatted = parts.filter(Boolean).join('\n\n');
  return present({
    available: true,
    formatted_context: formatted,
    context_block: formatted,
    is_stale: false,
    quality_warning: compaction ? compaction.qualityWarning !== null : false,
    compression_ratio: compaction && compressionRatio(compaction),
    validation_score: compaction?.validationScore,
    compaction_id: compaction && bare('compaction', compaction.id),
    compaction_age_seconds: compaction && Math.max(0, Math.round((Date.now() - compaction.createdAt.getTime()) / 1000)),
    recent_messages: shown.map(({ id, role, content, at }) => ({
      role,
      content,
      timestamp: iso(at),
      message_id: bare('message', id),
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
