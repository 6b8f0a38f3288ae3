import { z } from 'zod';
import { conversationStates } from '../../domain/conversations/conversation.ts';
import { answerSchema, namedAnswerSchemas, isoTimeField, pageFieldsOf } from './fields.ts';
import { CompactionRecord } from './compaction-records.ts';
import { MemoryRecord } from './records.ts';

const conversationId = z.string().meta({ description: 'A UUID: your own, or one made of your id.' });
const externalId = z.string().nullable().meta({ description: 'Your own id, when it is no UUID.' });
const ingestionIds = z
  .array(z.string())
  .meta({ description: '`ing_…`, of what becomes memories now. Empty: it was not time yet.' });

export const ConversationRecord = answerSchema('Conversation', {
  conversation_id: conversationId,
  external_id: externalId,
  user_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  state: z.enum(conversationStates),
  started_at: isoTimeField().nullable().meta({ description: 'Null: nobody spoke in it.' }),
  ended_at: isoTimeField().nullable(),
  last_message_at: isoTimeField().nullable(),
  message_count: z.int().meta({ description: 'With those forgotten since.' }),
});

export const ConversationPage = answerSchema('ConversationPage', pageFieldsOf(ConversationRecord));

export const EndedConversationRecord = answerSchema('EndedConversation', {
  ...ConversationRecord.shape,
  ingestion_ids: ingestionIds,
});

export const AddedMessagesRecord = answerSchema('AddedMessages', {
  conversation_id: conversationId,
  external_id: externalId,
  message_ids: z.array(z.string()).meta({ description: '`msg_…`, in the order of the messages.' }),
  message_count: z.int(),
  ingestion_ids: ingestionIds,
});

export const TranscriptRecord = answerSchema('RecordedTranscript', {
  conversation_id: conversationId,
  external_id: externalId,
  status: z.enum(['recorded', 'duplicate']).meta({ description: '`duplicate`: every turn was known already.' }),
  turns_recorded: z.int().meta({ description: 'How many of its turns were new.' }),
  sha256: z.string().meta({ description: 'The hash of the transcript: the same turns have the same.' }),
  message_count: z.int(),
  ingestion_ids: ingestionIds,
});

const MessageRecord = answerSchema('Message', {
  message_id: z.string(),
  role: z.string(),
  name: z.string().nullable(),
  content: z.string(),
  at: isoTimeField(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  session_id: z.string().nullable(),
});

export const ConversationDetailRecord = answerSchema('ConversationDetail', {
  ...ConversationRecord.shape,
  metadata: z.record(z.string(), z.unknown()).nullable(),
  turns: z
    .array(MessageRecord.extend({ turn: z.int().meta({ description: 'Its number in the conversation, from 0.' }) }))
    .optional()
    .meta({ description: 'The turns that were asked for and not forgotten, in order.' }),
  recent_messages: z
    .array(MessageRecord)
    .meta({ description: 'The last ones, oldest first; of long ones as many of the newest as 1 MiB has room for.' }),
});

const anticipated = z
  .array(
    z.object({
      memory_id: z.string(),
      lead_time_ms: z.int().meta({
        description: 'In milliseconds before the message was complete; negative: after.',
      }),
      used: z.boolean().meta({ description: 'The agent reported its use.' }),
    }),
  )
  .nullable()
  .meta({
    description: 'What streams pushed for it, best first. Null: none heard it, or over 30 days ago.',
  });

export const ExportLine = z
  .union([
    MemoryRecord,
    MessageRecord.extend({ conversation_id: conversationId, external_id: externalId, anticipated }),
    CompactionRecord,
  ])
  .register(namedAnswerSchemas, { id: 'ExportLine' });
