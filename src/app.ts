import { createAdministrationUseCases } from './app/administration.ts';
import { createAnalyticsUseCases } from './app/analytics.ts';
import { createCompactionUseCases } from './app/compactions.ts';
import { createConfigurationUseCases } from './app/configurations.ts';
import { guardUseCases } from './app/permission.ts';
import { createListUseCases } from './app/lists.ts';
import { createMemberUseCases, createSignInUseCases } from './app/members.ts';
import { traceMemoryUseCases } from './app/memory-spans.ts';
import { openStream } from './app/open-stream.ts';
import { createOnboardingUseCases } from './app/onboarding.ts';
import { createWebhookUseCases } from './app/webhooks.ts';
import { permissions } from './app/permissions.ts';
import { transaction } from './db/database.ts';
import type { Dependencies } from './dependencies.ts';
import { createInstance, listInstances, readInstance } from './domain/administration/instances.ts';
import { createBrowserToken, type BrowserTokenRequest } from './domain/administration/browser-tokens.ts';
import { saveInstanceAudit } from './domain/administration/audit-store.ts';
import { recordContentRead, type ContentRead } from './domain/administration/content-reads.ts';
import { setProviders } from './domain/administration/set-providers.ts';
import { createKey, setKeyRateLimit, listKeys, revokeKey } from './domain/administration/keys.ts';
import { readMasterKeyRotation, rotateMasterKey } from './domain/administration/master-key.ts';
import { repairVectorIndex } from './domain/administration/repair-vector-index.ts';
import type { Signal } from './domain/anticipation/stream-messages.ts';
import { readStreamStatistics, type DayRange } from './domain/anticipation/read-stream-statistics.ts';
import {
  resolveWatchedSubject,
  watcherSignals,
  untilTokenExpires,
  type WatchRequest,
} from './domain/anticipation/watch-conversation.ts';
import type { ModelProviders } from './domain/configurations/configuration.ts';
import { narrowIfSubjectGiven, narrowToSubject } from './domain/configurations/narrow-to-subject.ts';
import { currentConfiguration } from './domain/configurations/configuration-store.ts';
import { readUserProfile } from './domain/context/user-profile.ts';
import type { ContextQuery } from './domain/context/context.ts';
import { fetchContext } from './domain/context/fetch-context.ts';
import type { PageRequest } from './domain/pagination.ts';
import type { EntityFilter, EntityMatchReviewStatus } from './domain/entities/entity.ts';
import { confirmReview, mergeEntities, rejectReview, splitEntity, undoMerge } from './domain/entities/curate.ts';
import { readMentionEvidence, readMergeHistory, readEntity } from './domain/entities/entity-history.ts';
import { listEntities, readEntitiesById } from './domain/entities/read.ts';
import { listReviews, readReview } from './domain/entities/review.ts';
import type { NewMessages } from './domain/conversations/append-messages.ts';
import { publishPartialMessage, type PartialMessage } from './domain/conversations/publish-partial-message.ts';
import type { ConversationReference } from './domain/conversations/conversation.ts';
import type { MessageKey } from './domain/conversations/message-store.ts';
import { findConversationTurns, type DocumentTurns, type TurnRange } from './domain/conversations/turn-store.ts';
import { isHumanRole } from './domain/language/speaker.ts';
import {
  conversationsByIds,
  memoriesOfTurns,
  messagesOfConversations,
  readConversation,
  readConversationTurns,
} from './domain/conversations/read-conversation.ts';
import { removeCompactions } from './domain/compaction/compaction-store.ts';
import { startConversation, type NewConversation } from './domain/conversations/start-conversation.ts';
import { exportOwner } from './domain/erasure/export-owner.ts';
import { forgetDocument, forgetOwner } from './domain/erasure/forget-documents.ts';
import { forgetMemory } from './domain/erasure/forget-memory.ts';
import { readReceipt } from './domain/erasure/receipt-store.ts';
import { notFoundError, unavailableError, hasErrorCode } from './domain/errors.ts';
import {
  conversationUuid,
  instanceNumberOf,
  parseId,
  toPublicId,
  fromPublicId,
  type InstanceId,
} from './domain/ids.ts';
import { correctMemory } from './domain/ingestion/correct-memory.ts';
import type { Correction } from './domain/ingestion/correction.ts';
import { addMessages, endConversation } from './domain/ingestion/add-messages.ts';
import { recordTranscript, type Transcript } from './domain/ingestion/record-transcript.ts';
import type { IngestionStatus, Submission } from './domain/ingestion/ingestion.ts';
import { findFirstIngestion, listIngestions } from './domain/ingestion/ingestion-store.ts';
import { readFile, readSubmittedFile, type FileSubmission } from './domain/ingestion/read-file.ts';
import { readAcknowledgedIngestion } from './domain/ingestion/acknowledged-ingestion.ts';
import { readBatch, submitBatch } from './domain/ingestion/submit-batch.ts';
import { retryIngestion } from './domain/ingestion/retry-ingestion.ts';
import { submitDocument } from './domain/ingestion/submit-document.ts';
import { waitForIngestion, watchIngestion } from './domain/ingestion/watch-ingestion.ts';
import { listMemories, readMemory } from './domain/memories/list-memories.ts';
import type { MemoryFilter } from './domain/memories/memory.ts';
import { embeddingState } from './domain/memories/reembed.ts';
import { countMemoriesByDay } from './domain/memories/list-memories.ts';
import { readMemories } from './domain/memories/read.ts';
import { noInstance } from './domain/metering/metering.ts';
import { measureNamedOperation, measureWork } from './domain/metering/measure.ts';
import { findSupersededBy } from './domain/memories/successor-store.ts';
import { confirmSupersession, rejectSupersession } from './domain/memories/resolve-outdated.ts';
import { restoreMemory } from './domain/memories/restore.ts';
import { vectorIndexState } from './domain/memories/repair-vectors.ts';
import { undoSupersede } from './domain/memories/undo-supersede.ts';
import { watchMemories, type WatchedMemories } from './domain/memories/watch-memories.ts';
import type { Access, Admin, SubjectIds } from './domain/tenancy/access.ts';
import { findKey } from './domain/tenancy/credential-store.ts';
import { accessAsAdmin, authenticate } from './domain/tenancy/authenticate.ts';
import type { Rate } from './domain/tenancy/rate.ts';
import { countInstances } from './domain/tenancy/instance-store.ts';
import { openSession, type SessionCredential } from './domain/tenancy/open-session.ts';
import { requireClientReach } from './domain/tenancy/client-reach.ts';
import type { InstanceFilter } from './domain/tenancy/instance.ts';

const unknownKey = Buffer.alloc(32);

/** Lets metering look at what the instance holds once the work is done. */
const noteStorage = <T>({ metering }: Dependencies, { instanceNumber }: Access, work: Promise<T>): Promise<T> =>
  work.finally(() => metering.noteStorage(instanceNumber));

const createUseCases = (deps: Dependencies) => ({
  /** Opens what an Authorization header opens as of this call, so that a revocation counts at once. */
  authenticate: (header: string | undefined) => authenticate(deps, header),
  /** Opens what a browser that is signed in to the dashboard may do, as of this call. */
  openSession: (credential: SessionCredential) => openSession(deps, credential),
  accessAsAdmin: (admin: Admin, instance: InstanceId) => accessAsAdmin(deps, admin, instance),
  signIn: createSignInUseCases(deps),

  /** Narrows an access to what a fetch for this user and customer may read. */
  narrow: (access: Access, named: SubjectIds): Promise<Access> => narrowToSubject(deps.db, access, named),

  submit: async (access: Access, submission: FileSubmission) => {
    deps.metering.countUserCall(access.instanceNumber, submission.userId, deps.now());
    return submitDocument(deps, access, await readSubmittedFile(deps.fileReader, submission));
  },
  /** The text of a file that a caller sends; `field` is where they sent it. */
  readFile: (_access: Access, file: Uint8Array, field: string) => readFile(deps.fileReader, file, field),
  /** Submits a document and waits at most `ms` for its memories. Returns the ingestion as it is then. */
  submitAndWait: async (access: Access, submission: FileSubmission, timeout: { ms: number; signal: AbortSignal }) => {
    deps.metering.countUserCall(access.instanceNumber, submission.userId, deps.now());
    const accepted = await submitDocument(deps, access, await readSubmittedFile(deps.fileReader, submission));
    return waitForIngestion(deps, access, accepted.id, timeout).catch((error: unknown) => {
      // The document is stored: whoever was told that it is not would send it again.
      if (hasErrorCode(error, 'unavailable')) return accepted;
      throw error;
    });
  },
  submitBatch: (access: Access, items: readonly (Submission | Error)[], options: { failFast: boolean }) => {
    for (const item of items)
      if (!(item instanceof Error)) deps.metering.countUserCall(access.instanceNumber, item.userId, deps.now());
    return submitBatch(deps, access, items, options);
  },
  ingestion: async (access: Access, id: string) => {
    const ingestion = await readAcknowledgedIngestion(deps, access, parseId('ingestion', id));
    if (!ingestion) throw notFoundError('ingestion');
    return ingestion;
  },
  /** The public id of the first ingestion of a conversation; null: nothing of it is remembered yet. */
  firstIngestion: async (access: Access, { conversationId, ...named }: ConversationReference) => {
    const reader = await narrowIfSubjectGiven(deps.db, access, named);
    return findFirstIngestion(deps.db, reader, conversationUuid(access.instance, conversationId).id);
  },
  /** Waits until an ingestion has ended, at most `ms`; answers with the ingestion as it is then. */
  awaitIngestion: (access: Access, id: string, timeout: { ms: number; signal: AbortSignal }) =>
    waitForIngestion(deps, access, id, timeout),
  retryIngestion: (access: Access, id: string) => retryIngestion(deps, access, id),
  batch: (access: Access, id: string) => readBatch(deps, access, id),
  watchIngestion: (access: Access, id: string, signal: AbortSignal) => watchIngestion(deps, access, id, signal),

  startConversation: (access: Access, input: NewConversation) => {
    deps.metering.countUserCall(access.instanceNumber, input.userId, deps.now());
    return startConversation(deps, access, input);
  },
  ingestions: (access: Access, filter: { status?: IngestionStatus | undefined }, page: PageRequest) =>
    listIngestions(deps.db, access, filter, page),
  /** Adds messages to a conversation: begins one that is not known, and reopens one that ended. */
  addMessages: async (access: Access, input: NewMessages) => {
    const added = await addMessages(deps, access, input);
    deps.metering.countUserCall(access.instanceNumber, added.conversation.userId ?? undefined, deps.now());
    const last = input.messages.at(-1);
    if (last && isHumanRole(last)) deps.prefetcher.noteMessage(access, input.conversationId, last.content);
    return added;
  },
  /** Tells those who listen to a conversation what is being typed or said in it. */
  publishPartialMessage: (access: Access, input: PartialMessage) => publishPartialMessage(deps, access, input),
  /** Reads the profile of a user: identity, standing wishes, preferences, and what was learnt last. */
  userProfile: (access: Access, named: SubjectIds & { readonly userId: string }) =>
    readUserProfile(deps, access, named),
  /** Keeps a conversation that is submitted whole, each turn once. */
  recordTranscript: async (access: Access, transcript: Transcript) => {
    const recorded = await recordTranscript(deps, access, transcript);
    deps.metering.countUserCall(access.instanceNumber, recorded.conversation.userId ?? undefined, deps.now());
    return recorded;
  },
  endConversation: (access: Access, input: ConversationReference) => endConversation(deps, access, input),
  conversation: (access: Access, input: ConversationReference & { last: number }) =>
    readConversation(deps.db, access, input),
  /** The messages of these turns, in order: those that a compaction left out. */
  conversationTurns: (access: Access, input: ConversationReference & { ranges: readonly TurnRange[] }) =>
    readConversationTurns(deps.db, access, input),
  /** The memories that streams pushed for each of these turns, by UUID and number; null where none heard it. */
  memoriesOfTurns: async (access: Access, turns: readonly MessageKey[]) => {
    await deps.turnAnticipations.flush(); // so that what was pushed a moment ago is there
    return memoriesOfTurns(deps.db, access, turns);
  },
  /** Reads conversations by UUID, in the order of the ids; null where there is none. */
  conversationsByIds: (access: Access, ids: readonly string[]) => conversationsByIds(deps.db, access, ids),
  /** The last messages of each conversation, oldest first; in the order of the ids. */
  messagesOfConversations: (access: Access, input: { ids: readonly string[]; last: number }) =>
    messagesOfConversations(deps.db, access, input),
  /** Finds the conversation turns of these document turns, in their order; null where there is no conversation. */
  findConversationTurns: (access: Access, citations: readonly DocumentTurns[]) =>
    findConversationTurns(deps.db, access, citations),

  memory: (access: Access, id: string, named: SubjectIds) => readMemory(deps.db, access, id, named),
  memories: (access: Access, filter: MemoryFilter, page: PageRequest) => listMemories(deps.db, access, filter, page),
  /** Counts of the memories stored on each of the last days, by type. */
  memoriesByDay: (access: Access, days: number) => countMemoriesByDay(deps.db, access, { days, now: deps.now() }),
  /** In the order of the ids; null where there is none. */
  memoriesByIds: async (access: Access, ids: readonly string[]) => {
    const uuids = ids.flatMap((id) => fromPublicId('memory', id) ?? []);
    const configuration = await currentConfiguration(deps.db, access);
    const memories = await readMemories(deps.db, access, configuration, uuids);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    return ids.map((id) => byId.get(id) ?? null);
  },
  /** The public ids of the memories that each of these replaced, the latest first; in the order of the ids. */
  supersededIdsOf: async (access: Access, ids: readonly string[], limit: number) => {
    const uuids = ids.flatMap((id) => fromPublicId('memory', id) ?? []);
    const replaced = await findSupersededBy(deps.db, access, { ids: uuids, limit });
    return ids.map((id) =>
      replaced.flatMap((each) => (toPublicId('memory', each.by) === id ? toPublicId('memory', each.id) : [])),
    );
  },
  /** Memories as they are stored or changed, until the signal is aborted. */
  watchMemories: (access: Access, watched: WatchedMemories, signal: AbortSignal) =>
    watchMemories(deps, access, watched, signal),
  /** Brings back what retention archived. */
  restoreMemory: (access: Access, id: string, named: SubjectIds) => restoreMemory(deps, access, id, named),
  undoSupersede: (access: Access, id: string, named: SubjectIds) => undoSupersede(deps, access, id, named),
  /** A memory that is possibly outdated is, or is not. */
  confirmOutdated: (access: Access, id: string, named: SubjectIds) => confirmSupersession(deps, access, id, named),
  rejectOutdated: (access: Access, id: string, named: SubjectIds) => rejectSupersession(deps, access, id, named),
  /** Gives a memory other words, another type, other times or other metadata. */
  correctMemory: (access: Access, id: string, correction: Correction) =>
    correctMemory({ ...deps, removeCompactions, saveAudit: saveInstanceAudit }, access, id, correction),
  forgetMemory: (access: Access, id: string, options: SubjectIds & { cascade: boolean }) =>
    noteStorage(deps, access, forgetMemory(deps, access, id, options)),
  forgetDocument: (access: Access, id: string, named: SubjectIds) =>
    noteStorage(deps, access, forgetDocument(deps, access, id, named)),
  forgetOwner: (access: Access, named: SubjectIds) => noteStorage(deps, access, forgetOwner(deps, access, named)),
  receipt: (access: Access, id: string) => readReceipt(deps.db, access, id),
  exportOwner: async function* (access: Access, named: SubjectIds) {
    await deps.turnAnticipations.flush(); // so that what was pushed a moment ago is there
    yield* exportOwner(deps.db, access, named);
  },

  entity: (access: Access, id: string, named: SubjectIds) => readEntity(deps.db, access, id, named),
  entities: (access: Access, filter: EntityFilter, page: PageRequest) => listEntities(deps.db, access, filter, page),
  /** In the order of the ids; null where there is none. */
  entitiesByIds: (access: Access, ids: readonly string[]) => readEntitiesById(deps.db, access, ids),
  /** The mentions of each entity, newest first; in the order of the ids. */
  evidenceOfEntities: (access: Access, ids: readonly string[], limit: number) =>
    readMentionEvidence(deps.db, access, ids, limit),
  /** The merges that each stands on, newest first; in the order of the ids. */
  mergesOfEntities: (access: Access, ids: readonly string[]) => readMergeHistory(deps.db, access, ids),
  mergeEntities: (access: Access, input: SubjectIds & { sourceId: string; targetId: string }) =>
    mergeEntities(deps, access, input),
  splitEntity: (access: Access, input: SubjectIds & { entityId: string; memoryIds: readonly string[] }) =>
    splitEntity(deps, access, input),
  undoMerge: (access: Access, id: string, named: SubjectIds) => undoMerge(deps, access, id, named),

  /** Pairs of entities that may be one: those that wait for a decision, or those that were decided so. */
  reviews: (access: Access, asked: SubjectIds & { status?: EntityMatchReviewStatus | undefined }, page: PageRequest) =>
    listReviews(deps.db, access, asked, page),
  confirmReview: (access: Access, id: string, named: SubjectIds) => confirmReview(deps, access, id, named),
  rejectReview: async (access: Access, id: string, named: SubjectIds) => {
    await rejectReview(deps, access, id, named);
    return readReview(deps.db, access, id, named);
  },

  fetchContext: (access: Access, query: ContextQuery) =>
    measureWork(
      deps.metering,
      { instanceNumber: access.instanceNumber, operation: 'context_fetch', variant: query.mode },
      () => fetchContext(deps, access, query),
      ({ mode, source, memories }) => ({ variant: `${mode}/${source}`, items: memories.length }),
    ),
  anticipate: (access: Access, signals: AsyncIterable<Signal>, signal: AbortSignal) =>
    openStream(deps, access, { signals, signal }),
  /**
   * Streams the memories likely to be needed next in a conversation that others hold: `updates` listens to it until its
   * signal is aborted. `named`: the user and customer that the conversation belongs to.
   */
  watchConversation: async (access: Access, watch: WatchRequest) => {
    const named = await resolveWatchedSubject(deps.db, access, watch);
    const open = (signal: AbortSignal) =>
      openStream(deps, access, { signals: watcherSignals({ ...watch, ...named }), signal });
    return { named, updates: (signal: AbortSignal) => untilTokenExpires(open, access, { now: deps.now(), signal }) };
  },

  /** How well the streams of an instance foresaw what was of use. */
  anticipationFigures: async (access: Access, days: DayRange) => {
    await deps.metering.flush(deps.now()); // so that what happened a moment ago is there
    return readStreamStatistics(deps, access, days);
  },

  instance: (access: Access) => readInstance(deps.db, access),
  /** The model by which an instance is searched, and the progress of a change to another. */
  embedding: (access: Access) => embeddingState(deps, access),
  /** The vectors beside the memories. */
  vectorIndex: (access: Access) => vectorIndexState(deps, access),
  repairVectorIndex: (access: Access) => repairVectorIndex(deps, access),
  setProviders: (access: Access, chosen: Partial<ModelProviders>) => setProviders(deps, access, chosen),
  instances: (admin: Admin, page: PageRequest, filter: InstanceFilter = {}) =>
    listInstances(deps.db, { ...filter, ...(admin.clientId ? { clientId: admin.clientId } : {}) }, page),
  createInstance: async (admin: Admin, input: { name: string; clientId?: string | undefined }) => {
    if (input.clientId !== undefined) requireClientReach(admin, input.clientId);
    return createInstance(deps, admin, { ...input, clientId: input.clientId ?? admin.clientId });
  },
  administration: createAdministrationUseCases(deps),
  analytics: createAnalyticsUseCases(deps),
  compactions: createCompactionUseCases(deps),
  configurations: createConfigurationUseCases(deps),
  lists: createListUseCases(deps),
  members: createMemberUseCases(deps),
  onboarding: createOnboardingUseCases(deps),
  webhooks: createWebhookUseCases(deps),
  /** Wraps every data key by the master key of now; the one before stays configured until that is done. */
  rotateMasterKey: (admin: Admin) => rotateMasterKey(deps, admin),
  masterKeyRotation: (_admin: Admin) => readMasterKeyRotation(deps),
  keys: (access: Access, page: PageRequest) => listKeys(deps.db, access, page),
  /** The key itself is returned only here. */
  createKey: (access: Access, input: { label: string | null; rate?: Rate | undefined }) =>
    createKey(deps, access, input),
  /** A short-lived token for a browser, returned only here; bound to those named, or those of the conversation. */
  createBrowserToken: (access: Access, request: BrowserTokenRequest) => createBrowserToken(deps, access, request),
  setKeyRateLimit: (access: Access, input: { id: string; rate: Rate | null }) => setKeyRateLimit(deps, access, input),
  revokeKey: (access: Access, id: string) => revokeKey(deps, access, id),

  /** Leaves a row in the audit for what an administrator reads of an instance's content. */
  recordContentRead: (access: Access, read: ContentRead) => recordContentRead(deps, access, read),

  /** Throws `unavailable` with the reason when only another process can serve what this one has stopped to serve. */
  checkHealth: () => {
    const trouble = deps.databaseTrouble();
    if (trouble) throw unavailableError(`the embedded database failed: ${trouble.reason}`);
  },
  /** Resolves when a request would succeed; throws otherwise. */
  checkReady: async () => {
    await findKey(deps.db, unknownKey); // the statement that every request begins with
    await transaction(deps.db, countInstances);
  },
  databaseProgressAt: (): number | null => deps.databaseProgressAt(),
  /** Takes one call of the rate of a key or browser token. Throws `rate_limited`. */
  spend: (access: Access): void => deps.rateLimits.spend(access),
  /** The calls that a key has left; null for callers without a limit. */
  quota: (access: Access) => deps.rateLimits.quota(access),
  /** Counts a request as under way until what is returned is called. Throws `rate_limited`. */
  begin: (access: Access) => deps.rateLimits.begin(access),
  /** Counts a gRPC stream as open in the same way. */
  beginStream: (access: Access) => deps.rateLimits.beginStream(access),
  /** One API call of this instance, for the usage figures. */
  countCall: ({ instanceNumber, principal }: Access) =>
    principal.kind === 'admin'
      ? deps.metering.countAdminCall(instanceNumber)
      : deps.metering.countCall(instanceNumber, principal.keyId),
  /** One API call of an administrator: of the instance that it is about, or of the deployment. */
  countAdminCall: (admin: Admin, instance?: InstanceId) =>
    deps.metering.countAdminCall(instance ? instanceNumberOf(instance) : noInstance, admin.clientId),
  /** How a GraphQL operation ended; `name`: as its caller named it, null where it has none. */
  measureOperation: (access: Access, ended: { name: string | null; ms: number; isError: boolean }) =>
    measureNamedOperation(deps.metering, access, 'graphql', ended),
});

/**
 * Every use case, bound to its dependencies: what the transports call. Ids are public ids. Each may throw a
 * `DomainError`; anything else is a fault of ours.
 */
export const createApp = (deps: Dependencies) =>
  guardUseCases(traceMemoryUseCases(createUseCases(deps), deps.capturesText), permissions);

/** The use cases, as transports are given them. */
export type App = ReturnType<typeof createApp>;
