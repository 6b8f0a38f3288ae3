import { setTimeout as pause } from 'node:timers/promises';
import type { Doors } from '../open-doors.ts';
import { sayEverywhere } from '../say-everywhere.ts';
import { hashOf, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { newUuid } from '../../../src/domain/ids.ts';
import { openPgvectorIndex, type PgvectorIndex } from '../../../src/adapters/pgvector/pgvector-index.ts';
import { recipe } from '../../../src/domain/language/vector-recipe.ts';
import { hasSuspected, readBacklog } from '../../../src/jobs/queue.ts';
import { tidy } from '../../../src/db/tidy.ts';
import { transaction, type Db, type Sql } from '../../../src/db/database.ts';
import { countRowsOf, tablesOfInstances } from '../../../src/domain/administration/purge-store.ts';
import { readStats } from '../../../src/domain/administration/stats-store.ts';
import { listAuditRows } from '../../../src/domain/administration/store.ts';
import { narrowTo } from '../../../src/domain/configurations/narrow.ts';
import {
  conversationsOf,
  findConversations,
  takeDueConversations,
} from '../../../src/domain/conversations/conversation-store.ts';
import {
  beforeAll,
  countMessages,
  lastMessagesOf,
  messagesOfOwners,
  messagesSince,
} from '../../../src/domain/conversations/message-store.ts';
import { readTurnAnticipations } from '../../../src/domain/conversations/turn-anticipation-store.ts';
import { mergesOf } from '../../../src/domain/entities/merge-store.ts';
import { readEvidence } from '../../../src/domain/entities/read.ts';
import { memoriesMentioning } from '../../../src/domain/entities/store.ts';
import { findReview, listInState } from '../../../src/domain/entities/review-store.ts';
import { findCompany } from '../../../src/domain/entities/similar-store.ts';
import * as interests from '../../../src/domain/invalidation/subscription-lease-store.ts';
import { findClaimed, findWork } from '../../../src/domain/ingestion/store.ts';
import { readTransitions } from '../../../src/domain/anticipation/transition-store.ts';
import { findAnswer } from '../../../src/domain/memories/answer-store.ts';
import { findSuccessors } from '../../../src/domain/memories/successor-store.ts';
import { readProfileParts } from '../../../src/domain/memories/profile-store.ts';
import { findPossibleSuccessors } from '../../../src/domain/memories/possible-supersession-store.ts';
import { readableOwners } from '../../../src/domain/tenancy/store.ts';
import { documentsOf } from '../../../src/domain/ingestion/document-store.ts';
import { readCandidates, readSealedCandidates } from '../../../src/domain/memories/candidate-store.ts';
import { readClearCategories } from '../../../src/domain/memories/category-store.ts';
import {
  heldOf,
  latestChange,
  readChangedMemories,
  readChangedOwners,
  readChanges,
  readRecentMemories,
} from '../../../src/domain/memories/change-store.ts';
import { findReplaced, readAgeing } from '../../../src/domain/memories/expiry-store.ts';
import { readIndexable, recordsAmong } from '../../../src/domain/memories/indexable-store.ts';
import * as lists from '../../../src/domain/memories/list-memories.ts';
import {
  currentEditions,
  readAccessCounts,
  readLastingMemories,
  readStandingMemories,
} from '../../../src/domain/memories/standing-store.ts';
import { findTwin, pageOfIndexed } from '../../../src/domain/memories/store.ts';
import {
  readBuckets,
  readFigures,
  takeSamples,
  takeTurn,
  variantsOfDays,
} from '../../../src/domain/metering/figures-store.ts';
import { findReplacedBy } from '../../../src/domain/memories/superseded-store.ts';
import { memoriesByDay } from '../../../src/domain/memories/growth-store.ts';
import { readOverview } from '../../../src/domain/memories/overview-store.ts';
import { takeLink } from '../../../src/domain/tenancy/dashboard-link-store.ts';
import { removeMembership } from '../../../src/domain/tenancy/dashboard-user-store.ts';
import { listUsage, readDailyCounts, readUsage } from '../../../src/domain/metering/usage-store.ts';
import { sharedInDatabase } from '../../../src/domain/context/prefetch-store.ts';
import * as marks from '../../../src/domain/search-index/mark-store.ts';
import { wordsAlone } from '../../../src/domain/search-index/vector-space.ts';
import { documentFrequencies, matchWords, readTerms } from '../../../src/domain/search-index/store.ts';
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
  takeDueSweeps,
} from '../../../src/domain/tenancy/instance-store.ts';
import {
  beforeAllVersions,
  compactionsOfOwners,
  readSummary,
} from '../../../src/domain/compaction/compaction-store.ts';
import { holdTurns } from '../../../src/domain/conversations/turn-store.ts';
import { holdMemories, memoriesStatedIn } from '../../../src/domain/memories/stated-memory-store.ts';
import * as users from '../../../src/domain/tenancy/user-store.ts';
import type { Access, OwnedAccess } from '../../../src/domain/tenancy/access.ts';
import { day } from '../person.ts';

/** Uses the service by its doors, then the statements that this does not reach by calls of the stores that hold them. */
export async function useEveryStatement(doors: Doors): Promise<void> {
  const { world, baseUrl, grpcAddress } = doors;
  const { deps } = world;
  const { access, key } = await world.instance();
  const adminToken = newSecret('admin');
  await deps.db.adminToken.create({ data: { id: newUuid(), hash: hashOf(adminToken), role: 'owner' } });
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
  await tidy(deps, AbortSignal.timeout(60_000));
  const reader = await narrowTo(deps.db, access, ada.named);
  await callStores(deps.db, reader);
  await callAdapter(await openPgvectorIndex(deps), reader);
}

const id = newUuid();
const ids = [id];
const stretch = { list: 'memories', direction: 'desc', after: undefined, limit: 10 } as const;
const page = { limit: 10 };

/** What a service reads only now and then, or only where several processes share a database, or Weaviate has vectors. */
async function callStores(db: Db, access: OwnedAccess): Promise<void> {
  const { i } = access;
  const { id: clientId } = await db.client.findFirstOrThrow();
  const ownerNos = access.reads.map(({ ownerNo }) => ownerNo);
  const places = [{ i, id, next: 0 }];
  const named = [{ userId: 'ada' }];
  const asked = { i, conversationId: id, options: '', words: '' };
  await Promise.all([
    readBacklog(db, ['ingest-document']),
    tablesOfInstances(db).then((tables) => countRowsOf(db, i, tables[0]!)),
    readStats(db, i),
    listAuditRows(db, clientId, { ...stretch, list: 'audit' }),
    conversationsOf(db, access, named, { ...stretch, list: 'conversations' }),
    findConversations(db, access, ids),
    messagesOfOwners(db, access, { ownerNos, after: beforeAll, limit: 10 }),
    countMessages(db, places),
    readTurnAnticipations(db, access, [{ conversationId: id, n: 0 }]),
    messagesSince(db, places, 10),
    mergesOf(db, access, ids),
    readEvidence(db, access, ids, 10),
    findReview(db, access, id),
    listInState(db, access, 'open', page),
    findCompany(db, access, ids),
    documentsOf(db, access, named, { ...stretch, list: 'documents' }),
    callCompactions(db, access, ownerNos),
    readCandidates(db, access, { ids, expanded: ids, reach: 1 }),
    readClearCategories(db, access, { after: id, limit: 10 }),
    readChanges(db, { i, ownerNo: ownerNos[0]! }, { after: 0n, limit: 10 }),
    readChangedMemories(db, { i, ownerNo: ownerNos[0]! }, { after: 0n, since: new Date(0), limit: 10 }),
    readChangedOwners(db, i, { after: 0n, through: 2n ** 62n }),
    readRecentMemories(db, i, { since: new Date(0), through: 2n ** 62n, limit: 10 }),
    latestChange(db),
    heldOf(db, { i, ownerNo: ownerNos[0]! }),
    readAgeing(db, access, ids),
    findReplaced(db, access, ids),
    readIndexable(db, access, { places: [], ids, reach: 1 }),
    recordsAmong(db, access, ids),
    lists.listMemoriesOfDocuments(db, access, ids, page),
    lists.countMemoriesOfDocuments(db, access, ids),
    lists.countMemoriesByStatus(db, access, named),
    lists.findRecords(db, access, { metadata: { thread: 't-1' }, limit: 10 }),
    lists.countMemoriesOf(db, access, named, {}),
    currentEditions(db, access, ids),
    findTwin(db, access, id),
    pageOfIndexed(db, access, null, 10),
    listUsage(db, clientId, page),
    findReplacedBy(db, access, { ids, limit: 10 }),
    memoriesByDay(db, access, { days: 2, now: day(2) }),
    readOverview(db, access, { now: day(1), dueUntil: day(2), limit: 10 }),
    transaction(db, (tx) => takeLink(tx, hashOf('nobody'))),
    transaction(db, (tx) => removeMembership(tx, newUuid(), clientId)),
    callMetering(db, access, clientId),
    readDailyCounts(db, access, { prefix: '', from: day(1), to: day(2) }),
    sharedInDatabase(db).find(access, asked, day(1)),
    sharedInDatabase(db).readOptions(access, id),
    matchWords(db, access, { idf: new Map([[1n, 1]]), averageLength: 1, k1: 1, b: 1, limit: 10 }),
    findBrowserToken(db, hashOf('a token')),
    findBrowserTokenById(db, i, id),
    instancesOf(db, [clientId], { ...stretch, list: 'instances' }),
    countInstancesOf(db, [clientId]),
    removeExpiredTokens(db, day(1)),
    hasSuspected(db, 'ingest-document'),
    takeDueConversations(db, { region: '', now: day(1), againAt: day(2), limit: 10 }),
    findWork(db, access, id),
    findClaimed(db, access, 'first'),
    findKeyById(db, i, id),
    findInstance(db, i),
    readableOwners(db, i, {}, 'b2c'),
    callUsers(db, access),
    callRetrieval(db, access),
    callMarks(db, access),
    callInterests(db, access, ownerNos),
    transaction(db, lockOwnerTokens),
    transaction(db, (tx) => takeDueSweeps(tx, day(1), 10)),
  ]);
}

/** What a fetch or a stream reads, unless it finds it in the memory of the process. */
async function callRetrieval(sql: Sql, access: OwnedAccess): Promise<void> {
  const owner = { i: access.i, ownerNo: access.reads[0]!.ownerNo };
  await readTransitions(sql, access, [1n]);
  await lastMessagesOf(sql, access, { ids, last: 1 });
  await memoriesMentioning(sql, access, [new Uint8Array(32)]);
  await findAnswer(sql, access, { attributes: [{ subject: 'user', name: 'home' }] });
  await findSuccessors(sql, access, ids, {});
  await findPossibleSuccessors(sql, access, ids[0]!);
  await readSealedCandidates(sql, owner, ids);
  await readStandingMemories(sql, access, { dueFrom: day(1), dueUntil: day(2), limit: 10 });
  await readLastingMemories(sql, access, { asOf: undefined, limit: 10 });
  await readAccessCounts(sql, access.i, ids);
  await readTerms(sql, owner, ids);
  await readProfileParts(sql, access, { owners: [owner.ownerNo], limit: 10 });
  await documentFrequencies(sql, access, [1n]);
}

async function callCompactions(db: Db, access: OwnedAccess, ownerNos: number[]): Promise<void> {
  await readSummary(db, access, id);
  await compactionsOfOwners(db, access, { ownerNos, after: beforeAllVersions, limit: 10 });
  await memoriesStatedIn(db, access, ids);
  await transaction(db, (tx) => holdMemories(tx, access, [{ id, edition: 0, ownerNo: 1 }]));
  await transaction(db, (tx) => holdTurns(tx, access, { conversationId: id, through: 1 }));
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

async function callUsers(sql: Sql, access: OwnedAccess): Promise<void> {
  const byId = { ...stretch, list: 'users', after: undefined } as const;
  await users.userIds(sql, access, byId);
  await users.countUserIds(sql, access);
  await users.usersOf(sql, access, [{ customerId: 'a customer' }], byId);
  await users.countUsersOf(sql, access, [{ customerId: 'a customer' }]);
  await users.customersOf(sql, access, [{ userId: 'ada' }], byId);
  await users.isKnown(sql, access, { userId: 'ada' });
}

async function callMarks(sql: Sql, access: OwnedAccess): Promise<void> {
  await marks.readMarks(sql, access, { limit: 10 });
  await marks.indexedAmong(sql, access, ids);
  await marks.saidAmong(sql, access, ids, ['user']);
  await marks.countBehind(sql, access);
  await marks.nextMarkDue(sql, access);
  await marks.askToFollowOverdue(sql);
}

async function callInterests(sql: Sql, { i }: OwnedAccess, ownerNos: readonly number[]): Promise<void> {
  await interests.saveInterest(sql, id, []);
  await interests.readRisen(sql, id);
  await interests.readLagging(sql, i, ownerNos);
  await interests.stillLagging(sql, i, []);
}

function callMetering(db: Db, access: OwnedAccess, clientId: string) {
  const { i } = access;
  const key = { i, operation: 'graphql', variant: 'other', bucket: 'day', start: day(1) } as const;
  return Promise.all([
    readUsage(db, { clientId }, day(1)),
    readUsage(db, 'deployment', day(1)),
    readFigures(db, access, { bucket: 'day', from: day(1), until: day(2) }),
    transaction(db, async (tx) => {
      await takeTurn(tx);
      await takeSamples(tx, 10);
    }),
    transaction(db, (tx) => readBuckets(tx, [key])),
    transaction(db, (tx) => variantsOfDays(tx, 'graphql', [{ i, day: day(1) }])),
  ]);
}

async function callAdapter(index: PgvectorIndex, access: OwnedAccess): Promise<void> {
  const space = wordsAlone;
  const owner = { i: access.i, ownerNo: access.reads[0]!.ownerNo, space };
  await index.changed(owner, 0n, 10);
  await index.held(owner);
  await index.nearest(access, { vector: { space, values: new Float32Array(recipe.sketchDimensions) }, limit: 10 });
  await index.score(access, { space, values: new Float32Array(recipe.sketchDimensions) }, ids);
  await index.count(access, ids);
  await index.lacking(access, space, ids);
  await index.size(access, space);
  await index.page(access, space, null, 10);
}
