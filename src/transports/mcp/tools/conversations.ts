import { z } from 'zod';
import { compactionStrategies } from '../../../domain/configurations/configuration.ts';
import { limits } from '../../../domain/limits.ts';
import { callerIdField, roleField, shortTextField, textField, timeField } from '../../http/fields.ts';
import { searchedScopeOf, scopeOfInstance } from '../connection.ts';
import { ScopeRecord } from '../records.ts';
import { defineTool } from '../tool.ts';

const conversationId = callerIdField('A UUID, or your own id of the conversation.');

export const addMessagesTool = defineTool({
  name: 'add_messages',
  title: 'Record what was said',
  description:
    'Adds messages to a conversation, in their order; the first starts it. They become memories without being asked. ' +
    'For a single statement, use remember.',
  useCase: 'addMessages',
  effect: 'adds',
  input: z.strictObject({
    conversation_id: conversationId,
    messages: z
      .array(
        z.strictObject({
          role: roleField,
          content: textField(limits.message.max),
          name: shortTextField(limits.speaker, 'Who speaks, by name.').optional(),
          timestamp: timeField('When it was said; without it, now.').optional(),
        }),
      )
      .min(1)
      .max(limits.messages.max),
  }),
  output: z.object({
    conversation_id: z.string().meta({ description: 'The UUID of the conversation.' }),
    message_ids: z.array(z.string()),
    scope: ScopeRecord,
  }),
  async run(call, { conversation_id: id, messages }, about) {
    const { conversation, messageIds } = await call.app.addMessages(call.access, {
      conversationId: id,
      messages,
      ...about,
    });
    const of = { userId: conversation.userId ?? undefined, customerId: conversation.customerId ?? undefined };
    return { conversation_id: conversation.id, message_ids: messageIds, scope: searchedScopeOf(call, of) };
  },
});

export const compactConversationTool = defineTool({
  name: 'compact_conversation',
  title: 'Compact a conversation',
  description:
    'Shortens a recorded conversation to a text for a prompt that keeps instructions, decisions, promises and exact ' +
    'values word for word.',
  useCase: 'compactions.compact',
  effect: 'adds',
  input: z.strictObject({
    conversation_id: conversationId,
    strategy: z.enum(compactionStrategies).optional().meta({
      description: '`aggressive` a tenth of the tokens, `balanced` a quarter, `conservative` half; or `adaptive`.',
    }),
    target_tokens: z.int().min(1).max(limits.compactionTarget.max).optional(),
  }),
  output: z.object({
    compaction_id: z.string(),
    conversation_id: z.string(),
    version: z.number(),
    text: z.string(),
    original_tokens: z.number(),
    compacted_tokens: z.number(),
    validation_score: z.number(),
    scope: ScopeRecord,
  }),
  async run(call, input, about) {
    const compaction = await call.app.compactions.compact(call.access, {
      conversationId: input.conversation_id,
      strategy: input.strategy,
      targetTokens: input.target_tokens,
      ...about,
    });
    return {
      compaction_id: compaction.id,
      conversation_id: compaction.conversationId,
      version: compaction.version,
      text: compaction.systemPrompt,
      original_tokens: compaction.originalTokens,
      compacted_tokens: compaction.compactedTokens,
      validation_score: compaction.validationScore,
      scope: scopeOfInstance(call, about),
    };
  },
});
