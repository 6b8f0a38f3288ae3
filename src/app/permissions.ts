import type { Permission } from './permission.ts';

/** Submits, converses and streams. An administrator never does that for an agent. */
const agent = { key: true } as const satisfies Permission;
/** Asks for context: an agent, or the browser of somebody it talks with. */
const asker = { key: true, browser: true } as const satisfies Permission;
/** Reads what an instance holds. Fields that are content need a higher role than viewer: see `roles.ts`. */
const reader = { key: true, admin: 'viewer', withinClient: true } as const satisfies Permission;
/** Changes what an instance remembers, or whom it tells of that. */
const editor = { key: true, admin: 'admin', withinClient: true } as const satisfies Permission;
/** Administers: reads, changes what can be changed back, or changes what cannot. */
const viewer = { admin: 'viewer' } as const satisfies Permission;
const administrator = { admin: 'admin' } as const satisfies Permission;
const owner = { admin: 'owner' } as const satisfies Permission;
/** Administrators as above, also those with a role in a single client, for what belongs to it or its instances. */
const clientViewer = { ...viewer, withinClient: true } as const satisfies Permission;
const clientAdministrator = { ...administrator, withinClient: true } as const satisfies Permission;
const clientOwner = { ...owner, withinClient: true } as const satisfies Permission;
/** Any valid credential; for calls that every request passes through. */
const everybody = { key: true, browser: true, admin: 'viewer', withinClient: true } as const satisfies Permission;
/** Asks for no credential. */
const open = null;

/**
 * Declares which credentials may call each use case, for the whole service. Each use case checks it for itself
 * (`permission.ts`); REST routes, GraphQL fields and the gRPC stream name the use case that they stand for, and
 * check it before they read their input.
 */
export const permissions = {
  authenticate: open,
  openSession: open,
  'signIn.signIn': open,
  'signIn.acceptInvitation': open,
  'signIn.resetPassword': open,
  'signIn.signOut': open,
  checkHealth: open,
  checkReady: open,
  databaseProgressAt: open,
  spend: everybody,
  quota: everybody,
  begin: everybody,
  countCall: everybody,
  countAdminCall: clientViewer,
  measureOperation: everybody,
  narrow: everybody,
  beginStream: agent,

  submit: agent,
  submitAndWait: agent,
  readFile: agent,
  submitBatch: agent,
  batch: { ...agent, isUnmetered: true },
  ingestion: { ...reader, isUnmetered: true },
  awaitIngestion: { ...agent, isUnmetered: true },
  ingestions: reader,
  firstIngestion: reader,
  watchIngestion: reader,
  retryIngestion: editor,

  startConversation: agent,
  addMessages: agent,
  publishPartialMessage: agent,
  recordTranscript: agent,
  endConversation: agent,
  conversation: reader,
  conversationsByIds: reader,
  messagesOfConversations: reader,
  findConversationTurns: reader,
  conversationTurns: reader,
  memoriesOfTurns: reader,
  'compactions.compact': agent,
  'compactions.enqueue': agent,
  'compactions.defaultFormat': agent,
  'compactions.version': reader,
  'compactions.current': reader,
  'compactions.versions': reader,

  fetchContext: asker,
  watchConversation: asker,
  anticipate: agent,
  createBrowserToken: agent,
  anticipationFigures: reader,

  'analytics.latency': reader,
  'analytics.operations': reader,
  'analytics.usage': reader,
  'analytics.usageOf': clientViewer,

  userProfile: reader,
  memory: reader,
  memories: reader,
  memoriesByIds: { ...reader, ...asker },
  supersededIdsOf: reader,
  watchMemories: reader,
  memoriesByDay: reader,
  restoreMemory: editor,
  undoSupersede: editor,
  confirmOutdated: editor,
  rejectOutdated: editor,
  correctMemory: editor,
  forgetMemory: editor,
  forgetDocument: editor,
  forgetOwner: editor,
  receipt: reader,
  exportOwner: agent,

  entity: reader,
  entities: reader,
  entitiesByIds: { ...reader, ...asker },
  evidenceOfEntities: reader,
  mergesOfEntities: reader,
  mergeEntities: editor,
  splitEntity: editor,
  undoMerge: editor,
  reviews: reader,
  confirmReview: editor,
  rejectReview: editor,

  'lists.users': reader,
  'lists.customers': reader,
  'lists.usersOf': reader,
  'lists.customersOf': reader,
  'lists.countUsers': reader,
  'lists.countCustomers': reader,
  'lists.countUsersOf': reader,
  'lists.countCustomersOf': reader,
  'lists.known': reader,
  'lists.lastCalls': reader,
  'lists.memories': reader,
  'lists.countMemories': reader,
  'lists.countMemoriesByStatus': reader,
  'lists.entities': reader,
  'lists.countEntities': reader,
  'lists.conversations': reader,
  'lists.countConversations': reader,
  'lists.documents': reader,
  'lists.countDocuments': reader,
  'lists.countIngestions': reader,
  'lists.countKeys': clientViewer,
  'lists.memoriesOfDocuments': reader,
  'lists.countMemoriesOfDocuments': reader,
  'lists.lastIngestions': reader,

  'webhooks.create': editor,
  'webhooks.update': editor,
  'webhooks.remove': editor,
  'webhooks.rotateSecret': editor,
  'webhooks.test': editor,
  'webhooks.redeliver': editor,
  'webhooks.read': reader,
  'webhooks.page': reader,
  'webhooks.count': reader,
  'webhooks.delivery': reader,
  'webhooks.deliveries': reader,
  'webhooks.countDeliveries': reader,

  instance: reader,
  embedding: reader,
  vectorIndex: reader,
  repairVectorIndex: clientAdministrator,
  setProviders: clientAdministrator,
  accessAsAdmin: clientViewer,
  recordContentRead: clientViewer,
  instances: clientViewer,
  createInstance: clientAdministrator,
  keys: clientViewer,
  createKey: clientAdministrator,
  setKeyRateLimit: clientAdministrator,
  revokeKey: clientAdministrator,
  rotateMasterKey: owner,
  masterKeyRotation: owner,

  'configurations.page': reader,
  'configurations.count': reader,
  'configurations.read': reader,
  'configurations.active': reader,
  'configurations.compare': reader,
  'configurations.init': clientAdministrator,
  'configurations.update': clientAdministrator,
  'configurations.submit': clientAdministrator,
  'configurations.review': clientAdministrator,
  'configurations.apply': clientAdministrator,
  'configurations.rollBack': clientAdministrator,

  'administration.clients': clientViewer,
  'administration.countClients': clientViewer,
  'administration.client': clientViewer,
  'administration.clientsByIds': clientViewer,
  'administration.instancesOfClients': clientViewer,
  'administration.countInstances': clientViewer,
  'administration.countInstancesOfClients': clientViewer,
  'administration.createClient': administrator,
  'administration.renameClient': clientAdministrator,
  'administration.changeClientState': administrator,
  'administration.purgeClient': owner,
  'administration.clientUsage': clientViewer,
  'administration.clientAudit': clientViewer,
  'administration.instance': clientViewer,
  'administration.renameInstance': clientAdministrator,
  'administration.changeInstanceState': clientAdministrator,
  'administration.purgeInstance': clientOwner,
  'administration.instanceStats': clientViewer,
  'administration.importWorldKnowledge': administrator,
  'administration.retention': clientViewer,
  'administration.adminTokens': owner,
  'administration.countAdminTokens': owner,
  'administration.createAdminToken': owner,
  'administration.revokeAdminToken': owner,

  'members.viewer': clientViewer,
  'members.createSignInLink': viewer,
  'members.signOutEverywhere': clientViewer,
  'members.list': clientOwner,
  'members.count': clientOwner,
  'members.invitations': clientOwner,
  'members.countInvitations': clientOwner,
  'members.invite': clientOwner,
  'members.revokeInvitation': clientOwner,
  'members.change': clientOwner,
  'members.createPasswordReset': clientOwner,

  'onboarding.start': administrator,
  'onboarding.read': clientViewer,
  'onboarding.useCase': clientAdministrator,
  'onboarding.replaceUseCase': clientAdministrator,
  'onboarding.preview': clientAdministrator,
  'onboarding.complete': clientAdministrator,
} as const satisfies Readonly<Record<string, Permission | null>>;

/** `submit`, or `administration.createClient` for one of a group. */
export type UseCase = keyof typeof permissions;

/** The permission of what an API offers, which is always for somebody. */
export function permissionOf(useCase: UseCase): Permission {
  const permission: Permission | null = permissions[useCase];
  if (!permission) throw new Error(`${useCase} asks for no credential`);
  return permission;
}
