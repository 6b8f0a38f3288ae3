import { isObjectType, type GraphQLSchema } from 'graphql';
import { isInstanceId, type InstanceId } from '../../domain/ids.ts';
import { permissionOf, type UseCase } from '../../app/permissions.ts';
import { requirePermission } from '../../app/permission.ts';
import type { MutationResolvers, QueryResolvers, SubscriptionResolvers } from '../../generated/graphql.ts';
import type { GraphqlContext } from './context.ts';

interface RootFields {
  readonly Query: Readonly<Record<keyof QueryResolvers, UseCase>>;
  readonly Mutation: Readonly<Record<keyof MutationResolvers, UseCase>>;
  readonly Subscription: Readonly<Record<keyof SubscriptionResolvers, UseCase>>;
}

/** The use case that each field of the roots stands for: who may call that may ask for the field. */
export const useCaseOfField: RootFields = {
  Query: {
    adminTokens: 'administration.adminTokens',
    client: 'administration.client',
    clients: 'administration.clients',
    compaction: 'compactions.version',
    compactions: 'compactions.versions',
    configuration: 'configurations.read',
    configurationDifference: 'configurations.compare',
    configurations: 'configurations.page',
    context: 'fetchContext',
    conversation: 'conversation',
    conversationTurns: 'conversationTurns',
    deploymentUsage: 'analytics.usageOf',
    entities: 'entities',
    entity: 'entity',
    ingestion: 'ingestion',
    instance: 'instance',
    instances: 'instances',
    masterKeyRotation: 'masterKeyRotation',
    memories: 'memories',
    memory: 'memory',
    onboarding: 'onboarding.read',
    previewOnboarding: 'onboarding.preview',
    receipt: 'receipt',
    invitations: 'members.invitations',
    members: 'members.list',
    expiringMemories: 'administration.retention',
    entityMatchReviews: 'reviews',
    viewer: 'members.viewer',
    webhook: 'webhooks.read',
    webhookDelivery: 'webhooks.delivery',
    webhooks: 'webhooks.page',
  },
  Mutation: {
    addMessages: 'addMessages',
    recordTranscript: 'recordTranscript',
    changeMember: 'members.change',
    inviteMember: 'members.invite',
    revokeInvitation: 'members.revokeInvitation',
    signOutEverywhere: 'members.signOutEverywhere',
    applyConfiguration: 'configurations.apply',
    setProviders: 'setProviders',
    compactConversation: 'compactions.compact',
    completeOnboarding: 'onboarding.complete',
    confirmOutdated: 'confirmOutdated',
    confirmEntityMatch: 'confirmReview',
    correctMemory: 'correctMemory',
    createAdminToken: 'administration.createAdminToken',
    createBrowserToken: 'createBrowserToken',
    createClient: 'administration.createClient',
    createInstance: 'createInstance',
    createKey: 'createKey',
    createPasswordReset: 'members.createPasswordReset',
    createSignInLink: 'members.createSignInLink',
    createWebhook: 'webhooks.create',
    deleteWebhook: 'webhooks.remove',
    endConversation: 'endConversation',
    forget: 'forgetMemory',
    forgetCustomer: 'forgetOwner',
    forgetDocument: 'forgetDocument',
    forgetUser: 'forgetOwner',
    publishPartialMessage: 'publishPartialMessage',
    importWorldKnowledge: 'administration.importWorldKnowledge',
    initConfiguration: 'configurations.init',
    setKeyRateLimit: 'setKeyRateLimit',
    mergeEntities: 'mergeEntities',
    changeClientState: 'administration.changeClientState',
    changeInstanceState: 'administration.changeInstanceState',
    onboard: 'onboarding.start',
    purgeInstance: 'administration.purgeInstance',
    redeliverWebhook: 'webhooks.redeliver',
    rejectOutdated: 'rejectOutdated',
    rejectEntityMatch: 'rejectReview',
    renameClient: 'administration.renameClient',
    renameInstance: 'administration.renameInstance',
    repairVectorIndex: 'repairVectorIndex',
    replaceUseCase: 'onboarding.replaceUseCase',
    restoreMemory: 'restoreMemory',
    retryIngestion: 'retryIngestion',
    reviewConfiguration: 'configurations.review',
    revokeAdminToken: 'administration.revokeAdminToken',
    revokeKey: 'revokeKey',
    rollBackConfiguration: 'configurations.rollBack',
    rotateMasterKey: 'rotateMasterKey',
    rotateWebhookSecret: 'webhooks.rotateSecret',
    splitEntity: 'splitEntity',
    startConversation: 'startConversation',
    submitConfiguration: 'configurations.submit',
    submitDocument: 'submit',
    testWebhook: 'webhooks.test',
    undoMerge: 'undoMerge',
    undoSupersede: 'undoSupersede',
    updateConfiguration: 'configurations.update',
    updateWebhook: 'webhooks.update',
  },
  Subscription: {
    anticipated: 'watchConversation',
    ingestionProgress: 'watchIngestion',
    memoryChanged: 'watchMemories',
    memoryCreated: 'watchMemories',
  },
};

/** The instance that the arguments of a field name, if any. */
function namedIn(args: Readonly<Record<string, unknown>>): InstanceId | undefined {
  const { instanceId, id, input } = args;
  if (isInstanceId(instanceId)) return instanceId;
  if (isInstanceId(id)) return id;
  return typeof input === 'object' && input !== null ? namedIn(input as Readonly<Record<string, unknown>>) : undefined;
}

/** Refuses a field of the roots, before it is resolved, to whoever may not call its use case. */
export function guardRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const [root, useCases] of Object.entries(useCaseOfField)) {
    const type = schema.getType(root);
    if (!isObjectType(type)) throw new Error(`the schema has no ${root}`);
    for (const [name, field] of Object.entries(type.getFields())) {
      const permission = permissionOf((useCases as Readonly<Record<string, UseCase>>)[name]!);
      const step = root === 'Subscription' ? 'subscribe' : 'resolve';
      const work = field[step]!;
      field[step] = (source: unknown, args, context: GraphqlContext, info) => {
        requirePermission(context.principal, permission);
        context.about.instance ??= namedIn(args);
        return work(source, args, context, info);
      };
    }
  }
  return schema;
}
