import { setTimeout as pause } from 'node:timers/promises';
import type { Doors } from '../open-doors.ts';
import { sayEverywhere } from '../say-everywhere.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { newUuid, toPublicId } from '../../../src/domain/ids.ts';
import { openPgvectorIndex, type PgvectorIndex } from '../../../src/adapters/pgvector/pgvector-index.ts';
import { vectorRecipe, lexicalOnlySpace } from '../../../src/domain/vectors/vector-recipe.ts';
import { hasDueCrashedJob, readBacklog } from '../../../src/jobs/queue.ts';
import { vacuumDueTables } from '../../../src/db/vacuum.ts';
import { transaction, type Db, type Sql } from '../../../src/db/database.ts';
import { countRowsOf, tablesOfInstances } from '../../../src/domain/administration/purge-store.ts';
import { readStats } from '../../../src/domain/administration/stats-store.ts';
import { listAuditRows } from '../../../src/domain/administration/audit-store.ts';
import { narrowToSubject } from '../../../src/domain/configurations/narrow-to-subject.ts';
import {
  conversationsOf,
  findConversations,
  leaseDueConversations,
} from '../../../src/domain/conversations/conversation-store.ts';
import {
  beforeFirstMessage,
  countMessages,
  lastMessagesOf,
  messagesOfOwners,
  messagesSince,
} from '../../../src/domain/conversations/message-store.ts';
import { readTurnAnticipations } from '../../../src/domain/conversations/turn-anticipation-store.ts';
import { instancesWithPendingReceipts } from '../../../src/domain/erasure/receipt-store.ts';
import { readMergesOfEntities } from '../../../src/domain/entities/merge-store.ts';
import { readEvidence } from '../../../src/domain/entities/read.ts';
import { memoriesMentioning } from '../../../src/domain/entities/entity-store.ts';
import { findReview, listReviewsByStatus } from '../../../src/domain/entities/review-store.ts';
import { findCoMentionedEntities } from '../../../src/domain/entities/similar-store.ts';
import * as subscriptionLeases from '../../../src/domain/invalidation/subscription-lease-store.ts';
import { findDocumentByExternalId } from '../../../src/domain/ingestion/document-store.ts';
import { readIngestionWork } from '../../../src/domain/ingestion/ingestion-store.ts';
import { readAssociations } from '../../../src/domain/anticipation/learned-association-store.ts';
import { findAttributeAnswer } from '../../../src/domain/memories/answer-store.ts';
import { findSuccessors } from '../../../src/domain/memories/successor-store.ts';
import { readProfileRows } from '../../../src/domain/memories/profile-store.ts';
import { findPossibleSuccessors } from '../../../src/domain/memories/possible-supersession-store.ts';
import { readableOwners } from '../../../src/domain/tenancy/owner-store.ts';
import { documentsOf } from '../../../src/domain/ingestion/document-store.ts';
import { readCandidates, readSealedCandidates } from '../../../src/domain/memories/candidate-store.ts';
import {
  countSearchableMemories,
  latestChange,
  readChangedMemories,
  readChangedOwners,
  readChanges,
  readRecentMemories,
} from '../../../src/domain/memories/change-store.ts';
import { findTransitivelySuperseded, readAgeingMemories } from '../../../src/domain/memories/expiry-store.ts';
import { readIndexable, recordsAmong } from '../../../src/domain/memories/indexable-store.ts';
import * as lists from '../../../src/domain/memories/list-memories.ts';
import {
  readCurrentVersions,
  readAccessCounts,
  readStandingCandidates,
  readNewestMemories,
} from '../../../src/domain/memories/standing-store.ts';
import { findActiveTwinOf } from '../../../src/domain/memories/memory-store.ts';
import {
  readBuckets,
  readOperationStatistics,
  takeSamples,
  tryLockRollUp,
  variantsOfDays,
} from '../../../src/domain/metering/operation-statistics-store.ts';
import { findSupersededBy } from '../../../src/domain/memories/successor-store.ts';
import { countMemoriesByDay } from '../../../src/domain/memories/list-memories.ts';
import { consumeLink } from '../../../src/domain/tenancy/dashboard-link-store.ts';
import { removeMembership } from '../../../src/domain/tenancy/dashboard-user-store.ts';
import { listUsage, readDailyCounts, readUsage } from '../../../src/domain/metering/usage-store.ts';
import { createDatabasePrefetches } from '../../../src/domain/context/prefetch-store.ts';
import * as indexed from '../../../src/domain/search-index/indexed-memory-store.ts';
import * as marks from '../../../src/domain/search-index/stale-vector-store.ts';
import { documentFrequencies, searchTerms, readTerms } from '../../../src/domain/search-index/term-store.ts';
import { lockOwnerTokens } from '../../../src/domain/tenancy/admin-token-store.ts';
import {
  findBrowserToken,
  findBrowserTokenById,
  removeExpiredTokens,
} from '../../../src/domain/tenancy/browser-token-store.ts';
import { findKeyById } from '../../../src/domain/tenancy/credential-store.ts';
import {
  countInstancesOf,
  findInstance,
  instancesOf,
  claimDueSweeps,
} from '../../../src/domain/tenancy/instance-store.ts';
import {
  beforeFirstVersion,
  compactionsOfOwners,
  memoriesToldIn,
  readCurrentCompaction,
  tellsReplacedTurns,
} from '../../../src/domain/compaction/compaction-store.ts';
import {
  findConversationTurns,
  lockTurns,
  readNewestTurns,
  readTurnRanges,
} from '../../../src/domain/conversations/turn-store.ts';
import { lockUnchangedMemories, memoriesStatedIn } from '../../../src/domain/memories/stated-memory-store.ts';
import * as users from '../../../src/domain/tenancy/user-store.ts';
import type { Access, NarrowedAccess } from '../../../src/domain/tenancy/access.ts';
import { day } from '../person.ts';

/** Uses the service by its doors, then the statements that this does not reach by calls of the stores that hold them. */
export async function useEveryStatement(doors: Doors): Promise<void> {
  const { world, baseUrl, grpcAddress } = doors;
  const { deps } = world;
  const { access, key } = await world.instance();
  const adminToken = newSecret('admin');
  await deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(adminToken), role: 'owner' } });
  await sayEverywhere({ baseUrl, grpcAddress, key, adminToken });
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds with my sister Ina Snorkelbrook.', day(1), { documentId: 'first' });
  await ada.says('I live in Leeds with my sister Ina Snorkelbrook.', day(2));
  await ada.says('I live in York.', day(3));
  await ada.says('My gym membership costs 40 euros a month.', day(3));
  await ada.says('The gym is 55 euros a month now.', day(4));
  for (const documentType of ['email', 'note'] as const)
    await ada.says('The keys to the boat house are under the third flower pot.', day(4), { documentType });
  await doors.send(key, 'DELETE', '/v1/documents/first?user_id=ada');
  await doors.send(key, 'DELETE', '/v1/users/eve');
  await callWebhooks(doors, access, key);
  await vacuumDueTables(deps, AbortSignal.timeout(60_000));
  const reader = await narrowToSubject(deps.db, access, ada.named);
  await callStores(deps.db, reader);
  await callAdapter(await openPgvectorIndex(deps), reader);
}

const id = newUuid();
const ids = [id];
const keysetQuery = { list: 'memories', direction: 'desc', after: undefined, limit: 10 } as const;
const page = { limit: 10 };

/** What a service reads only now and then, or only where several processes share a database, or Weaviate has vectors. */
async function callStores(db: Db, access: NarrowedAccess): Promise<void> {
  const { instanceNumber } = access;
  const { id: clientId } = await db.client.findFirstOrThrow();
  const ownerNos = access.readableOwners.map(({ ownerNo }) => ownerNo);
  const places = [{ instanceNumber, id, next: 0 }];
  const named = [{ userId: 'ada' }];
  const asked = { instanceNumber, conversationId: id, options: '', words: '' };
  await Promise.all([
    readBacklog(db, ['ingest-document']),
    tablesOfInstances(db).then((tables) => countRowsOf(db, instanceNumber, tables[0]!)),
    readStats(db, instanceNumber),
    listAuditRows(db, clientId, { ...keysetQuery, list: 'audit' }),
    conversationsOf(db, access, named, { ...keysetQuery, list: 'conversations' }),
    findConversations(db, access, ids),
    findConversationTurns(db, access, [{ documentId: toPublicId('document', id), turns: [0] }]),
    messagesOfOwners(db, access, { ownerNos, after: beforeFirstMessage, limit: 10 }),
    countMessages(db, places),
    readTurnAnticipations(db, access, [{ conversationId: id, n: 0 }]),
    messagesSince(db, places, 10),
    readMergesOfEntities(db, access, ids),
    readEvidence(db, access, ids, 10),
    findReview(db, access, id),
    listReviewsByStatus(db, access, 'open', page),
    findCoMentionedEntities(db, access, ids),
    documentsOf(db, access, named, { ...keysetQuery, list: 'documents' }),
    callCompactions(db, access, ownerNos),
    readCandidates(db, access, { ids, expanded: ids, reach: 1 }),
    instancesWithPendingReceipts(db, new Date()),
    readChanges(db, { instanceNumber, ownerNo: ownerNos[0]! }, { after: 0n, limit: 10 }),
    readChangedMemories(db, { instanceNumber, ownerNo: ownerNos[0]! }, { after: 0n, since: new Date(0), limit: 10 }),
    readChangedOwners(db, instanceNumber, { after: 0n, through: 2n ** 62n }),
    readRecentMemories(db, instanceNumber, { since: new Date(0), through: 2n ** 62n, limit: 10 }),
    latestChange(db),
    countSearchableMemories(db, { instanceNumber, ownerNo: ownerNos[0]! }),
    readAgeingMemories(db, access, ids),
    findTransitivelySuperseded(db, access, ids),
    readIndexable(db, access, { places: [], ids, reach: 1 }),
    recordsAmong(db, access, ids),
    lists.listMemoriesOfDocuments(db, access, ids, page),
    lists.countMemoriesOfDocuments(db, access, ids),
    lists.countMemoriesByStatus(db, access, named),
    lists.findRecords(db, access, { metadata: { thread: 't-1' }, limit: 10 }),
    lists.countMemoriesOf(db, access, named, {}),
    readCurrentVersions(db, access, ids),
    findActiveTwinOf(db, access, id),
    indexed.countIndexed(db, access),
    indexed.listIndexedMemories(db, access, null, 10),
    listUsage(db, clientId, page),
    findSupersededBy(db, access, { ids, limit: 10 }),
    countMemoriesByDay(db, access, { days: 2, now: day(2) }),
    readNewestMemories(db, access, { max: 10 }),
    transaction(db, (tx) => consumeLink(tx, hashSecret('nobody'))),
    transaction(db, (tx) => removeMembership(tx, newUuid(), clientId)),
    callMetering(db, access, clientId),
    readDailyCounts(db, access, { prefix: '', from: day(1), to: day(2) }),
    createDatabasePrefetches(db).find(access, asked, day(1)),
    createDatabasePrefetches(db).readOptions(access, id),
    searchTerms(db, access, { idf: new Map([[1n, 1]]), averageLength: 1, k1: 1, b: 1, limit: 10 }),
    findBrowserToken(db, hashSecret('a token')),
    findBrowserTokenById(db, instanceNumber, id),
    instancesOf(db, [clientId], { ...keysetQuery, list: 'instances' }),
    countInstancesOf(db, [clientId]),
    removeExpiredTokens(db, day(1)),
    hasDueCrashedJob(db, 'ingest-document'),
    leaseDueConversations(db, { region: '', now: day(1), againAt: day(2), limit: 10 }),
    readIngestionWork(db, access, id),
    findDocumentByExternalId(db, access, 'first'),
    findKeyById(db, instanceNumber, id),
    findInstance(db, instanceNumber),
    readableOwners(db, instanceNumber, {}, 'b2c'),
    callUsers(db, access),
    callRetrieval(db, access),
    callMarks(db, access),
    callSubscriptionLeases(db, access, ownerNos),
    transaction(db, lockOwnerTokens),
    transaction(db, (tx) => claimDueSweeps(tx, day(1), 10)),
  ]);
}

/** What a fetch or a stream reads, unless it finds it in the memory of the process. */
async function callRetrieval(sql: Sql, access: NarrowedAccess): Promise<void> {
  const owner = { instanceNumber: access.instanceNumber, ownerNo: access.readableOwners[0]!.ownerNo };
  await readAssociations(sql, access, [1n]);
  await lastMessagesOf(sql, access, { ids, last: 1 });
  await memoriesMentioning(sql, access, [new Uint8Array(32)]);
  await findAttributeAnswer(sql, access, { attributes: [{ subject: 'user', name: 'home' }] });
  await findSuccessors(sql, access, ids, {});
  await findPossibleSuccessors(sql, access, ids[0]!);
  await readSealedCandidates(sql, owner, ids);
  await readStandingCandidates(sql, access, { due: { from: day(1), until: day(2) } });
  await readStandingCandidates(sql, access, {});
  await readAccessCounts(sql, access.instanceNumber, ids);
  await readTerms(sql, owner, ids);
  await readProfileRows(sql, access, { owners: [owner.ownerNo], limit: 10, read: 20 });
  await documentFrequencies(sql, access, [1n]);
}

async function callCompactions(db: Db, access: NarrowedAccess, ownerNos: number[]): Promise<void> {
  await readCurrentCompaction(db, access, id);
  const uningested = { conversationId: id, firstUningestedTurn: 0, throughTurn: 1 };
  await tellsReplacedTurns(db, access, uningested);
  await compactionsOfOwners(db, access, { ownerNos, after: beforeFirstVersion, limit: 10 });
  await memoriesStatedIn(db, access, ids);
  await memoriesToldIn(db, access, { conversationId: id, version: 1 });
  await readNewestTurns(db, access, { conversationId: id, max: { turns: 10, bytes: 1_000 } });
  await readTurnRanges(db, access, { conversationId: id, ranges: [{ from: 0, to: 1 }], limit: 10 });
  await transaction(db, (tx) => lockUnchangedMemories(tx, access, [{ id, contentVersion: 0, ownerNo: 1 }]));
  await transaction(db, (tx) => lockTurns(tx, access, { conversationId: id, through: 1 }));
}

/** What a worker does of itself once there is something to send, and what tells of that. */
async function callWebhooks({ world, send }: Doors, access: Access, key: string): Promise<void> {
  const settings = { url: 'http://127.0.0.1:9/', event_types: ['config.applied'] };
  const { webhook_id: webhookId } = (await send(key, 'POST', '/v1/webhooks', settings)).json();
  await send(key, 'POST', `/v1/webhooks/${webhookId}/test`, {});
  const attempts = async () =>
    (await send(key, 'GET', `/v1/webhooks/${webhookId}/deliveries`)).json().data[0].attempts.length;
  while (!(await attempts())) await pause(50);
  await world.app.webhooks.countDeliveries(access, { webhookId });
}

async function callUsers(sql: Sql, access: NarrowedAccess): Promise<void> {
  const byId = { ...keysetQuery, list: 'users', after: undefined } as const;
  const filter = { prefix: 'a' };
  await users.userIds(sql, access, { ...byId, filter });
  await users.countUserIds(sql, access, filter);
  await users.usersOf(sql, access, [{ customerId: 'a customer' }], { ...byId, filter });
  await users.countUsersOf(sql, access, [{ customerId: 'a customer' }], filter);
  await users.customersOf(sql, access, [{ userId: 'ada' }], byId);
  await users.isKnownSubject(sql, access, { userId: 'ada' });
}

async function callMarks(sql: Sql, access: NarrowedAccess): Promise<void> {
  await marks.readStaleVectors(sql, access, { limit: 10 });
  await indexed.filterIndexed(sql, access, ids);
  await indexed.filterByProvenance(sql, access, ids, ['user']);
  await marks.countIndexBacklog(sql, access);
  await marks.msUntilNextSync(sql, access);
  await marks.enqueueStaleVectors(sql);
}

async function callSubscriptionLeases(
  sql: Sql,
  { instanceNumber }: NarrowedAccess,
  ownerNos: readonly number[],
): Promise<void> {
  await subscriptionLeases.saveSubscriptions(sql, id, []);
  await subscriptionLeases.readRaisedRevisions(sql, id);
  await subscriptionLeases.readLaggingProcesses(sql, instanceNumber, ownerNos);
  await subscriptionLeases.readStillLagging(sql, instanceNumber, []);
}

function callMetering(db: Db, access: NarrowedAccess, clientId: string) {
  const { instanceNumber } = access;
  const key = { instanceNumber, operation: 'graphql', variant: 'other', bucket: 'day', start: day(1) } as const;
  return Promise.all([
    readUsage(db, { clientId }, day(1)),
    readUsage(db, 'deployment', day(1)),
    readOperationStatistics(db, access, { bucket: 'day', from: day(1), until: day(2), limit: 1 }),
    transaction(db, async (tx) => {
      await tryLockRollUp(tx);
      await takeSamples(tx, 10);
    }),
    transaction(db, (tx) => readBuckets(tx, [key])),
    transaction(db, (tx) => variantsOfDays(tx, 'graphql', [{ instanceNumber, day: day(1) }])),
  ]);
}

async function callAdapter(index: PgvectorIndex, access: NarrowedAccess): Promise<void> {
  const space = lexicalOnlySpace;
  const owner = { instanceNumber: access.instanceNumber, ownerNo: access.readableOwners[0]!.ownerNo, space };
  await index.changed(owner, 0n, 10);
  await index.held(owner);
  await index.nearest(access, {
    vector: { space, values: new Float32Array(vectorRecipe.sketchDimensions) },
    limit: 10,
  });
  await index.score(access, { space, values: new Float32Array(vectorRecipe.sketchDimensions) }, ids);
  await index.count(access, ids);
  await index.findMissing(access, space, ids);
  await index.size(access, space);
  await index.page(access, space, null, 10);
}
