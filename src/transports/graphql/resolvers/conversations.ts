import { nullIfNotFound } from '../../../domain/errors.ts';
import type { ConversationState } from '../../../domain/conversations/conversation.ts';
import { limits } from '../../../domain/limits.ts';
import type { SubjectIds } from '../../../domain/tenancy/access.ts';
import type { ConversationEndedResolvers, Resolvers } from '../../../generated/graphql.ts';
import {
  toCountedConnection,
  pageRequest,
  recordWithReader,
  withReader,
  requireWithinLimit,
  type PageArgs,
} from '../connections.ts';
import type { Reader } from '../context.ts';
import {
  parseInput,
  ConversationInput,
  PartialMessageInput,
  toNewConversation,
  toNewMessages,
  toTranscript,
} from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

interface ListArgs extends PageArgs {
  readonly state?: ConversationState | null;
}

/** A page of the conversations of a user or customer; of the whole instance, where nobody is named. */
export async function conversationConnection(reader: Reader, named: SubjectIds, { state, ...args }: ListArgs) {
  const filter = { state: state ?? undefined };
  const page = await reader.loaders.conversationsOf.load({ ...filter, ...pageRequest(args) }, named);
  return toCountedConnection(withReader(reader, page), args, () =>
    reader.loaders.conversationCountsOf.load(filter, named),
  );
}

/** The fields that three results share: the conversation, and the ingestions of the messages that became due. */
const withIngestions: ConversationEndedResolvers = {
  conversation: ({ conversation, reader }) => ({ ...conversation, reader }),
  // Hardly ever more than one: what a single call made due.
  ingestions: ({ ingestionIds, reader }, _, { app }) =>
    Promise.all(ingestionIds.map(async (id) => ({ ...(await app.ingestion(reader.access, id)), reader }))),
};

export const conversationResolvers: Resolvers = {
  Query: {
    async conversation(_, { instanceId, ...args }, context) {
      const reader = await context.reader(instanceId);
      const { id: conversationId, ...named } = parseInput(ConversationInput, args);
      const asked = { conversationId, ...named, last: 0 };
      return recordWithReader(reader, nullIfNotFound(context.app.conversation(reader.access, asked)));
    },
  },
  Mutation: {
    async startConversation(_, { input }, { app, own }) {
      const reader = own();
      return problemsAsResult('Conversation', ['invalid_input'], async () => {
        const { conversation } = await app.startConversation(reader.access, toNewConversation(input));
        return { ...conversation, reader };
      });
    },
    async addMessages(_, { input }, { app, own }) {
      const reader = own();
      return problemsAsResult('MessagesAdded', ['invalid_input', 'payload_too_large'], async () => ({
        ...(await app.addMessages(reader.access, toNewMessages(input))),
        reader,
      }));
    },
    async publishPartialMessage(_, { input }, { app, own }) {
      const { access } = own();
      return problemsAsResult('PartialMessagePublished', ['context_not_found', 'invalid_input'], async () =>
        app.publishPartialMessage(access, parseInput(PartialMessageInput, input)),
      );
    },
    async recordTranscript(_, { input }, { app, own }) {
      const reader = own();
      return problemsAsResult('TranscriptRecorded', ['invalid_input', 'payload_too_large', 'conflict'], async () => {
        const { recorded, ...told } = await app.recordTranscript(reader.access, toTranscript(input));
        return { ...told, turnsRecorded: recorded, reader };
      });
    },
    async endConversation(_, args, { app, own }) {
      const reader = own();
      const { id: conversationId, ...named } = parseInput(ConversationInput, args);
      return problemsAsResult('ConversationEnded', ['context_not_found'], async () => ({
        ...(await app.endConversation(reader.access, { conversationId, ...named })),
        reader,
      }));
    },
  },
  Conversation: {
    recentMessages({ id, reader }, { last }) {
      requireWithinLimit('last', last, limits.recentMessages);
      return reader.loaders.messagesOfConversation.load(last, id);
    },
  },
  MessagesAdded: withIngestions,
  TranscriptRecorded: withIngestions,
  ConversationEnded: withIngestions,
};
