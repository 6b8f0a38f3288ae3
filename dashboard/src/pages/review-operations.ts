import { graphql } from '../generated/index.ts';

export const OpenReviews = graphql(`
  query Reviews($instance: ID!, $first: Int!, $after: String, $content: Boolean!) {
    entityMatchReviews(instanceId: $instance, first: $first, after: $after) {
      nodes {
        id
        score
        features {
          name
          value
          weight
        }
        left {
          ...Side
        }
        right {
          ...Side
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
  fragment Side on EntityMatchReviewSide {
    entity {
      id
      kind
      name @include(if: $content)
    }
    evidence {
      name @include(if: $content)
      documentId
      turns
      quote @include(if: $content)
    }
  }
`);

export const ConfirmEntityMatch = graphql(`
  mutation ConfirmEntityMatch($instance: ID!, $id: ID!) {
    confirmEntityMatch(instanceId: $instance, id: $id) {
      __typename
      ... on Merge {
        id
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const RejectEntityMatch = graphql(`
  mutation RejectEntityMatch($instance: ID!, $id: ID!) {
    rejectEntityMatch(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const UndoEntityMatch = graphql(`
  mutation UndoEntityMatch($instance: ID!, $id: ID!) {
    undoMerge(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const AnsweredReviews = graphql(`
  query AnsweredReviews(
    $instance: ID!
    $status: EntityMatchReviewStatus!
    $first: Int!
    $after: String
    $content: Boolean!
  ) {
    entityMatchReviews(instanceId: $instance, status: $status, first: $first, after: $after) {
      nodes {
        id
        score
        decidedAt
        left {
          ...Side
        }
        right {
          ...Side
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);
