import type { CodegenConfig } from '@graphql-codegen/cli';
import { enums } from './src/transports/graphql/resolvers/enums.ts';

const domain = '../domain';
const nodes = '../transports/graphql/nodes.ts';

/** schema.graphql → the types of its resolvers, in our own records. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  generates: {
    'src/generated/graphql.ts': {
      // Resolvers get and give the domain's own words. (The second plugin cannot do it: it would type them as null.)
      plugins: [{ typescript: { enumValues: enums } }, 'typescript-resolvers'],
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        avoidOptionals: { field: true, defaultValue: true },
        immutableTypes: true,
        strictScalars: true,
        scalars: {
          ID: { input: 'string', output: 'string' },
          DateTime: { input: 'Date', output: 'Date' },
          JSON: { input: 'unknown', output: 'unknown' },
        },
        contextType: '../transports/graphql/context.ts#GraphqlContext',
        mappers: {
          Client: `${domain}/tenancy/client.ts#ClientRecord`,
          ConfigurationDifference: `${domain}/administration/read-configurations.ts#Difference`,
          Onboarding: `${domain}/administration/onboarding.ts#OnboardingRecord`,
          OnboardingPreview: `${domain}/administration/onboarding.ts#Preview`,
          Configuration: `${domain}/configurations/record.ts#ConfigurationRecord`,
          AnticipatedMemory: `${nodes}#AnticipatedMemoryNode`,
          Bundle: `${nodes}#BundleNode`,
          Withdrawal: `${domain}/anticipation/anticipation.ts#Withdrawal as WithdrawalRecord`,
          Context: `${nodes}#ContextNode`,
          Compaction: `${nodes}#CompactionNode`,
          Conversation: `${nodes}#ConversationNode`,
          Customer: `${nodes}#CustomerNode`,
          Document: `${nodes}#DocumentNode`,
          ConversationEnded: `${nodes}#ConversedNode`,
          MessagesAdded: `${nodes}#MessagesAddedNode`,
          TranscriptRecorded: `${nodes}#TranscriptRecordedNode`,
          Message: `${domain}/conversations/conversation.ts#Message as SaidMessage`,
          Embedding: `${domain}/memories/reembed.ts#EmbeddingState`,
          Entity: `${nodes}#EntityNode`,
          Division: `${nodes}#DivisionNode`,
          Mention: `${nodes}#MentionNode`,
          Merge: `${nodes}#MergeNode`,
          Review: `${nodes}#ReviewNode`,
          ReviewSide: `${nodes}#ReviewSideNode`,
          Ingestion: `${nodes}#IngestionNode`,
          Instance: `${nodes}#InstanceNode`,
          Key: `${domain}/tenancy/credential.ts#KeyRecord`,
          Memory: `${nodes}#MemoryNode`,
          ExpiringMemory: `${nodes}#ExpiringMemoryNode`,
          AdminTokenConnection: `${nodes}#AdminTokenConnectionNode`,
          ClientConnection: `${nodes}#ClientConnectionNode`,
          ConfigurationConnection: `${nodes}#ConfigurationConnectionNode`,
          ConversationConnection: `${nodes}#ConversationConnectionNode`,
          CustomerConnection: `${nodes}#CustomerConnectionNode`,
          DocumentConnection: `${nodes}#DocumentConnectionNode`,
          IngestionConnection: `${nodes}#IngestionConnectionNode`,
          InstanceConnection: `${nodes}#InstanceConnectionNode`,
          KeyConnection: `${nodes}#KeyConnectionNode`,
          Viewer: `${domain}/administration/members.ts#Viewer as ViewerRecord`,
          MemberConnection: `${nodes}#MemberConnectionNode`,
          InvitationConnection: `${nodes}#InvitationConnectionNode`,
          MemoryConnection: `${nodes}#MemoryConnectionNode`,
          UserConnection: `${nodes}#UserConnectionNode`,
          Webhook: `${nodes}#WebhookNode`,
          WebhookConnection: `${nodes}#WebhookConnectionNode`,
          WebhookDelivery: `${nodes}#WebhookDeliveryNode`,
          WebhookDeliveryConnection: `${nodes}#WebhookDeliveryConnectionNode`,
          Receipt: `${domain}/erasure/receipt.ts#Receipt as ReceiptRecord`,
          VectorIndex: `${domain}/memories/vector-index-state.ts#VectorIndexState`,
          User: `${nodes}#UserNode`,
          ScoredMemory: `${nodes}#ScoredMemoryNode`,
          DuplicateDocument: `${nodes}#DuplicateDocumentNode`,
        },
        resolversNonOptionalTypename: { unionMember: true },
      },
    },
    // The operations of the dashboard, each with the types of its variables and its answer.
    'dashboard/src/generated/': {
      documents: ['dashboard/src/**/*.{ts,tsx}', '!dashboard/src/generated/**'],
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        strictScalars: true,
        avoidOptionals: { field: true },
        scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown' },
      },
    },
  },
};
export default config;
