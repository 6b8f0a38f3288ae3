import { orNull } from '../../../domain/errors.ts';
import type { Conversed } from '../../../domain/ingestion/converse.ts';
import type { ConversationState } from '../../../domain/conversations/conversation.ts';
import { limits } from '../../../domain/limits.ts';
import type { Named } from '../../../domain/tenancy/access.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import { countedConnection, pageRequest, readBy, requireWithin, type PageArgs } from '../connections.ts';
import type { GraphqlContext, Reader } from '../context.ts';
import {
  parseInput,
  ConversationOf,
  omitNulls,
  PartialSaid,
  toNewConversation,
  toNewMessages,
  toTranscript,
} from '../inputs.ts';
import { orProblem } from '../outcomes.ts';

interface ListArgs extends PageArgs {
  readonly state?: ConversationState | null;
}

/** A page of the conversations of a user or customer; of the whole instance, where nobody is named. */
export async function conversationsOf(reader: Reader, named: Named, { state, ...args }: ListArgs) {
  const filter = { state: state ?? undefined };
  const page = await reader.loaders.conversationsOf.load({ ...filter, ...pageRequest(args) }, named);
  return countedConnection(readBy(reader, page), args, () => reader.loaders.conversationCountsOf.load(filter, named));
}

export const conversations: Resolvers = {
  Query: {
    async conversation(_, { instanceId, ...args }, context) {
      const reader = await context.reader(instanceId);
      const { id: conversationId, ...named } = omitNulls(parseInput(ConversationOf, args));
      const conversation = await orNull(context.app.conversation(reader.access, { conversationId, ...named, last: 0 }));
      return conversation && { ...conversation, reader };
    },
  },
  Mutation: {
    async startConversation(_, { input }, { app, own }) {
      const reader = own();
      return orProblem('Conversation', ['invalid_input'], async () => {
        const { conversation } = await app.startConversation(reader.access, toNewConversation(input));
        return { ...conversation, reader };
      });
    },
    async addMessages(_, { input }, { app, own }) {
      const reader = own();
      return orProblem('MessagesAdded', ['invalid_input'], async () => ({
        ...(await app.addMessages(reader.access, toNewMessages(input))),
        reader,
      }));
    },
    async hearPartialMessage(_, { input }, { app, own }) {
      const { access } = own();
      return orProblem('PartialMessageHeard', ['not_found', 'invalid_input'], async () =>
        app.hearPartialMessage(access, omitNulls(parseInput(PartialSaid, input))),
      );
    },
    async recordTranscript(_, { input }, { app, own }) {
      const reader = own();
      return orProblem('TranscriptRecorded', ['invalid_input', 'conflict'], async () => {
        const { recorded, ...told } = await app.recordTranscript(reader.access, toTranscript(input));
        return { ...told, turnsRecorded: recorded, reader };
      });
    },
    async endConversation(_, args, { app, own }) {
      const reader = own();
      const { id: conversationId, ...named } = omitNulls(parseInput(ConversationOf, args));
      return orProblem('ConversationEnded', ['not_found'], async () => ({
        ...(await app.endConversation(reader.access, { conversationId, ...named })),
        reader,
      }));
    },
  },
  Conversation: {
    recentMessages({ id, reader }, { last }) {
      requireWithin('last', last, limits.recentMessages);
      return reader.loaders.messagesOfConversation.load({ conversationId: id, last });
    },
  },
  MessagesAdded: {
    conversation: ({ conversation, reader }) => ({ ...conversation, reader }),
    ingestions: (added, _, context) => ingestionsOf(context, added),
  },
  TranscriptRecorded: {
    conversation: ({ conversation, reader }) => ({ ...conversation, reader }),
    ingestions: (recorded, _, context) => ingestionsOf(context, recorded),
  },
  ConversationEnded: {
    conversation: ({ conversation, reader }) => ({ ...conversation, reader }),
    ingestions: (ended, _, context) => ingestionsOf(context, ended),
  },
};

/** Hardly ever more than one: what a single call made due. */
const ingestionsOf = ({ app }: GraphqlContext, { ingestionIds, reader }: Conversed & { reader: Reader }) =>
  Promise.all(ingestionIds.map(async (id) => ({ ...(await app.ingestion(reader.access, id)), reader })));
