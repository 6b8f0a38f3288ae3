import { transaction } from './db/database.ts';
import type { Dependencies } from './dependencies.ts';
import { createAdminToken, listAdminTokens, revokeAdminToken } from './domain/administration/admin-tokens.ts';
import { listAudit } from './domain/administration/audit.ts';
import type { ClientEvent } from './domain/administration/client-states.ts';
import { applyConfiguration, rollBackConfiguration, type Applying } from './domain/administration/apply-configuration.ts';
import { createClient, listClients, moveClient, readClient, renameClient } from './domain/administration/clients.ts';
import {
  initConfiguration,
  reviewConfiguration,
  submitConfiguration,
  updateConfiguration,
  type NewDraft,
  type Seen,
} from './domain/administration/draft-configuration.ts';
import { generateConfiguration } from './domain/administration/generate-configuration.ts';
import { importWorld } from './domain/administration/import-world.ts';
import type { InstanceEvent } from './domain/administration/instance-states.ts';
import {
  createInstance,
  listInstances,
  moveInstance,
  readInstance,
  renameInstance,
} from './domain/administration/instances.ts';
import { chooseProviders } from './domain/administration/choose-providers.ts';
import { createKey, listKeyPage, listKeys, revokeKey } from './domain/administration/keys.ts';
import {
  finishOnboarding,
  onboard,
  onboarding,
  previewOnboarding,
  readUseCaseFile,
  replaceUseCase,
  type Newcomer,
} from './domain/administration/onboarding.ts';
import { purgeInstance } from './domain/administration/purge-instance.ts';
import {
  activeConfiguration,
  compareConfigurations,
  pageOfConfigurations,
  readConfiguration,
} from './domain/administration/read-configurations.ts';
import { readStats } from './domain/administration/stats-store.ts';
import { anticipate } from './domain/anticipation/anticipate.ts';
import type { Signal } from './domain/anticipation/anticipation.ts';
import type { Configuration, Inference } from './domain/configurations/configuration.ts';
import { narrowTo } from './domain/configurations/narrow.ts';
import { currentConfiguration, listVersions } from './domain/configurations/store.ts';
import type { ContextQuery } from './domain/context/context.ts';
import { fetchContext, findContext } from './domain/context/fetch-context.ts';
import type { PageRequest } from './domain/cursor.ts';
import type { EntityFilter } from './domain/entities/entity.ts';
import { confirmReview, mergeEntities, rejectReview, splitEntity, undoMerge } from './domain/entities/curate.ts';
import { evidenceOf, mergesOf, readEntity } from './domain/entities/entity-history.ts';
import { listEntities, readEntitiesById } from './domain/entities/read.ts';
import { listReviews, readReview } from './domain/entities/review.ts';
import { exportOwner } from './domain/erasure/export-owner.ts';
import { forgetDocument, forgetOwner } from './domain/erasure/forget-documents.ts';
import { forgetMemory } from './domain/erasure/forget-memory.ts';
import { readReceipt } from './domain/erasure/store.ts';
import { notFound } from './domain/errors.ts';
import {
  instanceNumber,
  newUuid,
  parseClientId,
  parseId,
  parseInstanceId,
  printId,
  uuidOf,
  type InstanceId,
} from './domain/ids.ts';
import type { Submission } from './domain/ingestion/ingestion.ts';
import { readIngestion } from './domain/ingestion/store.ts';
import { readBatch, submit, submitBatch } from './domain/ingestion/submit.ts';
import { awaitIngestion, watchIngestion } from './domain/ingestion/watch-ingestion.ts';
import { listMemories, readMemory } from './domain/memories/list-memories.ts';
import type { MemoryFilter } from './domain/memories/memory.ts';
import { embeddingState } from './domain/memories/reembed.ts';
import { readMemories } from './domain/memories/read.ts';
import { undoSupersede } from './domain/memories/undo-supersede.ts';
import { listUsage } from './domain/metering/usage-store.ts';
import type { Access, AdminRole, Named } from './domain/tenancy/access.ts';
import type { ClientState } from './domain/tenancy/client.ts';
import { findKey } from './domain/tenancy/credential-store.ts';
import { accessAsAdmin, authenticate, reauthenticate, type Admin } from './domain/tenancy/authenticate.ts';
import { countInstances } from './domain/tenancy/instance-store.ts';
import type { InstanceFilter } from './domain/tenancy/instance.ts';

const unknownKey = Buffer.alloc(32);

/**
 * Every use case, bound to its dependencies: what the transports call. Ids are as printed. Each may throw a
 * `DomainError`; anything else is a fault of ours.
 */
export const createApp = (d: Dependencies) => ({
  /** Of an Authorization header; read anew at each call, so that a revocation counts at once. */
  authenticate: (header: string | undefined) => authenticate(d, header),
  accessAsAdmin: (admin: Admin, instance: InstanceId) => accessAsAdmin(d, admin, instance),

  /** What a fetch for these may read. */
  narrow: (access: Access, named: Named): Promise<Access> => narrowTo(d.db, access, named),

  submit: (access: Access, submission: Submission) => submit(d, access, submission),
  submitBatch: (access: Access, items: readonly (Submission | Error)[], options: { failFast: boolean }) =>
    submitBatch(d, access, items, options),
  ingestion: async (access: Access, id: string) => {
    const ingestion = await readIngestion(d.db, access, parseId('ingestion', id));
    if (!ingestion) throw notFound('ingestion');
    return ingestion;
  },
  /** The same, once it has ended or after `ms`. */
  awaitIngestion: (access: Access, id: string, patience: { ms: number; signal: AbortSignal }) =>
    awaitIngestion(d, access, id, patience),
  batch: (access: Access, id: string) => readBatch(d.db, access, id),
  watchIngestion: (access: Access, id: string, signal: AbortSignal) => watchIngestion(d, access, id, signal),

  memory: (access: Access, id: string, named: Named) => readMemory(d.db, access, id, named),
  memories: (access: Access, filter: MemoryFilter, page: PageRequest) => listMemories(d.db, access, filter, page),
  /** In the order of the ids; null where there is none. */
  memoriesByIds: async (access: Access, ids: readonly string[]) => {
    const uuids = ids.flatMap((id) => uuidOf('memory', id) ?? []);
    const configuration = await currentConfiguration(d.db, access);
    const memories = await readMemories(d.db, access, configuration, uuids);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    return ids.map((id) => byId.get(id) ?? null);
  },
  undoSupersede: (access: Access, id: string, named: Named) => undoSupersede(d, access, id, named),
  forgetMemory: (access: Access, id: string, options: Named & { cascade: boolean }) =>
    forgetMemory(d, access, id, options),
  forgetDocument: (access: Access, id: string, named: Named) => forgetDocument(d, access, id, named),
  forgetOwner: (access: Access, named: Named) => forgetOwner(d, access, named),
  receipt: (access: Access, id: string) => readReceipt(d.db, access, id),
  exportOwner: (access: Access, named: Named) => exportOwner(d.db, access, named),

  entity: (access: Access, id: string, named: Named) => readEntity(d.db, access, id, named),
  entities: (access: Access, filter: EntityFilter, page: PageRequest) => listEntities(d.db, access, filter, page),
  /** In the order of the ids; null where there is none. */
  entitiesByIds: (access: Access, ids: readonly string[]) => readEntitiesById(d.db, access, ids),
  /** Where each is mentioned, newest first; in the order of the ids. */
  evidenceOfEntities: (access: Access, ids: readonly string[], limit: number) => evidenceOf(d.db, access, ids, limit),
  /** The merges that each stands on, newest first; in the order of the ids. */
  mergesOfEntities: (access: Access, ids: readonly string[]) => mergesOf(d.db, access, ids),
  mergeEntities: (access: Access, input: Named & { sourceId: string; targetId: string }) =>
    mergeEntities(d, access, input),
  splitEntity: (access: Access, input: Named & { entityId: string; memoryIds: readonly string[] }) =>
    splitEntity(d, access, input),
  undoMerge: (access: Access, id: string, named: Named) => undoMerge(d, access, id, named),

  /** Pairs of entities that may be one, waiting for a decision. */
  reviews: (access: Access, named: Named, page: PageRequest) => listReviews(d.db, access, named, page),
  review: (access: Access, id: string, named: Named) => readReview(d.db, access, id, named),
  confirmReview: (access: Access, id: string, named: Named) => confirmReview(d, access, id, named),
  rejectReview: async (access: Access, id: string, named: Named) => {
    await rejectReview(d, access, id, named);
    return readReview(d.db, access, id, named);
  },

  fetchContext: (access: Access, query: ContextQuery) => fetchContext(d, access, query),
  anticipate: (access: Access, signals: AsyncIterable<Signal>, signal: AbortSignal) =>
    anticipate(
      {
        retrieve: (reader, { text, named, conversationId, limit, tokenBudget }) =>
          findContext(d, reader, {
            ...named,
            conversationId,
            searchQueries: [text],
            mode: 'accurate',
            maxResults: limit,
            contextBudget: tokenBudget,
            explain: false,
          }),
        reauthenticate: () => reauthenticate(d, access),
        newBundleId: () => printId('bundle', newUuid()),
      },
      access,
      signals,
      signal,
    ),

  configurations: (access: Access) => listVersions(d.db, access),
  configurationPage: (access: Access, page: PageRequest) => pageOfConfigurations(d.db, access, page),
  configuration: (access: Access, version: number) => readConfiguration(d.db, access, version),
  activeConfiguration: (access: Access) => activeConfiguration(d.db, access),
  compareConfigurations: (access: Access, versions: { from: number; to: number }) =>
    compareConfigurations(d.db, access, versions),
  /** A draft of these settings, or of those that a use-case file asks for. */
  initConfiguration: async (access: Access, { useCase, ...draft }: NewDraft & { useCase?: string | undefined }) =>
    initConfiguration(d, access, {
      ...draft,
      ...(useCase === undefined ? {} : await generateConfiguration(d, access, useCase)),
    }),
  updateConfiguration: (access: Access, change: Seen & { revision: number; configuration: Configuration }) =>
    updateConfiguration(d, access, change),
  submitConfiguration: (access: Access, seen: Seen) => submitConfiguration(d, access, seen),
  reviewConfiguration: (access: Access, review: Seen & { decision: 'approve' | 'reject' }) =>
    reviewConfiguration(d, access, review),
  applyConfiguration: (access: Access, applying: Applying) => applyConfiguration(d, access, applying),
  rollBackConfiguration: (
    access: Access,
    back: { to?: number | undefined; over?: number | undefined; comment?: string | undefined },
  ) => rollBackConfiguration(d, access, back),

  /** The key is told here and never again. */
  onboard: (admin: Admin, newcomer: Newcomer) => onboard(d, admin, newcomer),
  onboarding: (admin: Admin, id: string) => onboarding(d, admin, id),
  useCaseFile: (admin: Admin, id: string) => readUseCaseFile(d, admin, id),
  replaceUseCase: (admin: Admin, input: { id: string; useCase: string }) => replaceUseCase(d, admin, input),
  previewOnboarding: (admin: Admin, input: { id: string; useCase?: string | undefined }) =>
    previewOnboarding(d, admin, input),
  finishOnboarding: (admin: Admin, id: string) => finishOnboarding(d, admin, id),

  instance: (access: Access) => readInstance(d.db, access),
  /** Which model an instance is searched by, and how far a change to another has come. */
  embedding: (access: Access) => embeddingState(d, access),
  chooseProviders: (access: Access, chosen: Partial<Inference>) => chooseProviders(d, access, chosen),
  instances: (_admin: Admin, page: PageRequest, filter: InstanceFilter = {}) => listInstances(d.db, filter, page),
  /** Also one that is purged. */
  instanceById: (_admin: Admin, id: string) => readInstance(d.db, { i: instanceNumber(parseInstanceId(id)) }),
  createInstance: (admin: Admin, input: { name: string; clientId?: string | undefined }) =>
    createInstance(d, admin, input),
  renameInstance: (admin: Admin, input: { id: string; name: string }) => renameInstance(d, admin, input),
  moveInstance: (admin: Admin, input: { id: string; event: Exclude<InstanceEvent, 'purge'> }) =>
    moveInstance(d, admin, input),
  purgeInstance: (admin: Admin, id: string) => purgeInstance(d, admin, id),
  instanceStats: async (admin: Admin, id: string) => {
    const { i } = await accessAsAdmin(d, admin, parseInstanceId(id));
    return readStats(d.db, i);
  },
  importWorld: (access: Access, documents: readonly Submission[]) => importWorld(d, access, documents),

  clients: (_admin: Admin, filter: { state?: ClientState | undefined }, page: PageRequest) =>
    listClients(d.db, filter, page),
  client: (_admin: Admin, id: string) => readClient(d.db, id),
  createClient: (admin: Admin, input: { name: string }) => createClient(d, admin, input),
  renameClient: (admin: Admin, input: { id: string; name: string }) => renameClient(d, admin, input),
  moveClient: (admin: Admin, input: { id: string; event: ClientEvent }) => moveClient(d, admin, input),
  clientUsage: async (_admin: Admin, id: string, page: PageRequest) => {
    await readClient(d.db, id);
    await d.metering.flush(d.now());
    return listUsage(d.db, parseClientId(id), page);
  },
  clientAudit: (_admin: Admin, id: string, page: PageRequest) => listAudit(d, id, page),

  adminTokens: (admin: Admin) => listAdminTokens(d.db, admin),
  /** The token itself is told here and never again. */
  createAdminToken: (admin: Admin, input: { role: AdminRole }) => createAdminToken(d, admin, input),
  revokeAdminToken: (admin: Admin, id: string) => revokeAdminToken(d, admin, id),

  keys: (access: Access) => listKeys(d.db, access),
  keyPage: (access: Access, page: PageRequest) => listKeyPage(d.db, access, page),
  /** The key itself is told here and never again. */
  createKey: (access: Access, input: { label: string | null }) => createKey(d, access, input),
  revokeKey: (access: Access, id: string) => revokeKey(d, access, id),

  /** Resolves when a request would succeed; throws otherwise. */
  checkReady: async () => {
    await findKey(d.db, unknownKey); // the statement that every request begins with
    await transaction(d.db, countInstances);
  },
  /** One API call of this instance, for the usage figures. */
  countCall: (access: Access) =>
    d.metering.countCall(access.i, access.principal.kind === 'key' ? access.principal.keyId : null),
});

/** What transports are given. */
export type App = ReturnType<typeof createApp>;
