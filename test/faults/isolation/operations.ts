import * as fc from 'fast-check';
import type { Signal } from '../../../src/domain/anticipation/stream-messages.ts';
import { fromPublicId } from '../../../src/domain/ids.ts';
import { archiveMemories } from '../../../src/domain/memories/archive.ts';
import type { SubjectIds } from '../../../src/domain/tenancy/access.ts';
import { day } from '../../support/person.ts';
import type { Text } from './knowledge.ts';
import { attempt, changing, hear, Leak, shownTo, type Scene } from './scene.ts';

/** Three users, of no customer or of one of two, the customers themselves, and nobody. */
const named: fc.Arbitrary<SubjectIds> = fc
  .tuple(fc.constantFrom('ada', 'bob', 'cy', undefined), fc.constantFrom('acme', 'zeta', undefined, undefined))
  .map(([userId, customerId]) => ({ userId, customerId }));
const house = fc.nat(1);
/** Which of the texts so far: its place, counted round. */
const nth = fc.nat(40);
const reader = { house, named };

const sentences: readonly [text: (mark: string) => string, lasts: boolean][] = [
  [(mark) => `My neighbour Rosalind ${mark} keeps bees on the roof.`, true],
  [(mark) => `I met ${mark} and Petra Hawksworth in the garden.`, true],
  [(mark) => `The code of the garage door is ${mark}, said Rosalind.`, true],
  [(mark) => `Always send the report to Mrs. ${mark} in the morning.`, true],
  [(mark) => `I live in ${mark}.`, false],
  [(mark) => `My manager is ${mark}.`, false],
];

type Arguments<T> = { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never };

/** A command that always may be run: what it may do is asked of the knowledge when it is. */
function operation<T extends Record<string, fc.Arbitrary<unknown>>>(
  name: string,
  given: T,
  run: (scene: Scene, chosen: Arguments<T>) => Promise<void>,
) {
  return fc.record(given).map((chosen): fc.AsyncCommand<object, Scene> => ({
    check: () => true,
    run: async (_, scene) => {
      scene.counts.operations += 1;
      await run(scene, chosen as Arguments<T>);
    },
    toString: () => `${name} ${JSON.stringify(chosen)}`,
  }));
}

/** The same on one of the texts that were sent, of either instance, forgotten or not. */
const onText = <T extends Record<string, fc.Arbitrary<unknown>>>(
  name: string,
  given: T,
  run: (scene: Scene, chosen: Arguments<T> & { text: Text }) => Promise<void>,
) =>
  operation(name, { ...given, nth }, async (scene, chosen) => {
    const { texts } = scene.knowledge;
    const text = texts[(chosen as unknown as { nth: number }).nth % texts.length];
    if (text) await run(scene, { ...(chosen as unknown as Arguments<T>), text });
  });

const current = (texts: readonly Text[]) => texts.filter(({ state }) => state !== 'archived');
const lasting = (texts: readonly Text[]) => texts.filter(({ state }) => state === 'whole' || state === 'archived');

export const ingest = operation(
  'ingest',
  {
    ...reader,
    sentence: fc.nat(sentences.length - 1),
    mode: fc.constantFrom('fast' as const, 'long-range' as const, 'verbatim' as const),
    documentType: fc.constantFrom('ai-chat-conversation' as const, 'support-ticket' as const),
    conversationId: fc.constantFrom('harbour', 'garden', undefined, undefined, undefined),
  },
  async (scene, { house: at, named: by, sentence, ...how }) => {
    const { app, houses, knowledge } = scene;
    const mark = scene.newMark();
    const documentId = `doc-${mark.length}-${knowledge.texts.length}-${at}`;
    const [write, lasts] = sentences[sentence]!;
    const said = { document: write(mark), documentId, documentCreatedAt: day(knowledge.texts.length) };
    const submission = { ...said, metadata: { noted: mark }, ...how };
    const accepted = await attempt(scene, () => app.submit(houses[at]!, { ...submission, ...by }));
    if (!accepted) return;
    const timeout = { ms: 30_000, signal: AbortSignal.timeout(30_000) };
    const ended = await app.awaitIngestion(houses[at]!, accepted.id, timeout);
    if (ended.status !== 'completed') throw new Error(`the ingestion is ${ended.status}: ${ended.error}`);
    // What a call leaves out is the conversation's; had it contradicted that, it would have been refused.
    const speaker = (how.conversationId && knowledge.speakerIn(at, how.conversationId)) || by;
    if (how.conversationId) knowledge.bind(at, how.conversationId, speaker);
    const isCustomers = at === 1 && how.documentType === 'support-ticket' && speaker.customerId !== undefined;
    const scope = speaker.userId && !isCustomers ? 'USER' : speaker.customerId ? 'CUSTOMER' : 'CLIENT';
    knowledge.texts.push({
      mark,
      house: at,
      scope,
      userId: scope === 'USER' ? speaker.userId! : '',
      customerId: speaker.customerId ?? '',
      documentId,
      ingestionId: accepted.id,
      memoryIds: ended.memoryIds,
      isRecord: how.mode === 'verbatim',
      lasts: lasts || how.mode === 'verbatim', // a record stands beside whatever else is said
      state: 'whole',
    });
    hear(scene, ended, { allowed: [] });
  },
);

/** A conversation that is told as a whole, under an id of its own. */
const tell = operation(
  'tell a transcript',
  { ...reader, sentence: fc.nat(sentences.length - 1) },
  async (scene, { house: at, named: by, sentence }) => {
    const { app, houses, knowledge } = scene;
    const mark = scene.newMark();
    const [write, lasts] = sentences[sentence]!;
    const transcript = { conversationId: `call-${mark}`, metadata: { noted: mark }, ...by };
    const turns = [{ role: 'user', content: write(mark) }];
    const told = await attempt(scene, () => app.recordTranscript(houses[at]!, { ...transcript, turns }));
    const [ingestionId] = told?.ingestionIds ?? [];
    if (!ingestionId) return;
    const timeout = { ms: 30_000, signal: AbortSignal.timeout(30_000) };
    const { documentId, memoryIds } = await app.awaitIngestion(houses[at]!, ingestionId, timeout);
    const scope = by.userId ? 'USER' : by.customerId ? 'CUSTOMER' : 'CLIENT';
    const whose = { scope, userId: by.userId ?? '', customerId: by.customerId ?? '' } as const;
    const ids = { documentId, ingestionId, memoryIds };
    knowledge.texts.push({ mark, house: at, ...whose, ...ids, isRecord: false, lasts, state: 'whole' });
    const other = { ...transcript, turns: [{ role: 'user', content: 'Something else.' }] };
    if (await attempt(scene, () => app.recordTranscript(houses[at]!, other)))
      throw new Leak(scene, 'a conversation was told in two ways');
  },
);

const profile = operation('profile', reader, async (scene, { house: at, named: by }) => {
  const { app, houses, knowledge } = scene;
  const { userId = 'nobody' } = by;
  const read = await attempt(scene, () => app.userProfile(houses[at]!, { ...by, userId }));
  const own = current(knowledge.readableBy(at, { ...by, userId })).filter(({ scope }) => scope === 'USER');
  hear(scene, read, { allowed: own });
});

/** Records by their metadata, fetched and listed: others’ are never among them, and what is no record never is. */
const recordsOf = onText(
  'records by metadata',
  { ...reader, mode: fc.constantFrom('fast' as const, 'accurate' as const, undefined) },
  async (scene, { house: at, named: by, text, mode }) => {
    const { app, houses, knowledge } = scene;
    const metadata = { noted: text.mark };
    const isIt = (each: Text) => each === text && each.isRecord;
    const searchQueries = mode ? ['Who is Rosalind?'] : [];
    const query = { ...by, metadata, searchQueries, mode, explain: false, maxResults: 100 };
    const context = await attempt(scene, () => app.fetchContext(houses[at]!, query));
    const readable = current(knowledge.readableBy(at, by)).filter(isIt);
    const whole = ({ state }: Text) => state === 'whole';
    if (context) hear(scene, context, { allowed: readable, expected: readable.filter(whole) });
    const owned = knowledge.ownedBy(at, by).filter(isIt);
    const page = await app.memories(houses[at]!, { ...by, metadata }, { limit: 100 });
    hear(scene, page, { allowed: owned, expected: owned.filter(whole) });
  },
);

const fetch = onText(
  'fetch',
  {
    ...reader,
    mode: fc.constantFrom('fast' as const, 'accurate' as const),
    conversationId: fc.constantFrom('harbour', undefined, undefined),
    explain: fc.boolean(),
  },
  async (scene, { house: at, named: by, text, mode, conversationId, explain }) => {
    const { app, houses, knowledge } = scene;
    const searchQueries = [`What about ${text.mark}?`, 'Who is Rosalind?'];
    const query = { searchQueries, mode, explain, maxResults: 100, conversationId, ...by };
    const context = await attempt(scene, () => app.fetchContext(houses[at]!, query));
    if (!context) return;
    const isAnybody = by.userId !== undefined || by.customerId !== undefined;
    const known = conversationId ? knowledge.speakerIn(at, conversationId) : undefined;
    const speaker = known ?? (isAnybody || !conversationId ? by : undefined);
    if (!speaker) throw new Leak(scene, `the conversation ${conversationId} of nobody was read`);
    if (conversationId) knowledge.bind(at, conversationId, speaker);
    const allowed = current(knowledge.readableBy(at, speaker));
    const isExpected = text.state === 'whole' && text.lasts && allowed.includes(text);
    hear(scene, context, { allowed, expected: isExpected ? [text] : [] });
  },
);

const anticipate = onText('anticipate', reader, async (scene, { house: at, named: by, text }) => {
  const { app, houses, knowledge } = scene;
  const signals: Signal[] = [
    { kind: 'session-start', session: by },
    { kind: 'partial-message', role: 'user', content: 'Who is Rosalind' },
    { kind: 'context-used', memoryIds: text.memoryIds },
    { kind: 'message', role: 'user', content: `What about ${text.mark}?` },
  ];
  const source = (async function* () {
    yield* signals;
  })();
  const allowed = current(knowledge.readableBy(at, by));
  await attempt(scene, async () => {
    const updates = app.anticipate(houses[at]!, source, AbortSignal.timeout(20_000));
    for await (const update of updates) hear(scene, update, { allowed });
  });
});

const list = onText(
  'list',
  { ...reader, searched: fc.boolean() },
  async (scene, { house: at, named: by, text, searched }) => {
    const allowed = scene.knowledge.ownedBy(at, by);
    const filter = { ...by, ...(searched ? { q: text.mark } : {}) };
    const page = await scene.app.memories(scene.houses[at]!, filter, { limit: 100 });
    const expected = searched
      ? allowed.filter((each) => each === text && each.state === 'whole' && each.lasts)
      : lasting(allowed);
    hear(scene, page, { allowed: searched ? allowed.filter((each) => each === text) : allowed, expected });
  },
);

const exporting = operation('export', reader, async (scene, { house: at, named: by }) => {
  const allowed = scene.knowledge.ownedBy(at, by);
  const memories: unknown[] = [];
  const exported = await attempt(scene, async () => {
    for await (const memory of scene.app.exportOwner(scene.houses[at]!, by)) memories.push(memory);
    return true;
  });
  hear(scene, memories, { allowed, expected: exported ? lasting(allowed) : [] });
  if (!exported && lasting(allowed).length > 0) throw new Leak(scene, 'an owner with memories was not found');
});

const entities = onText('entities', reader, async (scene, { house: at, named: by, text }) => {
  const { app, houses, knowledge } = scene;
  const owned = { allowed: knowledge.ownedBy(at, by) };
  const page = await app.entities(houses[at]!, by, { limit: 100 });
  hear(scene, page, owned);
  hear(scene, await app.entities(houses[at]!, { ...by, q: text.mark }, { limit: 100 }), owned);
  const all = (await app.entities(houses[at]!, {}, { limit: 100 })).data.map(({ id }) => id);
  const narrowed = await attempt(scene, () => app.narrow(houses[at]!, by));
  if (!narrowed) return;
  const readable = { allowed: knowledge.readableBy(at, by) };
  hear(scene, await app.entitiesByIds(narrowed, all), readable);
  hear(scene, await app.evidenceOfEntities(narrowed, all, 20), readable);
  for (const id of all.slice(0, 2)) {
    const entity = await attempt(scene, () => app.entity(houses[at]!, id, by));
    hear(scene, entity, { allowed: shownTo(scene, at, by) });
  }
});

const read = onText('read by id', reader, async (scene, { house: at, named: by, text }) => {
  const { app, houses } = scene;
  const allowed = shownTo(scene, at, by);
  for (const id of text.memoryIds) {
    hear(scene, await attempt(scene, () => app.memory(houses[at]!, id, by)), { allowed });
  }
  hear(scene, await app.memoriesByIds(houses[at]!, text.memoryIds), { allowed: scene.knowledge.ownedBy(at, {}) });
  const ingestion = await attempt(scene, () => app.ingestion(houses[at]!, text.ingestionId));
  if (ingestion && text.house !== at)
    throw new Leak(scene, `the ingestion of ${text.mark} was told to another instance`);
  for (const receipt of scene.ids.receipts) {
    const told = await attempt(scene, () => app.receipt(houses[at]!, receipt.id));
    if (told && receipt.house !== at) throw new Leak(scene, 'a receipt was told to another instance');
  }
});

/** What lost some of its memories may be in an answer, and need not. */
function reduce(scene: Scene, at: number, receipt: { id: string; memoryIds: readonly string[] }): void {
  scene.ids.receipts.push({ house: at, id: receipt.id });
  const gone = new Set(receipt.memoryIds);
  for (const text of scene.knowledge.ownedBy(at, {})) {
    if (text.memoryIds.some((id) => gone.has(id))) text.state = 'reduced';
  }
}

const forgetMemory = onText(
  'forget memory',
  { ...reader, cascade: fc.boolean() },
  async (scene, { house: at, named: by, text, cascade }) => {
    const [id] = text.memoryIds;
    if (!id) return;
    const receipt = await changing(scene, { text, house: at, named: by }, () =>
      scene.app.forgetMemory(scene.houses[at]!, id, { cascade, ...by }),
    );
    if (!receipt) return;
    reduce(scene, at, receipt);
    text.state = text.isRecord ? 'forgotten' : cascade ? 'emptied' : 'reduced';
  },
);

const forgetDocument = onText('forget document', reader, async (scene, { house: at, named: by, text }) => {
  const receipt = await changing(scene, { text, house: at, named: by }, () =>
    scene.app.forgetDocument(scene.houses[at]!, text.documentId, by),
  );
  if (!receipt) return;
  reduce(scene, at, receipt);
  text.state = 'forgotten';
});

const forgetOwner = operation('forget owner', reader, async (scene, { house: at, named: by }) => {
  const theirs = scene.knowledge.ownedBy(at, by);
  const receipt = await attempt(scene, () => scene.app.forgetOwner(scene.houses[at]!, by));
  const named_ = by.userId !== undefined || by.customerId !== undefined;
  if (!receipt && named_ && theirs.length > 0) throw new Leak(scene, 'an owner with texts was not forgotten');
  if (!receipt) return;
  reduce(scene, at, receipt);
  scene.knowledge.forgetOwner(at, by);
});

const archive = onText('archive', {}, async (scene, { text }) => {
  if (text.state !== 'whole') return;
  const access = scene.houses[text.house]!;
  const ids = text.memoryIds.flatMap((id) => fromPublicId('memory', id) ?? []);
  const [home] = await scene.world.deps.db.memory.findMany({
    where: { instanceNumber: access.instanceNumber, id: { in: ids } },
    take: 1,
  });
  if (!home) return;
  await archiveMemories(scene.world.deps, access, { ownerNo: home.ownerNo, ids });
  text.state = 'archived';
});

const restore = onText('restore', reader, async (scene, { house: at, named: by, text }) => {
  const restored = [];
  for (const id of text.memoryIds) {
    restored.push(
      await changing(scene, { text, house: at, named: by }, () => scene.app.restoreMemory(scene.houses[at]!, id, by)),
    );
  }
  if (text.state !== 'archived' || restored.every((each) => each === undefined)) return;
  text.state = restored.includes(undefined) ? 'reduced' : 'whole';
});

const pick = { one: fc.nat(40), other: fc.nat(40), from: house };

const merge = operation('merge', { ...reader, ...pick }, async (scene, { house: at, named: by, one, other, from }) => {
  const { app, houses, ids } = scene;
  const idsOf = async (where: number) =>
    (await app.entities(houses[where]!, {}, { limit: 100 })).data.map(({ id }) => id);
  const [mine, theirs] = [await idsOf(at), await idsOf(from)];
  if (!mine.length || !theirs.length) return;
  const pair = { sourceId: mine[one % mine.length]!, targetId: theirs[other % theirs.length]! };
  const merged = await attempt(scene, () => app.mergeEntities(houses[at]!, { ...pair, ...by }));
  if (merged && from !== at) throw new Leak(scene, 'entities of two instances became one');
  hear(scene, merged, { allowed: shownTo(scene, at, by) });
  if (merged) ids.merges.push(merged.merge.id);
});

const undoMerge = operation('undo merge', { ...reader, one: nth }, async (scene, { house: at, named: by, one }) => {
  const { merges } = scene.ids;
  if (!merges.length) return;
  const undone = await attempt(scene, () => scene.app.undoMerge(scene.houses[at]!, merges[one % merges.length]!, by));
  hear(scene, undone, { allowed: shownTo(scene, at, by) });
});

const split = onText('split', { ...reader, one: nth }, async (scene, { house: at, named: by, one, text }) => {
  const { app, houses } = scene;
  const { data } = await app.entities(houses[text.house]!, {}, { limit: 100 });
  const entityId = data[one % data.length]?.id;
  if (!entityId) return;
  const [evidence] = await app.evidenceOfEntities(houses[text.house]!, [entityId], 1);
  const memoryIds = (evidence as readonly { memoryId: string }[]).map(({ memoryId }) => memoryId);
  const divided = await attempt(scene, () => app.splitEntity(houses[at]!, { entityId, memoryIds, ...by }));
  if (divided && text.house !== at) throw new Leak(scene, 'an entity of another instance was divided');
  hear(scene, divided, { allowed: shownTo(scene, at, by) });
});

const review = operation(
  'review',
  { ...reader, one: nth, confirmed: fc.boolean() },
  async (scene, { house: at, named: by, one, confirmed }) => {
    const { app, houses } = scene;
    const allowed = shownTo(scene, at, by);
    hear(scene, await attempt(scene, () => app.reviews(houses[at]!, by, { limit: 100 })), { allowed });
    const all = (await app.reviews(houses[at]!, {}, { limit: 100 })).data;
    const { id } = all[one % all.length] ?? {};
    if (!id) return;
    const answer = confirmed ? app.confirmReview : app.rejectReview;
    const stranger = houses[1 - at]!;
    if (await attempt(scene, async () => answer(stranger, id, {}) as Promise<unknown>))
      throw new Leak(scene, 'a review was answered by another instance');
    hear(scene, await attempt(scene, async () => answer(houses[at]!, id, by) as Promise<unknown>), { allowed });
  },
);

/** What people and agents do, in the order of how it shrinks; what writes texts comes more often. */
export const operations = [
  ingest,
  ingest,
  ingest,
  ingest,
  tell,
  fetch,
  fetch,
  fetch,
  anticipate,
  list,
  recordsOf,
  profile,
  exporting,
  entities,
  read,
  forgetMemory,
  forgetDocument,
  forgetOwner,
  archive,
  restore,
  merge,
  undoMerge,
  split,
  review,
];
