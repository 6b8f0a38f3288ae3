import { status } from '@grpc/grpc-js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Signal } from '../../src/domain/anticipation/stream-messages.ts';
import { conversationUuid, newUuid, parseInstanceId, toPublicId } from '../../src/domain/ids.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { hashSecret, newSecret } from '../../src/domain/tenancy/credentials.ts';
import { openClient, ping, says, start, type Stream } from './grpc/open-client.ts';
import { brokenRules } from '../support/consistency.ts';
import { openDoors } from '../support/open-doors.ts';
import { operationsOf } from '../support/openapi.ts';
import { day, type Person } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { submitHeld } from '../support/submit-held.ts';
import { nearly } from '../support/nearly.ts';
import { timed } from '../support/timed.ts';

/**
 * Every read and write path of one instance, and of one user, tried with another's key and ids: nothing comes back and
 * nothing changes. The tables name every use case, route and field, so that a new one without a row fails.
 */
const doors = openDoors();
const { world } = doors;

const words = ['Tangerine', 'Quillfeather', 'Ottoline', 'Brambleford', 'Hawksworth'];
const question = 'What is the code of the garage door at Brambleford?';

interface Victim {
  readonly access: Access;
  readonly key: string;
  readonly instance: string;
  readonly ada: Person;
  readonly customer: Person;
  readonly memory: string;
  readonly ingestion: string;
  readonly document: string;
  readonly entity: string;
  /** Another of theirs, and an answer that waits about two of them. */
  readonly other: string;
  readonly review: string;
  readonly merge: string;
  readonly receipt: string;
  readonly batch: string;
  readonly conversation: string;
  readonly turn: number;
  readonly message: string;
  readonly keyId: string;
  /** Disabled, with a delivery that waits. */
  readonly webhook: string;
  readonly delivery: string;
  readonly cursor: string;
  /** What must never be seen by anybody else: their words, and ids that only they know. */
  readonly marks: readonly string[];
}

/** An administrator's access to the instance of this one; a browser gets none. */
const administered = (access: Access) => (access.principal.kind === 'browser' ? access : world.asAdmin(access));

let victim: Victim;
let stranger: { access: Access; key: string; id: string };
/** A browser of somebody else in the victim's instance. */
let browser: { token: string; access: Access };
let before: unknown;

beforeAll(async () => {
  victim = await prepareVictim();
  stranger = await world.instance();
  browser = await browserOf(victim.access, { userId: 'carol', customerId: 'zeta' });
  before = await stateOf(victim);
});

async function prepareVictim(): Promise<Victim> {
  const { app } = world;
  const { access, key, id: instance } = await world.instance();
  const ada = await world.user('ada', { access, customer: 'acme' });
  const customer = await world.user('', { access, customer: 'acme' });
  const said = await ada.says('The code of the garage door is Tangerine, and only Quillfeather knows it.', day(1), {
    documentId: 'secret',
    conversationId: 'harbour',
    metadata: { origin: 'Brambleford' },
  });
  await customer.says('The vault at Brambleford is guarded by Ottoline.', day(2), {
    userId: undefined,
    documentId: 'vault',
  });
  await ada.says('My locker is number twelve.', day(3), { documentId: 'gone' });
  const receipt = await app.forgetDocument(access, 'gone', {});
  const note = { documentType: 'note', mode: 'fast', ...ada.named, document: 'Ottoline keeps the spare key.' } as const;
  const batch = await app.submitBatch(access, [note], { failFast: false });
  const spoken = await app.addMessages(access, {
    conversationId: 'harbour',
    ...ada.named,
    messages: [{ role: 'user', content: 'Ottoline hid the ledger in the belfry.' }],
  });
  await app.endConversation(access, { conversationId: 'harbour' });
  const [known] = (await app.memories(access, {}, { limit: 1 })).data;
  world.deps.turnAnticipations.note({
    instanceNumber: access.instanceNumber,
    conversationId: spoken.conversation.id,
    n: spoken.conversation.messageCount - 1,
    receivedAt: new Date(), // what is older than its days goes while the test runs
    pushed: new Map([[known!.id, { leadTimeMs: 1_200, isUsed: true }]]),
  });
  expect(await app.memoriesOfTurns(access, [turnOf(spoken.conversation)])).toMatchObject([[{ memoryId: known!.id }]]);
  const told = [{ role: 'user', content: 'My name is Dora. Always answer me as Captain Dora.' }];
  await app.recordTranscript(access, { conversationId: 'quay', userId: 'dora', customerId: 'acme', turns: told });
  await world.settle();
  await ada.says(
    'My friend Petra Hawksworth lives in Leeds. Petra works at Initech. I live with Mrs. Hawksworth.',
    day(4),
  );
  const [review] = (await app.reviews(access, {}, { limit: 10 })).data;
  const [merged] = (await app.entities(access, { q: 'Petra Hawksworth' }, { limit: 10 })).data;
  const { merges } = await app.entity(access, merged!.id, {});
  const entities = await app.entities(access, { q: 'Quillfeather' }, { limit: 10 });
  const page = await app.memories(access, {}, { limit: 1 });
  const { data: keys } = await app.keys(world.asAdmin(access), { limit: 100 });
  const memories = await app.memories(access, {}, { limit: 100 });
  const [document] = await world.deps.db.document.findMany({
    where: { instanceNumber: access.instanceNumber, externalId: 'secret' },
  });
  world.deps.prefetcher.noteMessage(access, 'harbour', question);
  await world.deps.prefetcher.settled();
  const address = {
    url: 'http://127.0.0.1:9/Brambleford',
    description: 'Ottoline',
    eventTypes: ['config.applied'],
  } as const;
  const { webhook } = await app.webhooks.create(access, address);
  const delivery = await app.webhooks.test(access, webhook.id);
  await app.webhooks.update(access, webhook.id, { state: 'disabled' });
  const called = new Date('2031-05-17T03:14:15.926Z');
  world.deps.metering.countUserCall(access.instanceNumber, 'ada', called);
  const ids = [
    said.id,
    entities.data[0]!.id,
    merged!.id,
    review!.id,
    merges[0]!.id,
    receipt.id,
    batch.id,
    keys[0]!.id,
    webhook.id,
    delivery.id,
    instance,
    toPublicId('document', document!.id),
  ];
  return {
    access,
    key,
    instance,
    ada,
    customer,
    memory: memories.data.find(({ content }) => content.includes('Tangerine'))!.id,
    ingestion: said.id,
    document: toPublicId('document', document!.id),
    entity: entities.data[0]!.id,
    other: merged!.id,
    review: review!.id,
    merge: merges[0]!.id,
    receipt: receipt.id,
    batch: batch.id,
    conversation: spoken.conversation.id,
    turn: turnOf(spoken.conversation).n,
    message: spoken.messageIds[0]!,
    keyId: keys[0]!.id,
    webhook: webhook.id,
    delivery: delivery.id,
    cursor: page.nextCursor!,
    marks: [
      ...words,
      ...memories.data.map(({ id }) => id),
      ...batch.results.map(({ ingestion }) => ingestion!.id),
      ...spoken.messageIds,
      ...ids,
      called.toISOString(),
    ],
  };
}

/** The last turn of a conversation. */
const turnOf = ({ id, messageCount }: { id: string; messageCount: number }) => ({
  conversationId: id,
  n: messageCount - 1,
});

/** All that the victim has, as far as another could change it. */
async function stateOf({ ada, customer, access }: Victim) {
  await world.settle();
  await world.deps.metering.flush(new Date());
  const { db } = world.deps;
  const where = { instanceNumber: access.instanceNumber };
  return {
    ada: await snapshotOf(world.deps, ada),
    customer: await snapshotOf(world.deps, customer),
    accesses: await db.memoryAccess.findMany({ where, orderBy: { memoryId: 'asc' } }),
    owners: await db.owner.findMany({
      where,
      select: { scope: true, userId: true, customerId: true, memoryCount: true },
      orderBy: { ownerNo: 'asc' },
    }),
    receipts: await db.receipt.count({ where }),
    entities: await db.entity.findMany({ where, select: { id: true, rootId: true }, orderBy: { id: 'asc' } }),
    merges: await db.entityMerge.findMany({ where, select: { id: true, undoneAt: true }, orderBy: { id: 'asc' } }),
    reviews: await db.entityReview.findMany({ where, select: { id: true, status: true }, orderBy: { id: 'asc' } }),
    batches: await db.batch.count({ where }),
    conversations: await db.conversation.findMany({ where, orderBy: { id: 'asc' } }),
    messages: await db.message.findMany({ where, orderBy: { id: 'asc' } }),
    anticipations: await db.turnAnticipation.findMany({ where, orderBy: { n: 'asc' } }),
    keys: await db.apiKey.findMany({ where, omit: { lastUsedAt: true }, orderBy: { id: 'asc' } }), // a browser's call is one of its key's
    webhooks: await db.webhook.findMany({
      where,
      select: { id: true, url: true, secret: true, state: true },
      orderBy: { id: 'asc' },
    }),
    events: await db.event.count({ where }),
    configurations: await db.configuration.count({ where }),
    audits: await db.audit.count({ where }),
  };
}

async function expectUnchanged() {
  expect(await stateOf(victim)).toEqual(before);
  expect(await brokenRules(world.deps, victim.access)).toEqual({});
}

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each)) ?? '';

function expectNoMark(told: string, except: readonly string[] = []) {
  for (const mark of victim.marks.filter((each) => !except.includes(each))) expect(told).not.toContain(mark);
}

async function allOf<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const signal = () => AbortSignal.timeout(5_000);
const page = { limit: 100 };
const submission = { documentType: 'note', mode: 'fast', document: 'I own a kayak.' } as const;
const typed = { role: 'user', content: 'Good mor' } as const;
const greeting = { userId: 'ada', customerId: 'acme', messages: [{ role: 'user', content: 'Good morning.' }] } as const;
const wholeQuery = { searchQueries: [question], mode: 'accurate', maxResults: 100, explain: true } as const;

/** What the victim has an answer ready to. */
const prefetchedQuery = { searchQueries: [question], conversationId: 'harbour', explain: false } as const;

async function* session(named: {
  userId?: string;
  customerId?: string;
  conversationId?: string;
}): AsyncGenerator<Signal> {
  yield { kind: 'session-start', session: named };
  yield { kind: 'message', role: 'user', content: question };
}

const ada = { userId: 'ada', customerId: 'acme' };
const allListed = (pages: readonly { readonly data: readonly unknown[] }[]) => pages.flatMap(({ data }) => data);

const idsOf = (id: string | null) => (id ? [id] : []);
/** As many marks of the victim as memories were counted: a number by itself would tell nothing to the checks. */
const listOf = (count: number) => Array.from({ length: count }, () => victim.marks[0]);

/** What is sent at once to somebody who watches. */
async function watched(app: App, access: Access, watch: Parameters<App['watchConversation']>[1]) {
  const { updates } = await app.watchConversation(access, watch);
  return allOf(updates(AbortSignal.timeout(300)));
}

/** What an attempt comes to: a refusal by its code, or an answer. */
type Attempt = (app: App, access: Access) => Promise<unknown>;
interface Row {
  /** The code of the refusal; `nothing`: an answer that is empty, or all nulls; `their own`: one that shows nothing of the victim. */
  readonly gets: 'not_found' | 'context_not_found' | 'invalid_input' | 'nothing' | 'their own';
  readonly attempts: readonly Attempt[];
}

/** Every use case, called with the access of another instance and the ids of the victim. */
const asStranger: Record<keyof App, Row> = {
  authenticate: { gets: 'their own', attempts: [(app) => app.authenticate(`Bearer ${stranger.key}`)] },
  accessAsAdmin: {
    gets: 'their own',
    attempts: [(app) => app.accessAsAdmin(world.admin, parseInstanceId(stranger.id))],
  },
  submit: {
    gets: 'their own',
    attempts: [
      (app, access) =>
        app.submit(access, {
          ...submission,
          userId: 'ada',
          customerId: 'acme',
          documentId: 'secret',
          conversationId: 'harbour',
        }),
      (app, access) => app.submit(access, { ...submission, customerId: 'acme', documentId: 'vault' }),
    ],
  },
  submitAndWait: {
    gets: 'their own',
    attempts: [
      (app, access) =>
        app.submitAndWait(
          access,
          { ...submission, userId: 'ada', documentId: 'awaited', conversationId: 'harbour' },
          { ms: 1, signal: AbortSignal.timeout(1_000) },
        ),
    ],
  },
  readFile: { gets: 'their own', attempts: [(app, access) => app.readFile(access, Buffer.from('mine'), 'file')] },
  submitBatch: {
    gets: 'their own',
    attempts: [
      (app, access) =>
        app.submitBatch(access, [{ ...submission, userId: 'ada', documentId: 'batched' }], { failFast: true }),
    ],
  },
  ingestion: { gets: 'not_found', attempts: [(app, access) => app.ingestion(access, victim.ingestion)] },
  retryIngestion: { gets: 'not_found', attempts: [(app, access) => app.retryIngestion(access, victim.ingestion)] },
  firstIngestion: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.firstIngestion(access, { conversationId: victim.conversation }).then(idsOf),
      (app, access) => app.firstIngestion(access, { conversationId: victim.conversation, userId: 'ada' }).then(idsOf),
    ],
  },
  ingestions: {
    gets: 'their own',
    attempts: [(app, access) => app.ingestions(access, {}, { limit: 100 })],
  },
  awaitIngestion: {
    gets: 'not_found',
    attempts: [(app, access) => app.awaitIngestion(access, victim.ingestion, { ms: 1, signal: signal() })],
  },
  batch: { gets: 'not_found', attempts: [(app, access) => app.batch(access, victim.batch)] },
  watchIngestion: {
    gets: 'not_found',
    attempts: [(app, access) => allOf(app.watchIngestion(access, victim.ingestion, signal()))],
  },
  startConversation: {
    gets: 'their own',
    attempts: [
      (app, access) => app.startConversation(access, { conversationId: 'harbour', userId: 'ada', customerId: 'acme' }),
      (app, access) => app.startConversation(access, { conversationId: victim.conversation, userId: 'ada' }),
    ],
  },
  addMessages: {
    gets: 'their own',
    attempts: [
      (app, access) => app.addMessages(access, { ...greeting, conversationId: 'harbour' }),
      (app, access) => app.addMessages(access, { ...greeting, conversationId: victim.conversation }),
    ],
  },
  publishPartialMessage: {
    gets: 'context_not_found',
    attempts: [
      (app, access) => app.publishPartialMessage(access, { ...typed, conversationId: victim.conversation }),
      (app, access) =>
        app.publishPartialMessage(access, {
          ...typed,
          conversationId: victim.conversation,
          userId: 'ada',
          customerId: 'acme',
        }),
    ],
  },
  recordTranscript: {
    gets: 'their own',
    attempts: [
      (app, access) =>
        app.recordTranscript(access, { conversationId: 'quay', userId: 'ada', turns: greeting.messages }),
    ],
  },
  userProfile: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.userProfile(access, { userId: 'dora' }),
      (app, access) => app.userProfile(access, { userId: 'dora', customerId: 'acme' }),
    ],
  },
  endConversation: {
    gets: 'context_not_found',
    attempts: [(app, access) => app.endConversation(access, { conversationId: victim.conversation })],
  },
  conversation: {
    gets: 'context_not_found',
    attempts: [
      (app, access) => app.conversation(access, { conversationId: victim.conversation, last: 10 }),
      (app, access) =>
        app.conversation(access, { conversationId: victim.conversation, userId: 'ada', customerId: 'acme', last: 10 }),
    ],
  },
  conversationTurns: {
    gets: 'context_not_found',
    attempts: [
      (app, access) =>
        app.conversationTurns(access, { conversationId: victim.conversation, ranges: [{ from: 0, to: 99 }] }),
    ],
  },
  memoriesOfTurns: {
    gets: 'nothing',
    attempts: [(app, access) => app.memoriesOfTurns(access, [{ conversationId: victim.conversation, n: victim.turn }])],
  },
  compactions: {
    gets: 'context_not_found',
    attempts: [
      (app, access) => app.compactions.compact(access, { conversationId: victim.conversation }),
      (app, access) => app.compactions.enqueue(access, { conversationId: victim.conversation, ...ada }),
    ],
  },
  webhooks: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.webhooks.read(access, victim.webhook),
      (app, access) => app.webhooks.update(access, victim.webhook, { state: 'active' }),
      (app, access) => app.webhooks.remove(access, victim.webhook),
      (app, access) => app.webhooks.rotateSecret(access, victim.webhook),
      (app, access) => app.webhooks.test(access, victim.webhook),
      (app, access) => app.webhooks.deliveries(access, { webhookId: victim.webhook }, page),
      (app, access) => app.webhooks.delivery(access, victim.delivery),
      (app, access) => app.webhooks.redeliver(access, victim.delivery),
    ],
  },
  conversationsByIds: {
    gets: 'nothing',
    attempts: [(app, access) => app.conversationsByIds(access, [victim.conversation])],
  },
  messagesOfConversations: {
    gets: 'nothing',
    attempts: [
      (app, access) =>
        app.messagesOfConversations(access, { ids: [victim.conversation], last: 10 }).then((found) => found.flat()),
    ],
  },
  findConversationTurns: {
    gets: 'nothing',
    attempts: [
      async (app, access) => {
        const { instanceNumber } = victim.access;
        const said = { instanceNumber, documentId: { not: null } };
        const { documentId, turn } = await world.deps.db.message.findFirstOrThrow({ where: said });
        const citation = { documentId: toPublicId('document', documentId!), turns: [turn!] };
        expect(await app.findConversationTurns(victim.access, [citation])).not.toContain(null);
        return (await app.findConversationTurns(access, [citation])).filter((found) => found !== null);
      },
    ],
  },
  memory: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.memory(access, victim.memory, {}),
      (app, access) => app.memory(access, victim.memory, { userId: 'ada', customerId: 'acme' }),
    ],
  },
  memories: {
    gets: 'their own',
    attempts: [
      (app, access) => app.memories(access, {}, page),
      (app, access) => app.memories(access, {}, { ...page, cursor: victim.cursor }),
      (app, access) => app.memories(access, { userId: 'ada', customerId: 'acme' }, page),
      (app, access) => app.memories(access, { entityId: victim.entity }, page),
      (app, access) => app.memories(access, { documentId: victim.document }, page),
      (app, access) => app.memories(access, { q: 'Tangerine' }, page),
    ],
  },
  memoriesByIds: { gets: 'nothing', attempts: [(app, access) => app.memoriesByIds(access, [victim.memory])] },
  correctMemory: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.correctMemory(access, victim.memory, { content: 'Mine now.' }),
      (app, access) => app.correctMemory(access, victim.memory, { type: 'emotions', eventStart: null }),
      (app, access) => app.correctMemory(access, victim.memory, { metadata: {}, userId: 'ada', customerId: 'acme' }),
    ],
  },
  undoSupersede: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.undoSupersede(access, victim.memory, {}),
      (app, access) => app.undoSupersede(access, victim.memory, { userId: 'ada', customerId: 'acme' }),
    ],
  },
  confirmOutdated: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.confirmOutdated(access, victim.memory, {}),
      (app, access) => app.confirmOutdated(access, victim.memory, { userId: 'ada', customerId: 'acme' }),
    ],
  },
  rejectOutdated: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.rejectOutdated(access, victim.memory, {}),
      (app, access) => app.rejectOutdated(access, victim.memory, { userId: 'ada', customerId: 'acme' }),
    ],
  },
  restoreMemory: {
    gets: 'not_found',
    attempts: [(app, access) => app.restoreMemory(access, victim.memory, {})],
  },
  forgetMemory: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.forgetMemory(access, victim.memory, { cascade: true }),
      (app, access) => app.forgetMemory(access, victim.memory, { userId: 'ada', customerId: 'acme', cascade: false }),
    ],
  },
  forgetDocument: { gets: 'not_found', attempts: [(app, access) => app.forgetDocument(access, victim.document, {})] },
  forgetOwner: {
    gets: 'not_found',
    attempts: [(app, access) => app.forgetOwner(access, { userId: 'nobody of mine' })],
  },
  receipt: { gets: 'not_found', attempts: [(app, access) => app.receipt(access, victim.receipt)] },
  exportOwner: {
    gets: 'their own',
    attempts: [(app, access) => allOf(app.exportOwner(access, { userId: 'ada', customerId: 'acme' }))],
  },
  entity: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.entity(access, victim.entity, {}),
      (app, access) => app.entity(access, victim.entity, { userId: 'ada', customerId: 'acme' }),
    ],
  },
  entities: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.entities(access, { q: 'Quillfeather' }, page).then(({ data }) => data),
      (app, access) => app.entities(access, { customerId: 'acme' }, page).then(({ data }) => data),
    ],
  },
  entitiesByIds: { gets: 'nothing', attempts: [(app, access) => app.entitiesByIds(access, [victim.entity])] },
  evidenceOfEntities: {
    gets: 'nothing',
    attempts: [(app, access) => app.evidenceOfEntities(access, [victim.entity], 10).then((found) => found.flat())],
  },
  mergesOfEntities: {
    gets: 'nothing',
    attempts: [(app, access) => app.mergesOfEntities(access, [victim.other]).then((found) => found.flat())],
  },
  mergeEntities: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.mergeEntities(access, { sourceId: victim.entity, targetId: victim.other }),
      (app, access) => app.mergeEntities(access, { sourceId: victim.entity, targetId: victim.other, userId: 'ada' }),
    ],
  },
  splitEntity: {
    gets: 'not_found',
    attempts: [(app, access) => app.splitEntity(access, { entityId: victim.entity, memoryIds: [victim.memory] })],
  },
  undoMerge: { gets: 'not_found', attempts: [(app, access) => app.undoMerge(access, victim.merge, {})] },
  reviews: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.reviews(access, {}, page).then(({ data }) => data),
      (app, access) => app.reviews(access, { userId: 'ada', customerId: 'acme' }, page).then(({ data }) => data),
    ],
  },
  confirmReview: { gets: 'not_found', attempts: [(app, access) => app.confirmReview(access, victim.review, {})] },
  rejectReview: { gets: 'not_found', attempts: [(app, access) => app.rejectReview(access, victim.review, {})] },
  fetchContext: {
    gets: 'their own',
    attempts: [
      (app, access) => app.fetchContext(access, { ...wholeQuery, userId: 'ada', customerId: 'acme' }),
      (app, access) => app.fetchContext(access, { ...wholeQuery, mode: 'fast', userId: 'ada' }),
      (app, access) => app.fetchContext(access, { ...wholeQuery, customerId: 'acme' }),
      (app, access) => app.fetchContext(access, { ...wholeQuery, conversationId: 'harbour' }),
      (app, access) => app.fetchContext(access, { ...prefetchedQuery, userId: 'ada', customerId: 'acme' }),
      (app, access) => app.fetchContext(access, wholeQuery),
    ],
  },
  anticipate: {
    gets: 'their own',
    attempts: [
      (app, access) => allOf(app.anticipate(access, session({ userId: 'ada', customerId: 'acme' }), signal())),
      (app, access) => allOf(app.anticipate(access, session({ conversationId: 'harbour' }), signal())),
    ],
  },
  anticipationFigures: {
    gets: 'their own',
    attempts: [(app, access) => app.anticipationFigures(access, {}).then(({ total }) => total.used)],
  },
  watchConversation: {
    gets: 'their own',
    attempts: [
      (app, access) => watched(app, access, { conversationId: 'harbour' }),
      (app, access) => watched(app, access, { conversationId: 'harbour', userId: 'ada', customerId: 'acme' }),
    ],
  },
  createBrowserToken: {
    gets: 'their own',
    attempts: [
      (app, access) => app.createBrowserToken(access, { userId: 'ada', customerId: 'acme', ttlSeconds: 60 }),
      (app, access) => app.createBrowserToken(access, { conversationId: 'harbour', ttlSeconds: 60 }),
    ],
  },
  narrow: {
    gets: 'their own',
    attempts: [
      (app, access) =>
        app.narrow(access, { userId: 'ada', customerId: 'acme' }).then(({ instanceNumber, readableOwners }) => ({
          own: instanceNumber === access.instanceNumber,
          readableOwners,
        })),
    ],
  },
  instance: { gets: 'their own', attempts: [(app, access) => app.instance(access)] },
  embedding: { gets: 'their own', attempts: [(app, access) => app.embedding(access)] },
  vectorIndex: { gets: 'their own', attempts: [(app, access) => app.vectorIndex(access)] },
  repairVectorIndex: { gets: 'their own', attempts: [(app, access) => app.repairVectorIndex(administered(access))] },
  setProviders: {
    gets: 'their own',
    attempts: [
      (app, access) => app.setProviders(administered(access), { extraction: 'none' }).then(({ version }) => version),
    ],
  },
  // For administrators, who see that an instance is there and nothing in it.
  instances: {
    gets: 'their own',
    attempts: [(app) => app.instances(world.admin, page).then(({ data }) => data.map(({ state }) => state))],
  },
  createInstance: { gets: 'their own', attempts: [(app) => app.createInstance(world.admin, { name: 'another' })] },
  // Takes an administrator and no access: who that may be is shown with its routes, in `rest/contract.test.ts`.
  administration: { gets: 'nothing', attempts: [] },
  // Sessions and roles of the dashboard: what they reach is shown in `dashboard/sign-in.test.ts`.
  openSession: { gets: 'nothing', attempts: [] },
  signIn: { gets: 'nothing', attempts: [] },
  members: { gets: 'nothing', attempts: [] },
  supersededIdsOf: {
    gets: 'nothing',
    attempts: [(app, access) => app.supersededIdsOf(access, [victim.memory], 10).then((all) => all.flat())],
  },
  // What is told of changes is shown in `graphql/memory-subscriptions.test.ts`.
  watchMemories: {
    gets: 'nothing',
    attempts: [
      (app, access) => allOf(app.watchMemories(access, { isNewOnly: false, userId: 'ada' }, AbortSignal.timeout(300))),
    ],
  },
  memoriesByDay: {
    gets: 'their own',
    attempts: [(app, access) => app.memoriesByDay(access, 30)],
  },
  onboarding: { gets: 'nothing', attempts: [] },
  configurations: {
    gets: 'their own',
    attempts: [
      (app, access) => app.configurations.page(access, page),
      (app, access) => app.configurations.count(access),
      (app, access) => app.configurations.active(access),
      (app, access) => app.configurations.compare(access, {}),
    ],
  },
  lists: {
    gets: 'their own',
    attempts: [
      (app, access) => app.lists.users(access, { ...page, filter: {} }),
      (app, access) => app.lists.customers(access, page),
      (app, access) => app.lists.usersOf(access, [{ customerId: 'acme' }], { ...page, filter: { prefix: 'a' } }),
      (app, access) => app.lists.customersOf(access, [ada], page),
      (app, access) => app.lists.known(access, ada),
      (app, access) => app.lists.lastCalls(access, ['ada']),
      ...[ada, { userId: 'ada' }, { customerId: 'acme' }, {}].flatMap((whose): Attempt[] => [
        (app, access) => app.lists.memories(access, [whose], { ...page, filter: {} }),
        (app, access) => app.lists.memories(access, [whose], { ...page, filter: { entityId: victim.entity } }),
        (app, access) => app.lists.memories(access, [whose], { ...page, filter: { documentId: victim.document } }),
        (app, access) => app.lists.memories(access, [whose], { ...page, cursor: victim.cursor, filter: {} }),
        (app, access) =>
          app.lists.countMemories(access, [whose], { entityId: victim.entity }).then(([n]) => listOf(n!)),
        (app, access) =>
          app.lists.countMemories(access, [whose], { documentId: victim.document }).then(([n]) => listOf(n!)),
        (app, access) =>
          app.lists.countMemories(access, [whose], { q: 'Tangerine', userId: 'ada' }).then(([n]) => listOf(n!)),
        (app, access) => app.lists.countMemoriesByStatus(access, [whose]),
        (app, access) => app.lists.entities(access, [whose], { ...page, filter: {} }),
        (app, access) => app.lists.countEntities(access, [whose], { q: 'Quillfeather' }).then(([n]) => listOf(n!)),
        (app, access) => app.lists.conversations(access, [whose], page),
        (app, access) => app.lists.documents(access, [whose], page),
        (app, access) => app.lists.countConversations(access, [whose], {}),
        (app, access) => app.lists.countDocuments(access, [whose]),
      ]),
      (app, access) => app.lists.countUsers(access, {}),
      (app, access) => app.lists.countCustomers(access),
      (app, access) => app.lists.countUsersOf(access, [{ customerId: 'acme' }], {}),
      (app, access) => app.lists.countCustomersOf(access, [ada]),
      (app, access) => app.lists.countIngestions(access, {}),
      (app, access) => app.lists.countKeys(administered(access)),
      (app, access) => app.lists.memoriesOfDocuments(access, [victim.document], page),
      (app, access) => app.lists.countMemoriesOfDocuments(access, [victim.document]),
      (app, access) => app.lists.lastIngestions(access, [victim.document]),
    ],
  },
  keys: { gets: 'their own', attempts: [(app, access) => app.keys(administered(access), page)] },
  createKey: {
    gets: 'their own',
    attempts: [(app, access) => app.createKey(administered(access), { label: 'another' })],
  },
  revokeKey: { gets: 'not_found', attempts: [(app, access) => app.revokeKey(administered(access), victim.keyId)] },
  setKeyRateLimit: {
    gets: 'not_found',
    attempts: [
      (app, access) =>
        app.setKeyRateLimit(administered(access), { id: victim.keyId, rate: { perMinute: 1, burst: 1 } }),
    ],
  },
  rotateMasterKey: { gets: 'their own', attempts: [(app) => app.rotateMasterKey(world.admin)] },
  masterKeyRotation: { gets: 'their own', attempts: [(app) => app.masterKeyRotation(world.admin)] },
  spend: { gets: 'nothing', attempts: [async (app, access) => app.spend(access)] },
  quota: { gets: 'their own', attempts: [async (app, access) => app.quota(access)] },
  begin: { gets: 'nothing', attempts: [async (app, access) => app.begin(access)()] },
  beginStream: { gets: 'nothing', attempts: [async (app, access) => app.beginStream(access)()] },
  recordContentRead: {
    gets: 'nothing',
    attempts: [(app, access) => app.recordContentRead(administered(access), { ids: { Memory: [victim.memory] } })],
  },
  checkHealth: { gets: 'nothing', attempts: [async (app) => app.checkHealth()] },
  databaseProgressAt: { gets: 'nothing', attempts: [async (app) => void app.databaseProgressAt()] },
  checkReady: { gets: 'nothing', attempts: [(app) => app.checkReady()] },
  countCall: { gets: 'nothing', attempts: [async (app, access) => app.countCall(access)] },
  // It takes an administrator and no access.
  countAdminCall: { gets: 'nothing', attempts: [] },
  measureOperation: {
    gets: 'nothing',
    attempts: [async (app, access) => app.measureOperation(access, { name: 'Look', ms: 1, isError: false })],
  },
  analytics: {
    gets: 'their own',
    attempts: [
      (app, access) => app.analytics.latency(access, { operation: 'context_fetch', bucket: 'day' }),
      (app, access) => app.analytics.operations(access, { bucket: 'day' }),
      (app, access) => app.analytics.usage(access),
    ],
  },
};

const bob = { userId: 'bob', customerId: 'zeta' };

/** Every use case that is told for whom it works, called for another user of the victim's instance. */
const asBob: Partial<Record<keyof App, Row>> = {
  submit: {
    gets: 'invalid_input',
    attempts: [(app, access) => app.submit(access, { ...submission, userId: 'bob', conversationId: 'harbour' })],
  },
  submitAndWait: {
    gets: 'invalid_input',
    attempts: [
      (app, access) =>
        app.submitAndWait(
          access,
          { ...submission, userId: 'bob', conversationId: 'harbour' },
          { ms: 1, signal: AbortSignal.timeout(1_000) },
        ),
    ],
  },
  startConversation: {
    gets: 'invalid_input',
    attempts: [(app, access) => app.startConversation(access, { conversationId: 'harbour', ...bob })],
  },
  addMessages: {
    gets: 'invalid_input',
    attempts: [(app, access) => app.addMessages(access, { ...greeting, conversationId: 'harbour', ...bob })],
  },
  publishPartialMessage: {
    gets: 'invalid_input',
    attempts: [(app, access) => app.publishPartialMessage(access, { ...typed, conversationId: 'harbour', ...bob })],
  },
  recordTranscript: {
    gets: 'invalid_input',
    attempts: [
      (app, access) => app.recordTranscript(access, { conversationId: 'quay', ...bob, turns: greeting.messages }),
    ],
  },
  userProfile: { gets: 'not_found', attempts: [(app, access) => app.userProfile(access, { ...bob, userId: 'bob' })] },
  endConversation: {
    gets: 'context_not_found',
    attempts: [(app, access) => app.endConversation(access, { conversationId: 'harbour', ...bob })],
  },
  conversation: {
    gets: 'context_not_found',
    attempts: [(app, access) => app.conversation(access, { conversationId: 'harbour', ...bob, last: 10 })],
  },
  conversationTurns: {
    gets: 'context_not_found',
    attempts: [
      (app, access) =>
        app.conversationTurns(access, { conversationId: 'harbour', ...bob, ranges: [{ from: 0, to: 9 }] }),
    ],
  },
  memoriesOfTurns: {
    gets: 'nothing',
    attempts: [
      async (app, access) =>
        app.memoriesOfTurns(await app.narrow(access, bob), [{ conversationId: victim.conversation, n: victim.turn }]),
    ],
  },
  compactions: {
    gets: 'context_not_found',
    attempts: [
      (app, access) => app.compactions.compact(access, { conversationId: 'harbour', ...bob }),
      (app, access) => app.compactions.enqueue(access, { conversationId: 'harbour', ...bob }),
    ],
  },
  memory: { gets: 'not_found', attempts: [(app, access) => app.memory(access, victim.memory, bob)] },
  memories: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.memories(access, bob, page).then(({ data }) => data),
      (app, access) =>
        app.memories(access, { ...bob, entityId: victim.entity, documentId: 'secret' }, page).then(({ data }) => data),
    ],
  },
  firstIngestion: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.firstIngestion(access, { ...bob, conversationId: victim.conversation }).then(idsOf),
    ],
  },
  correctMemory: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.correctMemory(access, victim.memory, { ...bob, content: 'Mine now.' }),
      (app, access) => app.correctMemory(access, victim.memory, { ...bob, type: 'emotions' }),
    ],
  },
  undoSupersede: {
    gets: 'not_found',
    attempts: [(app, access) => app.undoSupersede(access, victim.memory, bob)],
  },
  confirmOutdated: { gets: 'not_found', attempts: [(app, access) => app.confirmOutdated(access, victim.memory, bob)] },
  rejectOutdated: { gets: 'not_found', attempts: [(app, access) => app.rejectOutdated(access, victim.memory, bob)] },
  restoreMemory: { gets: 'not_found', attempts: [(app, access) => app.restoreMemory(access, victim.memory, bob)] },
  forgetMemory: {
    gets: 'not_found',
    attempts: [(app, access) => app.forgetMemory(access, victim.memory, { ...bob, cascade: true })],
  },
  forgetDocument: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.forgetDocument(access, 'secret', bob),
      (app, access) => app.forgetDocument(access, victim.document, { userId: 'bob' }),
      (app, access) => app.forgetDocument(access, 'secret', { userId: 'bob', customerId: 'acme' }),
    ],
  },
  forgetOwner: { gets: 'not_found', attempts: [(app, access) => app.forgetOwner(access, bob)] },
  exportOwner: { gets: 'not_found', attempts: [(app, access) => allOf(app.exportOwner(access, bob))] },
  entity: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.entity(access, victim.entity, bob),
      // Registered at the customer's, which bob belongs to here; he said nothing of it.
      (app, access) => app.entity(access, victim.entity, { userId: 'bob', customerId: 'acme' }),
    ],
  },
  entities: { gets: 'nothing', attempts: [(app, access) => app.entities(access, bob, page).then(({ data }) => data)] },
  mergeEntities: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.mergeEntities(access, { sourceId: victim.entity, targetId: victim.other, ...bob }),
      (app, access) =>
        app.mergeEntities(access, {
          sourceId: victim.entity,
          targetId: victim.other,
          userId: 'bob',
          customerId: 'acme',
        }),
    ],
  },
  splitEntity: {
    gets: 'not_found',
    attempts: [
      (app, access) => app.splitEntity(access, { entityId: victim.entity, memoryIds: [victim.memory], ...bob }),
    ],
  },
  undoMerge: { gets: 'not_found', attempts: [(app, access) => app.undoMerge(access, victim.merge, bob)] },
  reviews: { gets: 'nothing', attempts: [(app, access) => app.reviews(access, bob, page).then(({ data }) => data)] },
  confirmReview: { gets: 'not_found', attempts: [(app, access) => app.confirmReview(access, victim.review, bob)] },
  rejectReview: { gets: 'not_found', attempts: [(app, access) => app.rejectReview(access, victim.review, bob)] },
  fetchContext: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.fetchContext(access, { ...wholeQuery, ...bob }).then(({ memories }) => memories),
      (app, access) =>
        app.fetchContext(access, { ...wholeQuery, userId: 'ada2', mode: 'fast' }).then(({ memories }) => memories),
      (app, access) => app.fetchContext(access, wholeQuery).then(({ memories }) => memories),
    ],
  },
  watchConversation: {
    gets: 'invalid_input',
    attempts: [(app, access) => watched(app, access, { ...bob, conversationId: 'harbour' })],
  },
  createBrowserToken: {
    gets: 'invalid_input',
    attempts: [(app, access) => app.createBrowserToken(access, { ...bob, conversationId: 'harbour', ttlSeconds: 60 })],
  },
  lists: {
    gets: 'nothing',
    attempts: [
      (app, access) => app.lists.known(access, bob),
      (app, access) => app.lists.customersOf(access, [bob], page).then(allListed),
      (app, access) => app.lists.lastCalls(access, ['bob', 'ada']).then(([ofBob]) => ofBob),
      // Beside ada, each has their own and nothing of the other's.
      (app, access) => app.lists.memories(access, [ada, bob], { ...page, filter: {} }).then(([, ofBob]) => ofBob!.data),
      (app, access) => app.lists.countMemories(access, [ada, bob], {}).then(([, ofBob]) => listOf(ofBob!)),
      (app, access) => app.lists.countMemories(access, [{}], bob).then(([ofBob]) => listOf(ofBob!)),
      (app, access) => app.lists.countMemoriesByStatus(access, [ada, bob]).then(([, ofBob]) => listOf(ofBob!.active)),
      (app, access) => app.lists.entities(access, [ada, bob], { ...page, filter: {} }).then(([, ofBob]) => ofBob!.data),
      (app, access) => app.lists.countEntities(access, [ada, bob], {}).then(([, ofBob]) => listOf(ofBob!)),
      (app, access) => app.lists.conversations(access, [ada, bob], page).then(([, ofBob]) => ofBob!.data),
      (app, access) => app.lists.documents(access, [ada, bob], page).then(([, ofBob]) => ofBob!.data),
      // Who names nobody among those who name somebody gets nobody's, not everybody's.
      (app, access) => app.lists.documents(access, [bob, {}], page).then(allListed),
    ],
  },
  narrow: {
    gets: 'nothing',
    attempts: [(app, access) => app.narrow(access, bob).then(({ readableOwners }) => readableOwners)],
  },
  anticipate: {
    gets: 'nothing',
    attempts: [
      (app, access) =>
        allOf(app.anticipate(access, session(bob), signal())).then((updates) =>
          updates.flatMap((each) => (each.kind === 'bundle' ? each.memories : [])),
        ),
    ],
  },
};
/** Told nobody: what they read is the whole instance's, or an id's of ours. */
const forNobody: readonly (keyof App)[] = [
  'beginStream',
  'readFile',
  'recordContentRead',
  'authenticate',
  'accessAsAdmin',
  'submitBatch',
  'ingestion',
  'retryIngestion',
  'ingestions',
  'awaitIngestion',
  'batch',
  'watchIngestion',
  'webhooks',
  'conversationsByIds',
  'messagesOfConversations',
  'findConversationTurns',
  'anticipationFigures',
  'memoriesByIds',
  'receipt',
  'entitiesByIds',
  'evidenceOfEntities',
  'mergesOfEntities',
  'openSession',
  'signIn',
  'members',
  'supersededIdsOf',
  'watchMemories',
  'memoriesByDay',
  'instance',
  'embedding',
  'vectorIndex',
  'repairVectorIndex',
  'setProviders',
  'instances',
  'createInstance',
  'keys',
  'createKey',
  'revokeKey',
  'setKeyRateLimit',
  'rotateMasterKey',
  'masterKeyRotation',
  'spend',
  'quota',
  'begin',
  'administration',
  'configurations',
  'onboarding',
  'checkHealth',
  'databaseProgressAt',
  'checkReady',
  'countCall',
  'countAdminCall',
  'measureOperation',
  'analytics',
];

async function expectRow(row: Row, access: Access) {
  for (const attempt of row.attempts) {
    const outcome = await attempt(world.app, access).then(
      (answer) => ({ code: undefined, answer }),
      (error: { code?: string; message: string }) => ({ code: error.code, answer: error.message }),
    );
    expectNoMark(textOf(outcome.answer));
    if (row.gets === 'nothing') {
      expect(outcome.code).toBeUndefined();
      expect([outcome.answer ?? []].flat().filter((each) => each !== null)).toEqual([]);
    } else expect(outcome.code).toBe(row.gets === 'their own' ? undefined : row.gets);
  }
}

describe('use cases', () => {
  test('each has a row in both tables', () => {
    const all = Object.keys(world.app).toSorted();
    expect(Object.keys(asStranger).toSorted()).toEqual(all);
    expect([...Object.keys(asBob), ...forNobody].toSorted()).toEqual(all);
  });

  test.each(Object.keys(asStranger) as (keyof App)[])(
    '%s: another instance gets nothing of the victim’s',
    async (name) => {
      // Its own document and conversation of the same names first: they are not the victim's.
      stranger = await world.instance();
      await expectRow(asStranger.submit, stranger.access);
      await world.settle();
      if (name !== 'submit') await expectRow(asStranger[name], stranger.access);
      await expectUnchanged();
    },
  );

  test.each(Object.keys(asBob) as (keyof App)[])(
    '%s: another user of the instance gets nothing of the victim’s',
    async (name) => {
      await expectRow(asBob[name]!, victim.access);
      await expectUnchanged();
    },
  );

  test('words that others use sway no ranks: scores stay those of the day when nobody else was there', async () => {
    // One instance throughout: its key salts the hashed words, so another instance's scores differ by chance.
    const eve = await world.user('eve');
    await eve.says('I keep bees on the roof. My tram stops at Lindau.', day(1));
    const scores = async () =>
      (await eve.fetches('Where are the bees?', { explain: true })).memories.map(({ content, score, parts }) => ({
        content,
        score,
        parts,
      }));
    const alone = await scores();
    for (let n = 0; n < 5; n++) {
      const other = await world.user(`other${n}`, { access: eve.access });
      await other.says(`The bees and the tram and the roof, number ${n}.`, day(2));
    }
    expect(await scores()).toEqual(nearly(alone));
  });
});

/** Every REST operation, with the victim's ids and the stranger's key. */
const operations: Record<string, { path?: () => string; body?: object | (() => object); answers: number }> = {
  submit: {
    body: { document: 'I own a kayak.', document_type: 'note', user_id: 'ada', conversation_id: 'harbour' },
    answers: 202,
  },
  submitBatch: {
    body: { documents: [{ document: 'I own a raft.', document_type: 'note', user_id: 'ada' }] },
    answers: 202,
  },
  batch: { path: () => `/v1/memories/batch/${victim.batch}`, answers: 404 },
  ingestion: { path: () => `/v1/memories/${victim.ingestion}/status`, answers: 404 },
  retryIngestion: { path: () => `/v1/memories/${victim.ingestion}/retry`, answers: 404 },
  memory: { path: () => `/v1/memories/${victim.memory}?user_id=ada&customer_id=acme`, answers: 404 },
  memories: { path: () => `/v1/memories?user_id=ada&cursor=${victim.cursor}`, answers: 200 },
  correctMemory: {
    path: () => `/v1/memories/${victim.memory}?user_id=ada`,
    body: { content: 'Mine now.' },
    answers: 404,
  },
  undoSupersede: { path: () => `/v1/memories/${victim.memory}/undo-supersede`, answers: 404 },
  confirmOutdated: { path: () => `/v1/memories/${victim.memory}/confirm-outdated`, answers: 404 },
  rejectOutdated: { path: () => `/v1/memories/${victim.memory}/reject-outdated`, answers: 404 },
  restoreMemory: { path: () => `/v1/memories/${victim.memory}/restore`, answers: 404 },
  forgetMemory: { path: () => `/v1/memories/${victim.memory}?cascade=evidence`, answers: 404 },
  forgetDocument: { path: () => `/v1/documents/${victim.document}`, answers: 404 },
  users: { path: () => '/v1/users?customer_id=acme', answers: 200 },
  customers: { answers: 200 },
  conversations: { path: () => '/v1/conversations?user_id=ada&customer_id=acme', answers: 200 },
  forgetUser: { path: () => '/v1/users/nobody-of-mine', answers: 404 },
  forgetCustomer: { path: () => '/v1/customers/acme', answers: 404 },
  exportUser: { path: () => '/v1/users/nobody-of-mine/export', answers: 404 },
  receipt: { path: () => `/v1/receipts/${victim.receipt}`, answers: 404 },
  fetchContext: {
    body: { search_queries: [question], user_id: 'ada', customer_id: 'acme', mode: 'accurate' },
    answers: 200,
  },
  startConversation: { body: { conversation_id: 'harbour', user_id: 'ada' }, answers: 201 },
  addMessages: {
    path: () => `/v1/conversations/harbour/messages`,
    body: { role: 'user', content: 'Good morning.', user_id: 'ada' },
    answers: 201,
  },
  recordTranscript: {
    path: () => '/v1/conversations/quay/transcript',
    body: { turns: [{ role: 'user', content: 'Good morning.' }], user_id: 'ada' },
    answers: 200,
  },
  userProfile: { path: () => '/v1/profiles/dora?customer_id=acme', answers: 404 },
  endConversation: { path: () => `/v1/conversations/${victim.conversation}/end`, answers: 404 },
  conversation: { path: () => `/v1/conversations/${victim.conversation}?user_id=ada&customer_id=acme`, answers: 404 },
  anticipated: {
    path: () => `/v1/conversations/${conversationUuid(victim.access.instance, 'harbour').id}/anticipated`,
    answers: 404,
  },
  createBrowserToken: { body: { user_id: 'ada', customer_id: 'zeta' }, answers: 201 },
  entities: { path: () => '/v1/entities?q=Quillfeather&customer_id=acme', answers: 200 },
  entity: { path: () => `/v1/entities/${victim.entity}`, answers: 404 },
  compactContext: { body: () => ({ conversation_id: victim.conversation }), answers: 404 },
  compactions: { path: () => `/v1/conversations/${victim.conversation}/compactions`, answers: 404 },
  compaction: { path: () => `/v1/conversations/${victim.conversation}/compactions/1`, answers: 404 },
  createWebhook: { body: { url: 'https://8.8.8.8/', event_types: ['config.applied'] }, answers: 201 },
  webhooks: { answers: 200 },
  webhook: { path: () => `/v1/webhooks/${victim.webhook}`, answers: 404 },
  updateWebhook: { path: () => `/v1/webhooks/${victim.webhook}`, body: { state: 'active' }, answers: 404 },
  deleteWebhook: { path: () => `/v1/webhooks/${victim.webhook}`, answers: 404 },
  rotateWebhookSecret: { path: () => `/v1/webhooks/${victim.webhook}/rotate-secret`, answers: 404 },
  testWebhook: { path: () => `/v1/webhooks/${victim.webhook}/test`, answers: 404 },
  webhookDeliveries: { path: () => `/v1/webhooks/${victim.webhook}/deliveries`, answers: 404 },
  webhookDelivery: { path: () => `/v1/webhooks/deliveries/${victim.delivery}`, answers: 404 },
  redeliverWebhook: { path: () => `/v1/webhooks/deliveries/${victim.delivery}/redeliver`, answers: 404 },
  instance: { answers: 200 },
  latency: { path: () => '/v1/analytics/latency?operation=context_fetch', answers: 200 },
  operations: { answers: 200 },
  usage: { answers: 200 },
  mergeEntities: {
    body: () => ({ source_entity_id: victim.entity, target_entity_id: victim.other }),
    answers: 404,
  },
  splitEntity: { body: () => ({ entity_id: victim.entity, memory_ids: [victim.memory] }), answers: 404 },
  undoMerge: { path: () => `/v1/merges/${victim.merge}/undo`, answers: 404 },
  reviews: { path: () => '/v1/review-queue?user_id=ada&customer_id=acme', answers: 200 },
  confirmReview: { path: () => `/v1/review-queue/${victim.review}/confirm`, answers: 404 },
  rejectReview: { path: () => `/v1/review-queue/${victim.review}/reject`, answers: 404 },
};

/** Those of agents: `rest/contract.test.ts` shows that no key opens the others. */
const restOperations = async () =>
  operationsOf((await doors.send('', 'GET', '/v1/openapi.json')).json()).filter((each) => !each['x-least-role']);

describe('REST', () => {
  test('each operation, with the key of another instance and the victim’s ids, shows and changes nothing', async () => {
    const all = await restOperations();
    expect(all.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(operations).toSorted());
    const { key } = await world.instance();
    for (const { operationId, method, path } of all) {
      const { path: filled, body, answers } = operations[operationId]!;
      const told = await doors.send(key, method, filled?.() ?? path, typeof body === 'function' ? body() : body);
      expect({ operationId, status: told.status }).toEqual({ operationId, status: answers });
      expectNoMark(told.text);
    }
    await expectUnchanged();
  });

  test('no operation takes an admin token, a revoked key, or a key of a suspended instance', async () => {
    const { access, key, id } = await world.instance();
    const revoked = await world.app.createKey(world.asAdmin(access), { label: null });
    await world.app.revokeKey(world.asAdmin(access), revoked.record.id);
    const { admin } = await adminToken();
    await world.app.administration.changeInstanceState(world.admin, { id, event: 'suspend' });
    for (const { operationId, method, path } of await restOperations()) {
      const { path: filled, body } = operations[operationId]!;
      const statusOf = async (credential: string) =>
        (await doors.send(credential, method, filled?.() ?? path, typeof body === 'function' ? body() : body)).status;
      const statuses = [await statusOf(admin), await statusOf(revoked.key), await statusOf(key)];
      expect({ operationId, statuses }).toEqual({ operationId, statuses: [403, 401, 403] });
    }
  });
});

/** Every field of GraphQL's roots, with the victim's ids; `$i` stands for the argument that names the instance. */
const fields: Record<string, () => string> = {
  instance: () => `{ instance$I { id name memories { nodes { content } } entities { nodes { name } }
    ingestions(first: 10) { nodes { id memories { content } } }
    users(first: 10) { nodes { userId ${ofThem} } }
    customers(first: 10) { nodes { customerId ${ofThem} } }
    user(userId: "ada", customerId: "acme") { profile { text identity { content } } ${ofThem} }
    documents(first: 10, customerId: "acme") { nodes { id memories(first: 5) { nodes { content } } } }
    conversations(first: 10, userId: "ada") { nodes { id recentMessages { content } } } } }`,
  instances: () => `{ instances { nodes { id } } }`,
  memories: () => `{ memories(first: 100, after: "${victim.cursor}"$i) { nodes { id content entities { id } } } }`,
  memory: () => `{ memory(id: "${victim.memory}"$i) { content supersedes { content } } }`,
  entities: () => `{ entities(filter: { customerId: "acme" }$i) { nodes { name } } }`,
  entity: () =>
    `{ entity(id: "${victim.entity}"$i) { name evidence { quote } merges { id } memories { nodes { content } } } }`,
  entityMatchReviews: () =>
    `{ entityMatchReviews(userId: "ada", customerId: "acme"$i) { nodes { left { entity { name } } } } }`,
  confirmEntityMatch: () =>
    `mutation { confirmEntityMatch(id: "${victim.review}"$i) { ... on Merge { entity { name } } ... on Problem { message } } }`,
  rejectEntityMatch: () =>
    `mutation { rejectEntityMatch(id: "${victim.review}"$i) { ... on EntityMatchReview { id } ... on Problem { message } } }`,
  mergeEntities: () =>
    `mutation { mergeEntities(sourceEntityId: "${victim.entity}", targetEntityId: "${victim.other}"$i) {
      ... on Merge { entity { name } } ... on Problem { message } } }`,
  splitEntity: () =>
    `mutation { splitEntity(entityId: "${victim.entity}", memoryIds: ["${victim.memory}"]$i) {
      ... on EntitySplit { newEntity { name } } ... on Problem { message } } }`,
  undoMerge: () =>
    `mutation { undoMerge(id: "${victim.merge}"$i) { ... on Merge { entity { name } } ... on Problem { message } } }`,
  configurations: () => `{ configurations$I { nodes { version } } }`,
  configuration: () => `{ configuration$I { version history { actor } } }`,
  configurationDifference: () => `{ configurationDifference(from: 1, to: 1$i) { changes { text } } }`,
  initConfiguration: () => changeConfiguration('initConfiguration', ''),
  updateConfiguration: () =>
    changeConfiguration('updateConfiguration', `, version: 1, revision: 1, configuration: ${leastSettings}`),
  submitConfiguration: () => changeConfiguration('submitConfiguration', ', version: 1'),
  reviewConfiguration: () => changeConfiguration('reviewConfiguration', ', version: 1, decision: APPROVE'),
  applyConfiguration: () => changeConfiguration('applyConfiguration', ', version: 1'),
  rollBackConfiguration: () => changeConfiguration('rollBackConfiguration', ''),
  onboard: () =>
    `mutation { onboard(input: { clientName: "mine", instanceName: "mine" }) { ... on Problem { message } } }`,
  onboarding: () => `{ onboarding(id: "onb_01m7v2q4z8f1kbx3c5d7e9g0hj") { useCase } }`,
  previewOnboarding: () => `{ previewOnboarding(id: "onb_01m7v2q4z8f1kbx3c5d7e9g0hj") { settings } }`,
  replaceUseCase: () =>
    `mutation { replaceUseCase(id: "onb_01m7v2q4z8f1kbx3c5d7e9g0hj", useCase: "x") { ... on Problem { message } } }`,
  completeOnboarding: () =>
    `mutation { completeOnboarding(id: "onb_01m7v2q4z8f1kbx3c5d7e9g0hj") { ... on Problem { message } } }`,
  ingestion: () => `{ ingestion(id: "${victim.ingestion}"$i) { memories { content } } }`,
  receipt: () => `{ receipt(id: "${victim.receipt}"$i) { id } }`,
  context: () => `{ context(query: { searchQueries: ["${question}"], userId: "ada", customerId: "acme" }) {
    memories { memory { content entities { memories { nodes { content } } } supersededBy { content } } } } }`,
  anticipated: () =>
    `subscription { anticipated(conversationId: "harbour") { ... on Bundle { memories { memory { content } } } } }`,
  createBrowserToken: () =>
    `mutation { createBrowserToken(input: { userId: "ada", customerId: "acme" }) {
      ... on BrowserTokenCreated { userId } ... on Problem { message } } }`,
  submitDocument:
    () => `mutation { submitDocument(input: { document: { text: "I own a kayak." }, documentType: NOTE, userId: "ada",
    documentId: "secret", conversationId: "harbour" }) { ... on Ingestion { status memories { content } } ... on Problem { message } } }`,
  compaction: () => `{ compaction(conversationId: "${victim.conversation}"$i) { systemPrompt } }`,
  compactions: () => `{ compactions(conversationId: "${victim.conversation}"$i) { nodes { systemPrompt } } }`,
  webhook: () => `{ webhook(id: "${victim.webhook}"$i) { url deliveries { nodes { id } } } }`,
  webhooks: () => `{ webhooks(first: 100$i) { nodes { id url } } }`,
  webhookDelivery: () => `{ webhookDelivery(id: "${victim.delivery}"$i) { eventId } }`,
  createWebhook: () =>
    `mutation { createWebhook(input: { url: "https://8.8.8.8/", eventTypes: [CONFIG_APPLIED] }$i) {
      ... on WebhookWithSecret { webhook { eventTypes } } ... on Problem { message } } }`,
  updateWebhook: () =>
    `mutation { updateWebhook(id: "${victim.webhook}", input: { state: ACTIVE }$i) {
      ... on Webhook { url } ... on Problem { message } } }`,
  deleteWebhook: () =>
    `mutation { deleteWebhook(id: "${victim.webhook}"$i) { ... on WebhookDeleted { id } ... on Problem { message } } }`,
  rotateWebhookSecret: () =>
    `mutation { rotateWebhookSecret(id: "${victim.webhook}"$i) {
      ... on WebhookWithSecret { secret } ... on Problem { message } } }`,
  testWebhook: () =>
    `mutation { testWebhook(id: "${victim.webhook}"$i) { ... on WebhookDelivery { id } ... on Problem { message } } }`,
  retryIngestion: () =>
    `mutation { retryIngestion(id: "${victim.ingestion}"$i) {
      ... on Ingestion { memories { content } } ... on Problem { message } } }`,
  redeliverWebhook: () =>
    `mutation { redeliverWebhook(id: "${victim.delivery}"$i) {
      ... on WebhookDelivery { id } ... on Problem { message } } }`,
  conversationTurns: () =>
    `{ conversationTurns(conversationId: "${victim.conversation}", from: 0, to: 9$i) { message { content } } }`,
  compactConversation: () =>
    `mutation { compactConversation(input: { conversationId: "${victim.conversation}" }) {
      ... on Compaction { systemPrompt } ... on Problem { message } } }`,
  conversation: () => `{ conversation(id: "${victim.conversation}"$i) { userId recentMessages { content } } }`,
  startConversation: () =>
    `mutation { startConversation(input: { id: "${victim.conversation}", userId: "ada" }) {
      ... on Conversation { recentMessages { content } } ... on Problem { message } } }`,
  addMessages: () =>
    `mutation { addMessages(input: { conversationId: "${victim.conversation}", userId: "ada",
      messages: [{ role: "user", content: "Good morning." }] }) {
        ... on MessagesAdded { conversation { recentMessages { content } } } ... on Problem { message } } }`,
  publishPartialMessage: () =>
    `mutation { publishPartialMessage(input: { conversationId: "${victim.conversation}", content: "Good mor" }) {
      ... on PartialMessagePublished { conversationId } ... on Problem { message } } }`,
  recordTranscript: () =>
    `mutation { recordTranscript(input: { conversationId: "quay", userId: "ada",
      turns: [{ role: "user", content: "Good morning." }] }) {
        ... on TranscriptRecorded { conversation { recentMessages { content } } } ... on Problem { message } } }`,
  endConversation: () =>
    `mutation { endConversation(id: "${victim.conversation}") { ... on ConversationEnded { conversation { userId } } ... on Problem { message } } }`,
  correctMemory: () =>
    `mutation { correctMemory(input: { memoryId: "${victim.memory}", content: "Mine now." }$i) {
      ... on Memory { content } ... on Problem { message } } }`,
  undoSupersede: () =>
    `mutation { undoSupersede(memoryId: "${victim.memory}"$i) { ... on Memory { content } ... on Problem { message } } }`,
  confirmOutdated: () =>
    `mutation { confirmOutdated(memoryId: "${victim.memory}"$i) { ... on Memory { content } ... on Problem { message } } }`,
  rejectOutdated: () =>
    `mutation { rejectOutdated(memoryId: "${victim.memory}"$i) { ... on Memory { content } ... on Problem { message } } }`,
  forget: () =>
    `mutation { forget(memoryId: "${victim.memory}", cascade: true$i) { ... on DeletionReceipt { id } ... on Problem { message } } }`,
  forgetUser: () =>
    `mutation { forgetUser(userId: "ada", customerId: "acme"$i) { ... on DeletionReceipt { id } ... on Problem { message } } }`,
  forgetCustomer: () =>
    `mutation { forgetCustomer(customerId: "acme"$i) { ... on DeletionReceipt { id } ... on Problem { message } } }`,
  forgetDocument: () =>
    `mutation { forgetDocument(documentId: "${victim.document}"$i) { ... on DeletionReceipt { id } ... on Problem { message } } }`,
  createInstance: () =>
    `mutation { createInstance(input: { name: "mine" }) { ... on Instance { id } ... on Problem { message } } }`,
  repairVectorIndex: () =>
    `mutation { repairVectorIndex(instanceId: "${victim.instance}") { ... on VectorIndex { memories } ... on Problem { message } } }`,
  setProviders: () =>
    `mutation { setProviders(input: { instanceId: "${victim.instance}", extraction: "none" }) {
      ... on Configuration { version } ... on Problem { message } } }`,
  createKey: () =>
    `mutation { createKey(input: { instanceId: "${victim.instance}" }) { ... on KeyCreated { secret } ... on Problem { message } } }`,
  revokeKey: () =>
    `mutation { revokeKey(id: "${victim.keyId}", instanceId: "${victim.instance}") { ... on Key { id } ... on Problem { message } } }`,
  setKeyRateLimit: () =>
    `mutation { setKeyRateLimit(id: "${victim.keyId}", instanceId: "${victim.instance}", rate: { requestsPerMinute: 1, burst: 1 }) {
      ... on Key { id } ... on Problem { message } } }`,
  rotateMasterKey: () => 'mutation { rotateMasterKey { done } }',
  masterKeyRotation: () => '{ masterKeyRotation { done } }',
  deploymentUsage: () => '{ deploymentUsage { apiCalls } }',
  clients: () => `{ clients { nodes { id } } }`,
  client: () => `{ client(id: "cli_0000000000000000") { id } }`,
  adminTokens: () => `{ adminTokens { nodes { id } } }`,
  expiringMemories: () => `{ expiringMemories(instanceId: "${victim.instance}") { nodes { id } } }`,
  createClient: () => `mutation { createClient(name: "mine") { ... on Client { id } } }`,
  renameClient: () => `mutation { renameClient(id: "cli_0000000000000000", name: "mine") { ... on Client { id } } }`,
  changeClientState: () =>
    `mutation { changeClientState(id: "cli_0000000000000000", event: ARCHIVE) { ... on Client { id } } }`,
  renameInstance: () =>
    `mutation { renameInstance(id: "${victim.instance}", name: "mine") { ... on Instance { id } } }`,
  changeInstanceState: () =>
    `mutation { changeInstanceState(id: "${victim.instance}", event: SUSPEND) { ... on Instance { id } } }`,
  purgeInstance: () => `mutation { purgeInstance(id: "${victim.instance}") { ... on Instance { id } } }`,
  importWorldKnowledge: () => `mutation { importWorldKnowledge(instanceId: "${victim.instance}",
    documents: [{ document: { text: "I own a kayak." }, documentType: NOTE }]) { ... on WorldKnowledgeImport { id } } }`,
  createAdminToken: () => `mutation { createAdminToken(role: OWNER) { secret } }`,
  viewer: () => '{ viewer { __typename } }',
  members: () => '{ members { nodes { __typename } } }',
  invitations: () => '{ invitations { nodes { __typename } } }',
  inviteMember: () => `mutation { inviteMember(email: "eve@example.com", role: OWNER) { __typename } }`,
  revokeInvitation: () => `mutation { revokeInvitation(id: "${newUuid()}") { __typename } }`,
  changeMember: () => `mutation { changeMember(userId: "${newUuid()}", role: OWNER) { __typename } }`,
  createPasswordReset: () => `mutation { createPasswordReset(userId: "${newUuid()}") { __typename } }`,
  createSignInLink: () => 'mutation { createSignInLink { path } }',
  signOutEverywhere: () => 'mutation { signOutEverywhere { __typename } }',
  revokeAdminToken: () => `mutation { revokeAdminToken(id: "x") { ... on AdminToken { id } } }`,
  restoreMemory: () =>
    `mutation { restoreMemory(memoryId: "${victim.memory}"$i) { ... on Memory { content } ... on Problem { message } } }`,
  ingestionProgress: () =>
    `subscription { ingestionProgress(id: "${victim.ingestion}"$i) { status memories { content } } }`,
  // They would never end: an input that is refused ends them once they are let in.
  memoryChanged: () => `subscription { memoryChanged(userId: ""$i) { content } }`,
  memoryCreated: () => `subscription { memoryCreated(userId: ""$i) { content } }`,
};
const ofThem = `memories(first: 5) { nodes { content } } entities(first: 5) { nodes { name } }
  conversations(first: 5) { nodes { id } } documents(first: 5) { nodes { id externalId } }`;
const changeConfiguration = (name: string, input: string) =>
  `mutation { ${name}(input: { instanceId: "${victim.instance}"${input} }) {
    ... on Configuration { version } ... on Problem { message } } }`;
const leastSettings = `{ primaryScope: USER, isolation: B2C, confidenceThreshold: 0.7, memoryTypes: [FACTS],
  categories: [{ name: "other" }], entityMatchThresholds: { merge: 1, review: 1 },
  retention: { policy: STANDARD, baseDays: 1, onExpiry: EVICT }, retrieval: { mode: FAST, maxResults: 1 },
  compaction: { strategy: ADAPTIVE, outputFormat: FULL }, inference: { extraction: "none", embedding: "none" } }`;
const forAdministrators = new Set([
  'instances',
  'createInstance',
  'repairVectorIndex',
  'setProviders',
  'createKey',
  'revokeKey',
  'setKeyRateLimit',
  'rotateMasterKey',
  'deploymentUsage',
  'masterKeyRotation',
  'initConfiguration',
  'updateConfiguration',
  'submitConfiguration',
  'reviewConfiguration',
  'applyConfiguration',
  'rollBackConfiguration',
  'onboard',
  'onboarding',
  'previewOnboarding',
  'replaceUseCase',
  'completeOnboarding',
  'clients',
  'client',
  'adminTokens',
  'expiringMemories',
  'createClient',
  'renameClient',
  'changeClientState',
  'renameInstance',
  'changeInstanceState',
  'purgeInstance',
  'importWorldKnowledge',
  'createAdminToken',
  'revokeAdminToken',
  'viewer',
  'members',
  'invitations',
  'inviteMember',
  'revokeInvitation',
  'changeMember',
  'signOutEverywhere',
  'createPasswordReset',
  'createSignInLink',
]);
const forAgents = [
  'context',
  'submitDocument',
  'startConversation',
  'addMessages',
  'publishPartialMessage',
  'recordTranscript',
  'endConversation',
  'anticipated',
  'createBrowserToken',
];

const textFor = (field: string, instance?: string) =>
  fields[field]!()
    .replace('$I', instance ? `(${field === 'instance' ? 'id' : 'instanceId'}: "${instance}")` : '')
    .replace('$i', instance ? `, instanceId: "${instance}"` : '');

/** Over the door that takes it: the events of a subscription come as one text. */
async function askField(credential: string, field: string, instance?: string) {
  const text = textFor(field, instance);
  if (!text.startsWith('subscription')) return doors.ask(credential, text);
  return doors.send(credential, 'POST', '/graphql/stream', { query: text });
}

describe('GraphQL', () => {
  test('each root field has a row', async () => {
    const { key } = await world.instance();
    const told = await doors.ask(key, '{ __schema { types { name fields { name } } } }');
    const types = told.json().data.__schema.types as { name: string; fields: { name: string }[] }[];
    const roots = types.filter(({ name }) => ['Query', 'Mutation', 'Subscription'].includes(name));
    expect(roots.flatMap((type) => type.fields.map(({ name }) => name)).toSorted()).toEqual(
      Object.keys(fields).toSorted(),
    );
  });

  test.each(Object.keys(fields))(
    '%s: another instance’s key gets nothing of the victim’s, and is refused where it names them',
    async (field) => {
      const { key } = await world.instance();
      const own = await askField(key, field);
      expectNoMark(own.text);
      if (forAdministrators.has(field)) expect(own.text).toContain('"forbidden"');
      const text = textFor(field, victim.instance);
      if (text !== textFor(field)) {
        const named = await askField(key, field, victim.instance);
        expectNoMark(named.text);
        expect(named.text).toContain('"forbidden"');
      }
      await expectUnchanged();
    },
  );

  test('an admin token fetches no context and submits nothing; without a credential there is nothing', async () => {
    const { admin } = await adminToken();
    for (const field of forAgents)
      expect((await askField(admin, field, victim.instance)).text).toContain('"forbidden"');
    for (const field of Object.keys(fields)) expect((await askField('', field)).status).toBe(401);
    await expectUnchanged();
  });

  test('a suspended instance is refused, and so is its name', async () => {
    const { key, id } = await world.instance();
    await world.app.administration.changeInstanceState(world.admin, { id, event: 'suspend' });
    const told = await doors.ask(key, '{ memories { nodes { id } } }');
    expect({ status: told.status, code: told.json().errors[0].extensions.code }).toEqual({
      status: 403,
      code: 'forbidden',
    });
  });

  test('asked on behalf of a user, what hangs on the answer is that user’s too', async () => {
    const ann = await world.user('ann', { customer: 'acme' });
    const ben = await world.user('ben', { access: ann.access, customer: 'acme' });
    await ann.says('Rosalind repaired the harmonium.', day(1));
    await ben.says('Rosalind owes me nine hundred guineas.', day(1));
    const { key } = await world.app.createKey(world.asAdmin(ann.access), { label: null });
    const [mine] = await ann.memories({ type: 'episodes' });
    const entity = mine!.entities[0]!.id;
    const about = `userId: "ann", customerId: "acme"`;
    const within = 'mentions memories(first: 50) { nodes { content } }';
    const told = [
      await doors.ask(key, `{ entity(id: "${entity}", ${about}) { ${within} } }`),
      await doors.ask(key, `{ memory(id: "${mine!.id}", ${about}) { entities { ${within} } } }`),
      await doors.ask(
        key,
        `{ context(query: { searchQueries: ["harmonium"], ${about} }) { memories { memory { entities { ${within} } } } } }`,
      ),
    ];
    for (const each of told) {
      expect(each.text).toContain('harmonium');
      expect(each.text).not.toContain('guineas');
    }
  });
});

describe('gRPC', () => {
  const code = async (stream: Stream) => (await stream.ended).code;

  test('another instance’s key gets an empty bundle for the victim’s user and conversation', async () => {
    using client = openClient(doors.grpcAddress);
    const { key } = await world.instance();
    for (const sessionStart of [
      { userId: 'ada', customerId: 'acme' },
      { userId: 'ada', conversationId: 'harbour' },
    ]) {
      const stream = client.anticipate({ key });
      stream.send({ sessionStart }, says(question));
      expect((await stream.next())?.bundle?.memories).toEqual([]);
      stream.hangUp();
    }
    await expectUnchanged();
  });

  test('no stream opens for an admin token, a revoked key, or a key of a suspended instance', async () => {
    using client = openClient(doors.grpcAddress);
    const { access, key, id } = await world.instance();
    const revoked = await world.app.createKey(world.asAdmin(access), { label: null });
    await world.app.revokeKey(world.asAdmin(access), revoked.record.id);
    await world.app.administration.changeInstanceState(world.admin, { id, event: 'suspend' });
    const { admin } = await adminToken();
    const codes = await Promise.all([admin, revoked.key, key].map((each) => code(client.anticipate({ key: each }))));
    expect(codes).toEqual([status.PERMISSION_DENIED, status.UNAUTHENTICATED, status.PERMISSION_DENIED]);
  });
});

describe('a browser token', () => {
  const open = ['fetchContext', 'watchConversation', 'narrow', 'memoriesByIds', 'entitiesByIds'] as const;
  const ofEachCall = ['spend', 'quota', 'begin', 'countCall', 'measureOperation'];

  test('opens no use case but those of context, whatever it names', async () => {
    const { access } = browser;
    const closed = Object.keys(asStranger).filter((name) => ![...open, ...ofEachCall].includes(name)) as (keyof App)[];
    let tried = 0;
    for (const name of closed) {
      const attempts = [...asStranger[name].attempts, ...(asBob[name]?.attempts ?? [])];
      for (const attempt of attempts.filter(({ length }) => length === 2)) {
        const code = await (async () => attempt(world.app, access))().then(
          () => 'opened',
          (error: { code: string }) => error.code,
        );
        expect({ name, code }).toEqual({ name, code: 'forbidden' });
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(60);
    await expectUnchanged();
  });

  test('gets nothing of others by those that it opens', async () => {
    const { access } = browser;
    for (const name of open) {
      for (const attempt of [...asStranger[name].attempts, ...(asBob[name]?.attempts ?? [])]) {
        const told = await (async () => attempt(world.app, access))().catch(({ code }: { code: string }) => code);
        expectNoMark(textOf(told));
      }
    }
    await expectUnchanged();
  });

  test('opens two REST routes and two GraphQL fields, no administration and no stream', async () => {
    const named = { userId: 'carol', customerId: 'zeta' };
    for (const { operationId, method, path } of operationsOf(
      (await doors.send('', 'GET', '/v1/openapi.json')).json(),
    )) {
      const { path: filled, body } = operations[operationId] ?? {};
      const { token } = await browserOf(victim.access, named); // one alone may not call so often
      const told = await doors.send(token, method, filled?.() ?? path, typeof body === 'function' ? body() : body);
      expectNoMark(told.text);
      const expected = operationId === 'anticipated' ? 404 : 403;
      expect({ operationId, status: told.status }).toEqual({ operationId, status: expected });
      if (['fetchContext', 'anticipated'].includes(operationId))
        expect(told.text).toMatch(/bound to another|no such conversation/);
      else expect(told.text).toContain('token');
    }
    for (const field of Object.keys(fields)) {
      const { token } = await browserOf(victim.access, named);
      const told = await askField(token, field);
      expectNoMark(told.text);
      expect({ field, text: told.text }).toEqual({
        field,
        text: expect.stringContaining(field === 'anticipated' ? '"context_not_found"' : '"forbidden"'),
      });
    }
    using client = openClient(doors.grpcAddress);
    expect((await client.anticipate({ key: browser.token }).ended).code).toBe(status.PERMISSION_DENIED);
    await expectUnchanged();
  });
});

describe('credentials', () => {
  test.each(['revoked', 'suspended'] as const)(
    'once a key is %s, what it opened ends within a second',
    timed,
    async (how) => {
      using client = openClient(doors.grpcAddress);
      const { access, key, id } = await world.instance();
      const { id: ingestion } = await held(access);
      const stream = client.anticipate({ key });
      stream.send(start(), ping);
      await stream.next();
      const query = `subscription { ingestionProgress(id: "${ingestion}") { status } }`;
      const subscription = doors.send(key, 'POST', '/graphql/stream', { query });
      await new Promise((resolve) => setTimeout(resolve, 300));
      if (how === 'revoked')
        await world.app.revokeKey(
          world.asAdmin(access),
          (await world.app.keys(world.asAdmin(access), { limit: 100 })).data[0]!.id,
        );
      else await world.app.administration.changeInstanceState(world.admin, { id, event: 'suspend' });
      const since = performance.now();
      const refused = how === 'revoked' ? 401 : 403;
      expect((await doors.send(key, 'GET', '/v1/memories')).status).toBe(refused);
      expect((await doors.ask(key, '{ memories { nodes { id } } }')).status).toBe(refused);
      const [ended, events] = await Promise.all([stream.ended, subscription]);
      expect(performance.now() - since).toBeLessThan(1_000);
      expect(ended.code).toBe(how === 'revoked' ? status.UNAUTHENTICATED : status.PERMISSION_DENIED);
      expect(events.text).toContain('QUEUED');
      expect(events.text).toContain(how === 'revoked' ? '"unauthenticated"' : '"forbidden"');
    },
  );

  test('a document that was accepted is ingested, whatever becomes of the key', async () => {
    const { access } = await world.instance();
    const { id } = await held(access);
    await world.app.revokeKey(
      world.asAdmin(access),
      (await world.app.keys(world.asAdmin(access), { limit: 100 })).data[0]!.id,
    );
    await world.deps.db.job.updateMany({
      where: { instanceNumber: access.instanceNumber },
      data: { runAt: new Date() },
    });
    world.deps.wake();
    await expect
      .poll(async () => (await world.app.ingestion(access, id)).status, { timeout: 45_000 })
      .toBe('completed');
  });

  test('who asks cannot be changed once it is known', async () => {
    const caller = await world.app.authenticate(`Bearer ${victim.key}`);
    const { admin } = await adminToken();
    const administrator = await world.app.authenticate(`Bearer ${admin}`);
    if (caller.kind !== 'instance' || administrator.kind !== 'admin') throw new Error('a key and a token');
    for (const each of [caller.access, caller.access.principal, administrator.admin])
      expect(Object.isFrozen(each)).toBe(true);
    expect(() => Object.assign(caller.access, { instanceNumber: stranger.access.instanceNumber })).toThrow(TypeError);
  });

  test('of a key and a token only the SHA-256 is kept', async () => {
    const { admin } = await adminToken();
    for (const [table, secret] of [
      ['api_key', victim.key],
      ['browser_token', browser.token],
      ['admin_token', admin],
    ] as const) {
      const rows = await world.deps.db.$queryRawUnsafe<{ row: string; hash: string }[]>(
        `SELECT t::text AS row, encode(hash, 'hex') AS hash FROM ${table} t`,
      );
      expect(rows.map(({ hash }) => hash)).toContain(hashSecret(secret).toString('hex'));
      const random = secret.split('_').at(-1)!;
      const hex = Buffer.from(random).toString('hex');
      for (const { row } of rows)
        for (const part of [random, random.slice(0, 20), hex]) expect(row).not.toContain(part);
    }
  });
});

async function browserOf(by: Access, named: { userId: string; customerId: string }) {
  const { token } = await world.app.createBrowserToken(by, { ...named, ttlSeconds: 3_600 });
  const caller = await world.app.authenticate(`Bearer ${token}`);
  if (caller.kind !== 'browser') throw new Error('a token opens a browser’s access');
  return { token, access: caller.access };
}

const held = (access: Access) => submitHeld(world.deps, access, { ...submission, userId: 'ada' });

async function adminToken() {
  const admin = newSecret('admin');
  await world.deps.db.adminToken.create({ data: { id: newUuid(), hash: hashSecret(admin), role: 'owner' } });
  return { admin };
}
