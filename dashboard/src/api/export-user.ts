import type { Client } from 'urql';
import { graphql } from '../generated/index.ts';
import { messageOf } from './outcome.ts';

const MemoriesOfUser = graphql(`
  query ExportMemories($instance: ID!, $user: String!, $after: String) {
    memories(instanceId: $instance, filter: { userId: $user }, first: 100, after: $after) {
      nodes {
        id
        type
        category
        content
        confidence
        scope
        userId
        customerId
        status
        validFrom
        validUntil
        supersededReason
        dueAt
        eventStart
        eventEnd
        createdAt
        metadata
        evidence {
          documentId
          turns
          quote
        }
        entities {
          name
          kind
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const ConversationsOfUser = graphql(`
  query ExportConversations($instance: ID!, $user: String!, $after: String) {
    instance(id: $instance) {
      conversations(userId: $user, first: 20, after: $after) {
        nodes {
          id
          externalId
          startedAt
          messageCount
          metadata
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const TurnsOfConversation = graphql(`
  query ExportTurns($instance: ID!, $id: ID!, $from: Int!, $to: Int!) {
    conversationTurns(instanceId: $instance, conversationId: $id, from: $from, to: $to) {
      number
      message {
        id
        role
        name
        content
        at
      }
      anticipated {
        leadTimeMs
        isUsed
        memory {
          id
        }
      }
    }
  }
`);

const turnsAtOnce = 100;

/**
 * Every memory of a user, then every message of their conversations, as a line of JSON each. `onProgress` is told how
 * many lines there are so far. Throws what the server refuses.
 */
export async function exportUser(
  client: Client,
  { instance, userId }: { instance: string; userId: string },
  onProgress: (lines: number) => void,
): Promise<string[]> {
  const lines: string[] = [];
  const add = (kind: string, records: readonly object[]) => {
    for (const record of records) lines.push(JSON.stringify({ kind, ...record }, withoutTypenames));
    onProgress(lines.length);
  };
  const ask: typeof client.query = (query, variables) =>
    client.query(query, variables, { requestPolicy: 'network-only' });

  for (let after: string | null | undefined = null; after !== undefined;) {
    const { data, error } = await ask(MemoriesOfUser, { instance, user: userId, after }).toPromise();
    if (error) throw new Error(messageOf(error));
    add('memory', data!.memories.nodes);
    after = nextOf(data!.memories.pageInfo);
  }
  for (let after: string | null | undefined = null; after !== undefined;) {
    const { data, error } = await ask(ConversationsOfUser, { instance, user: userId, after }).toPromise();
    if (error) throw new Error(messageOf(error));
    const { nodes, pageInfo } = data!.instance!.conversations;
    for (const conversation of nodes) {
      add('conversation', [conversation]);
      for (let from = 0; from < conversation.messageCount; from += turnsAtOnce) {
        const range = { from, to: Math.min(from + turnsAtOnce, conversation.messageCount) - 1 };
        const turns = await ask(TurnsOfConversation, { instance, id: conversation.id, ...range }).toPromise();
        if (turns.error) throw new Error(messageOf(turns.error));
        const said = turns.data!.conversationTurns.map(({ message, anticipated }) => ({
          conversationId: conversation.id,
          ...message,
          anticipated: anticipated?.map(({ memory, ...pushed }) => ({ memoryId: memory.id, ...pushed })) ?? null,
        }));
        add('message', said);
      }
    }
    after = nextOf(pageInfo);
  }
  return lines;
}

const nextOf = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }) =>
  hasNextPage ? endCursor : undefined;

const withoutTypenames = (name: string, value: unknown) => (name === '__typename' ? undefined : value);
