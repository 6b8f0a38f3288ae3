import { graphql } from '../generated/index.ts';

export const Say = graphql(`
  mutation PlaygroundSay($input: SubmitDocumentInput!) {
    submitDocument(input: $input, wait: 30) {
      __typename
      ... on Ingestion {
        id
        status
        error
        discarded
        warnings
        memories {
          id
          type
          category
          content
          confidence
          evidence {
            quote
          }
        }
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const Ask = graphql(`
  query PlaygroundAsk($query: ContextInput!) {
    context(query: $query) {
      source
      totalTokens
      warnings
      memories {
        score
        scoreParts {
          name
          value
        }
        memory {
          id
          type
          content
        }
      }
    }
  }
`);

export const Send = graphql(`
  mutation PlaygroundSend($input: AddMessagesInput!) {
    addMessages(input: $input) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const PublishPartial = graphql(`
  mutation PlaygroundTyping($input: PartialMessageInput!) {
    publishPartialMessage(input: $input) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const Start = graphql(`
  mutation PlaygroundStart($input: StartConversationInput!) {
    startConversation(input: $input) {
      __typename
      ... on Conversation {
        id
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const Anticipated = graphql(`
  subscription PlaygroundAnticipated($conversation: ID!, $user: ID) {
    anticipated(conversationId: $conversation, userId: $user) {
      __typename
      ... on Bundle {
        sequence
        memories {
          score
          reason
          memory {
            id
            content
          }
        }
      }
      ... on Withdrawal {
        memoryIds
      }
    }
  }
`);
