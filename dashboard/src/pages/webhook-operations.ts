import { graphql } from '../generated/index.ts';

export const Webhooks = graphql(`
  query Webhooks($instance: ID!, $first: Int!, $after: String) {
    webhooks(instanceId: $instance, first: $first, after: $after) {
      nodes {
        id
        url
        description
        eventTypes
        state
        failingSince
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const WebhookDetail = graphql(`
  query WebhookDetail($instance: ID!, $id: ID!) {
    webhook(id: $id, instanceId: $instance) {
      id
      url
      description
      eventTypes
      state
      disabledReason
      disabledAt
      failingSince
      previousSecretExpiresAt
      createdAt
    }
  }
`);

export const Deliveries = graphql(`
  query WebhookDeliveries($instance: ID!, $id: ID!, $state: WebhookDeliveryState, $first: Int!, $after: String) {
    webhook(id: $id, instanceId: $instance) {
      deliveries(state: $state, first: $first, after: $after) {
        nodes {
          id
          eventId
          eventType
          state
          nextAttemptAt
          createdAt
          attempts {
            at
            status
            failure
            milliseconds
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
        totalCount
        isTotalCapped
      }
    }
  }
`);

export const CreateWebhook = graphql(`
  mutation CreateWebhook($instance: ID!, $input: CreateWebhookInput!) {
    createWebhook(instanceId: $instance, input: $input) {
      __typename
      ... on WebhookWithSecret {
        secret
        webhook {
          id
        }
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const UpdateWebhook = graphql(`
  mutation UpdateWebhook($instance: ID!, $id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(instanceId: $instance, id: $id, input: $input) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const DeleteWebhook = graphql(`
  mutation DeleteWebhook($instance: ID!, $id: ID!) {
    deleteWebhook(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const RotateSecret = graphql(`
  mutation RotateWebhookSecret($instance: ID!, $id: ID!) {
    rotateWebhookSecret(instanceId: $instance, id: $id) {
      __typename
      ... on WebhookWithSecret {
        secret
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const TestWebhook = graphql(`
  mutation TestWebhook($instance: ID!, $id: ID!) {
    testWebhook(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export const Redeliver = graphql(`
  mutation RedeliverWebhook($instance: ID!, $id: ID!) {
    redeliverWebhook(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);
