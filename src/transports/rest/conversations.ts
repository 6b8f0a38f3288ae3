import { z } from 'zod';
import { conversationStates } from '../../domain/conversations/conversation.ts';
import { isStorableTime, unstorableTime } from '../../domain/time.ts';
import {
  callerIdField,
  Metadata,
  subjectFields,
  roleField,
  roleMissing,
  sha256Field,
  shortTextField,
  textField,
  timeField,
  toSubjectIds,
} from '../http/fields.ts';
import { namedRequestSchemas, pageParameters, requestSchema, toPageRequest } from './fields.ts';
import { presentPage } from './present.ts';
import { presentConversation, presentConversationWithMessages } from './present-conversation.ts';
import {
  AddedMessagesRecord,
  ConversationPage,
  ConversationRecord,
  EndedConversationRecord,
  TranscriptRecord,
  ConversationDetailRecord,
} from './conversation-records.ts';
import { defineRoute } from './route.ts';
import { formatLimit, limits } from '../../domain/limits.ts';

const group = 'Conversations';
const conversationId = callerIdField('A UUID, or your own id of the conversation.');
const byId = z.object({ conversation_id: conversationId });
const about = z.strictObject(subjectFields);

const StartBody = requestSchema('ConversationStart', {
  conversation_id: conversationId.optional(),
  ...subjectFields,
  metadata: Metadata.optional(),
});

const said = {
  role: roleField,
  content: textField(limits.message.max).meta({ description: `The words, at most ${formatLimit(limits.message)}.` }),
  name: shortTextField(limits.speaker, 'Who speaks, by name.').optional(),
  timestamp: timeField('When it was said; left out: now.').refine(isStorableTime, unstorableTime).optional(),
  metadata: Metadata.optional().meta({
    description: `Kept with the message and given back with it; at most ${formatLimit(limits.metadata)}.`,
  }),
  session_id: callerIdField('Your own id of the visit, call or login in which it was said.').optional(),
};
const ofOneMessage = ['role', 'content', 'name', 'timestamp', 'metadata', 'session_id'] as const;
// Messages often come straight from a model's API, which adds fields of its own: those are ignored.
const Message = z.object(said);

const MessagesBody = z
  .strictObject({
    ...said,
    role: said.role.optional(),
    content: said.content.optional(),
    messages: z
      .array(Message)
      .min(1)
      .max(limits.messages.max)
      .optional()
      .meta({ description: `Several messages, in their order, in place of one; at most ${limits.messages.max}.` }),
    ...subjectFields,
  })
  .superRefine(({ messages, ...one }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (!messages) {
      if (one.role === undefined) refuse('role', roleMissing);
      if (one.content === undefined) refuse('content', 'is required: a string');
      return;
    }
    for (const field of ofOneMessage)
      if (one[field] !== undefined) refuse(field, 'is of a single message: leave it out beside messages');
  })
  .register(namedRequestSchemas, { id: 'Messages' });

const TranscriptBody = requestSchema('Transcript', {
  turns: z
    .array(Message)
    .min(1)
    .max(limits.turns.max)
    .meta({
      description: `The whole conversation, from its first turn on; at most ${formatLimit(limits.messageTexts)} of text.`,
    }),
  sha256: sha256Field.optional().meta({
    description:
      'Your SHA-256 of the JSON of the list of turns, each as `[role, content]`, without spaces and needless escapes; ' +
      'another one than the service makes is refused.',
  }),
  ...subjectFields,
  metadata: Metadata.optional(),
});

/** `3,8-12`: numbers of turns, from 0, both ends included. */
const turnRanges = z
  .string()
  .regex(/^\d{1,9}(?:-\d{1,9})?(?:,\d{1,9}(?:-\d{1,9})?){0,49}$/, 'must be numbers and ranges of turns, such as 3,8-12')
  .transform((ranges) =>
    ranges.split(',').map((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return { from, to };
    }),
  )
  .refine((ranges) => ranges.every(({ from, to }) => from <= to), 'a range must not end before it begins')
  .meta({
    description: `Turns to read back, such as \`3,8-12\`; the first ${limits.turnsRead.max} of them are answered, and no more than ${formatLimit(limits.messageTexts)}.`,
    type: 'string',
  });

export const conversationRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/conversations',
    operation: 'conversations',
    useCase: 'lists.conversations',
    group,
    summary: 'List conversations',
    description: 'All of the instance, the newest first, or those that every given filter fits.',
    query: about.extend({ state: z.enum(conversationStates).optional(), ...pageParameters }),
    answer: ConversationPage,
    async handle(app, { access, query }) {
      const filter = { state: query.state, ...toPageRequest(query) };
      const [page] = await app.lists.conversations(access, [toSubjectIds(query)], filter);
      return { body: presentPage(page!, presentConversation) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/conversations',
    useCase: 'startConversation',
    group,
    summary: 'Start a conversation',
    description:
      'It belongs to the user and customer named here from then on. 201: it began; 200: it had begun already, and stays as ' +
      'it is. The first message of a conversation starts it too.',
    body: StartBody,
    answer: ConversationRecord,
    statuses: [201, 200],
    example: { conversation_id: 'call-981', user_id: 'u-42', metadata: { channel: 'phone' } },
    async handle(app, { access, body }) {
      const { conversation, isNew } = await app.startConversation(access, {
        conversationId: body.conversation_id,
        ...toSubjectIds(body),
        metadata: body.metadata,
      });
      return { body: presentConversation(conversation), status: isNew ? 201 : 200 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/messages',
    useCase: 'addMessages',
    group,
    summary: 'Say something in a conversation',
    description:
      'One message, or several. What is said becomes memories without being asked: every eight messages, at the end, and ' +
      'after five minutes of silence. A conversation that is not known begins, of the user and customer named here; one ' +
      'that ended is open again.',
    params: byId,
    body: MessagesBody,
    bodyLimit: limits.textBody.max,
    answer: AddedMessagesRecord,
    statuses: [201],
    errors: ['payload_too_large', 'context_not_found'],
    example: { role: 'user', content: 'I moved to York in May.', user_id: 'u-42' },
    async handle(app, { access, params, body }) {
      const { conversation, messageIds, ingestionIds } = await app.addMessages(access, {
        conversationId: params.conversation_id,
        ...toSubjectIds(body),
        messages: messagesOf(body),
      });
      return {
        body: {
          conversation_id: conversation.id,
          external_id: conversation.externalId,
          message_ids: messageIds,
          ingestion_ids: ingestionIds,
          message_count: conversation.messageCount,
        },
        configurationVersion: access.configurationVersion,
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/transcript',
    useCase: 'recordTranscript',
    group,
    summary: 'Submit a whole conversation',
    description:
      'Its turns become memories now, and it ends. Turns already received, by this route or any other, are kept once: ' +
      'resubmitting is a `duplicate`, and new turns are added. 409: it differs from the stored turns; the first that ' +
      'differs is named.',
    params: byId,
    body: TranscriptBody,
    bodyLimit: limits.textBody.max,
    answer: TranscriptRecord,
    errors: ['payload_too_large', 'conflict'],
    example: {
      turns: [
        { role: 'user', content: 'I moved to York in May.' },
        { role: 'assistant', content: 'How do you like it there?' },
      ],
      user_id: 'u-42',
    },
    async handle(app, { access, params, body }) {
      const subject = { conversationId: params.conversation_id, ...toSubjectIds(body) };
      const { turns, sha256, metadata } = body;
      const sent = turns.map(({ session_id: sessionId, ...turn }) => ({ ...turn, sessionId }));
      const recorded = await app.recordTranscript(access, { ...subject, turns: sent, sha256, metadata });
      const { conversation } = recorded;
      return {
        body: {
          conversation_id: conversation.id,
          external_id: conversation.externalId,
          status: recorded.recorded > 0 ? ('recorded' as const) : ('duplicate' as const),
          turns_recorded: recorded.recorded,
          sha256: recorded.sha256,
          message_count: conversation.messageCount,
          ingestion_ids: recorded.ingestionIds,
        },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/conversations/{conversation_id}/end',
    useCase: 'endConversation',
    group,
    summary: 'End a conversation',
    description:
      'What is not remembered yet becomes memories now. It ends by itself after half an hour of silence. One that ended ' +
      'already stays as it is.',
    params: byId,
    query: about,
    answer: EndedConversationRecord,
    errors: ['context_not_found'],
    async handle(app, { access, params, query }) {
      const { conversation, ingestionIds } = await app.endConversation(access, {
        conversationId: params.conversation_id,
        ...toSubjectIds(query),
      });
      return {
        body: { ...presentConversation(conversation), ingestion_ids: ingestionIds },
        configurationVersion: access.configurationVersion,
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/conversations/{conversation_id}',
    useCase: 'conversation',
    group,
    summary: 'Read a conversation',
    description:
      'How it stands, and what was said last. With `turns`, such as `3,8-12`, also what was said in these: what a compaction ' +
      'left out.',
    params: byId,
    query: about.extend({
      turns: turnRanges.optional(),
      last: z.coerce
        .number()
        .int()
        .min(1)
        .max(limits.recentMessages.max)
        .default(20)
        .meta({ description: 'How many messages to answer.' }),
    }),
    answer: ConversationDetailRecord,
    errors: ['context_not_found'],
    async handle(app, { access, params, query }) {
      const input = { conversationId: params.conversation_id, ...toSubjectIds(query) };
      const conversation = await app.conversation(access, { ...input, last: query.last });
      const turns = query.turns && (await app.conversationTurns(access, { ...input, ranges: query.turns }));
      return { body: presentConversationWithMessages(conversation, turns) };
    },
  }),
];

/** The messages of a body, one or several. */
function messagesOf({ messages, role, content, ...more }: z.output<typeof MessagesBody>) {
  const sent = messages ?? [{ ...more, role: role!, content: content! }];
  return sent.map(({ role: speaker, content: words, name, timestamp, metadata, session_id: sessionId }) => {
    return { role: speaker, content: words, name, timestamp, metadata, sessionId };
  });
}
