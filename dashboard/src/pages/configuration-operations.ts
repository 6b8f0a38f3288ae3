import { graphql } from '../generated/index.ts';

export const ConfigurationDetail = graphql(`
  query ConfigurationDetail($instance: ID!, $version: Int!, $content: Boolean!) {
    configuration(instanceId: $instance, version: $version) {
      version
      semanticVersion
      state
      revision
      createdAt
      baseVersion
      restoredVersion
      history {
        step
        actor
        at
        comment
      }
      explanation @include(if: $content) {
        by
        warnings
        derivedSettings {
          setting
          value
          reason
          lines {
            line
            text
          }
        }
        defaultedSettings {
          setting
          value
          reason
        }
      }
      primaryScope
      customerDocuments
      isolation
      confidenceThreshold
      memoryTypes
      categories {
        name
        description
        examples
      }
      excluded {
        name
        description
        examples
      }
      entityMatchThresholds {
        merge
        review
      }
      retention {
        policy
        baseDays
        onExpiry
      }
      retrieval {
        mode
        maxResults
        contextBudget
      }
      compaction {
        strategy
        outputFormat
        targetTokens
        automaticTokens
      }
      inference {
        extraction
        embedding
      }
    }
    inForce: configuration(instanceId: $instance) {
      version
    }
  }
`);

export const Difference = graphql(`
  query ConfigurationDifference($instance: ID!, $from: Int!, $to: Int!) {
    configurationDifference(instanceId: $instance, from: $from, to: $to) {
      warnings
      changes {
        path
        text
      }
    }
  }
`);

export const Expiring = graphql(`
  query Expiring($instance: ID!, $version: Int!) {
    expiringMemories(instanceId: $instance, configurationVersion: $version, first: 100) {
      retention {
        baseDays
        onExpiry
      }
      nodes {
        id
        type
        category
        lastAccess
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

export const Update = graphql(`
  mutation UpdateConfiguration($input: UpdateConfigurationInput!) {
    result: updateConfiguration(input: $input) {
      ...Outcome
    }
  }
`);
export const Submit = graphql(`
  mutation SubmitConfiguration($input: ConfigurationStepInput!) {
    result: submitConfiguration(input: $input) {
      ...Outcome
    }
  }
`);
export const ReviewConfiguration = graphql(`
  mutation ReviewConfiguration($input: ReviewConfigurationInput!) {
    result: reviewConfiguration(input: $input) {
      ...Outcome
    }
  }
`);
export const Apply = graphql(`
  mutation ApplyConfiguration($input: ApplyConfigurationInput!) {
    result: applyConfiguration(input: $input) {
      ...Outcome
    }
  }
`);
export const RollBack = graphql(`
  mutation RollBackConfiguration($input: RollBackConfigurationInput!) {
    result: rollBackConfiguration(input: $input) {
      ...Outcome
    }
  }
`);
graphql(`
  fragment Outcome on ConfigurationResult {
    __typename
    ... on Configuration {
      version
    }
    ... on Problem {
      message
    }
  }
`);
