import { graphql } from '../generated/index.ts';

export const MemoryDetail = graphql(`
  query MemoryDetail($instance: ID!, $id: ID!, $content: Boolean!) {
    memory(id: $id, instanceId: $instance) {
      id
      type
      category
      content @include(if: $content)
      confidence
      scope
      userId
      customerId
      status
      createdAt
      validFrom
      validUntil
      dueAt
      eventStart
      expiresAt
      accessCount
      lastAccessedAt
      configurationVersion
      metadata @include(if: $content)
      supersededReason @include(if: $content)
      correctionReason @include(if: $content)
      supersededBy {
        id
        content @include(if: $content)
        createdAt
      }
      possiblyOutdatedBy {
        id
        content @include(if: $content)
      }
      supersedes {
        id
        content @include(if: $content)
        supersededReason @include(if: $content)
      }
      evidence {
        documentId
        turns
        conversationTurns {
          conversationId
          turns
        }
        quote @include(if: $content)
      }
      entities {
        id
        kind
        name @include(if: $content)
      }
      conversation {
        id
        externalId
      }
    }
  }
`);

export const UndoSupersede = graphql(`
  mutation UndoSupersede($instance: ID!, $id: ID!) {
    undoSupersede(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const ConfirmOutdated = graphql(`
  mutation ConfirmOutdated($instance: ID!, $id: ID!) {
    confirmOutdated(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const RejectOutdated = graphql(`
  mutation RejectOutdated($instance: ID!, $id: ID!) {
    rejectOutdated(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const RestoreMemory = graphql(`
  mutation RestoreMemory($instance: ID!, $id: ID!) {
    restoreMemory(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const ForgetMemory = graphql(`
  mutation Forget($instance: ID!, $id: ID!, $cascade: Boolean!) {
    forget(memoryId: $id, instanceId: $instance, cascade: $cascade) {
      __typename
      ... on Problem {
        message
      }
      ...ReceiptFields
    }
  }
`);

export const CorrectMemory = graphql(`
  mutation CorrectMemory($instance: ID!, $input: CorrectMemoryInput!) {
    correctMemory(instanceId: $instance, input: $input) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const TurnsOfEvidence = graphql(`
  query TurnsOfEvidence($instance: ID!, $conversationId: ID!, $from: Int!, $to: Int!) {
    conversationTurns(instanceId: $instance, conversationId: $conversationId, from: $from, to: $to) {
      message {
        id
        role
        name
        content
      }
    }
  }
`);
