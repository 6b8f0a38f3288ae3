import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDotProducts, type DotProducts } from '../../src/adapters/owner-cache/vector-table.ts';
import {
  memorySourceWithVectors,
  ownerSourceWithExternalVectors,
  type OwnerSource,
  type VectorSource,
} from '../../src/adapters/owner-cache/owner-source.ts';
import { cacheOwners } from '../../src/adapters/owner-cache/owner-cache.ts';
import { openPgvectorIndex } from '../../src/adapters/pgvector/pgvector-index.ts';
import { openWeaviateIndex } from '../../src/adapters/weaviate/open-weaviate-index.ts';
import { transaction, type Db } from '../../src/db/database.ts';
import { parseId } from '../../src/domain/ids.ts';
import { stemsOf } from '../../src/domain/language/stems.ts';
import { archiveMemories } from '../../src/domain/memories/archive.ts';
import type { MemorySelection } from '../../src/domain/memories/memory.ts';
import { candidatesInDatabase, type CandidateReads } from '../../src/domain/retrieval/candidate-reads.ts';
import type { VectorIndex, VectorReads, VectorSearch } from '../../src/domain/search-index/vector-index.ts';
import type { VectorScore } from '../../src/domain/vectors/similarity.ts';
import type { NarrowedAccess } from '../../src/domain/tenancy/access.ts';
import { day, type Person } from '../support/person.ts';
import { nearly } from '../support/nearly.ts';
import { isWanted, startWeaviate, type WeaviateServer } from '../support/weaviate-server.ts';
import { openWorld, startWorld, type World } from '../support/world.ts';

const world = openWorld();
let products: DotProducts;
beforeAll(async () => {
  products = await openDotProducts();
});

/** The stores, and beside them what keeps every owner in memory; `asked` counts how often the stores were. */
async function stores({
  source = (index) => index,
  mostBytes,
}: { source?: (index: VectorSource) => VectorSource; mostBytes?: number } = {}) {
  const index = await openPgvectorIndex(world.deps);
  return keep(world.deps.db, { index, source: memorySourceWithVectors(world.deps.db, source(index)), mostBytes });
}

interface Kept {
  readonly index: VectorIndex;
  readonly source: OwnerSource;
  readonly mostBytes?: number | undefined;
}

function keep(db: Db, { index, source, mostBytes }: Kept) {
  const candidates = candidatesInDatabase(db);
  const asked = { stores: 0 };
  const counting = <Store extends object>(store: Store, names: readonly (keyof Store)[]): Store => {
    const counted = names.map((name) => [
      name,
      (...call: unknown[]) => {
        asked.stores += 1;
        return (store[name] as (...given: unknown[]) => unknown)(...call);
      },
    ]);
    return { ...store, ...Object.fromEntries(counted) };
  };
  const warnings: string[] = [];
  const kept = cacheOwners(
    {
      index: counting<VectorIndex>(index, ['nearest', 'score']),
      candidates: counting<CandidateReads>(candidates, ['documentFrequencies', 'matchWords', 'readCandidates']),
      source,
    },
    { products, warn: (message) => warnings.push(message), ...(mostBytes && { mostBytes }) },
  );
  return { index, candidates, kept, asked, warnings };
}

const accessOf = ({ app }: World, person: Person) => app.narrow(person.access, person.named) as Promise<NarrowedAccess>;

async function vectorOf({ deps }: World, person: Person, text: string): Promise<VectorSearch['vector']> {
  const model = await deps.embedding.serving(person.access);
  const values = new Float32Array(512 + model.space.dimensions).map((_, n) => Math.sin(n * (text.length + 1)));
  return { space: model.space, values };
}

/** The same memories in the same order, with the same scores but for the last bits of a single-precision sum. */
const expectSame = (found: readonly VectorScore[], expected: readonly VectorScore[]) =>
  expect(found).toEqual(nearly(expected));

/** Those that are clearly better than the last: which of several with its score is found within a limit, no store promises. */
const aboveLast = (found: readonly VectorScore[]) => found.filter(({ score }) => score - found.at(-1)!.score > 0.0001);
const byId = <Row extends { memoryId: string } | { id: string }>(rows: readonly Row[]) =>
  rows.toSorted((one, other) => idOf(one).localeCompare(idOf(other)));
const idOf = (row: { memoryId: string } | { id: string }) => ('id' in row ? row.id : row.memoryId);

interface Reads {
  readonly vectors: VectorReads;
  readonly candidates: CandidateReads;
}

const questions = [
  'Where do I live now?',
  'What does Petra like about the bees?',
  'Which boat was painted at the canal?',
];
const filters: MemorySelection[] = [
  {},
  { types: ['episodes'] },
  { types: ['facts', 'preferences'], asOf: day(5) },
  { asOf: day(9) },
];

/** All that finding candidates reads, and all of it equal. Returns how many memories were found, at most. */
async function expectEqual(
  place: World,
  person: Person,
  [one, other]: readonly [Reads, Reads],
  round: number,
): Promise<number> {
  const access = await accessOf(place, person);
  const question = questions[round % questions.length]!;
  let max = 0;
  const vector = await vectorOf(place, person, question);
  const terms = [...new Set(stemsOf(question).map((stem) => access.keys.term(stem)))];
  const frequencies = (reads: Reads) => reads.candidates.documentFrequencies(access, vector.space, terms);
  expect(await frequencies(one)).toEqual(await frequencies(other));

  const idf = new Map(terms.map((term, n) => [term, 1 + n / 3]));
  const words = ({ candidates }: Reads) =>
    candidates.matchWords(access, vector.space, { idf, averageLength: 7.3, k1: 1.2, b: 0.75, limit: 12 });
  const [matched, expected] = [await words(one), await words(other)];
  const places = (matches: typeof matched) =>
    matches.map(({ memoryId, documentId, turn }) => [memoryId, documentId, turn]);
  expect(places(matched)).toEqual(places(expected));
  for (const [n, { bm25 }] of matched.entries()) expect(bm25).toBeCloseTo(expected[n]!.bm25, 12);

  for (const filter of [filters[round % 4]!, filters[(round + 1) % 4]!]) {
    const near = (reads: Reads) => reads.vectors.nearest(access, { ...filter, vector, limit: 9 });
    const found = await near(other);
    expectSame(aboveLast(await near(one)), aboveLast(found));
    const ids = found.map(({ memoryId }) => memoryId);
    const scores = (reads: Reads) => reads.vectors.score(access, vector, ids);
    expectSame(byId(await scores(one)), byId(await scores(other)));
    const selection = { ...filter, ids, expanded: matched.slice(0, 4).map(({ memoryId }) => memoryId), reach: 1 };
    const rows = (reads: Reads) => reads.candidates.readCandidates(access, vector.space, selection);
    const candidates = byId(await rows(other));
    expect(byId(await rows(one))).toEqual(candidates);
    const passages = { ...filter, ids: candidates.map(({ id }) => id) };
    const successors = (reads: Reads) => reads.candidates.findSuccessors(access, vector.space, passages);
    expect(await successors(one)).toEqual(await successors(other));
    max = Math.max(max, candidates.length);
  }
  return max;
}

test('a search in passing, as of a document that is stored, is answered by the cache and begins to keep nobody', async () => {
  const ada = await world.user('ada');
  await ada.says(sayings[0]!, day(1));
  const { kept, asked, index } = await stores();
  const [access, vector] = [await accessOf(world, ada), await vectorOf(world, ada, 'bees')];
  const search = { vector, limit: 9, doesNotFillCache: true };
  const expected = await index.nearest(access, search);
  for (let n = 0; n < 2; n++) {
    expectSame(await kept.vectors.nearest(access, search), expected);
    await kept.settled();
  }
  expect(asked.stores).toBe(2);
  await kept.vectors.nearest(access, { vector, limit: 9 });
  await kept.settled();
  asked.stores = 0;
  expectSame(await kept.vectors.nearest(access, search), expected);
  expect(asked.stores).toBe(0);
});

const sayings = [
  'I live in Leeds. I keep bees on the roof.',
  'I moved to York.',
  'My tram stops at the canal. Petra likes oat milk.',
  'I moved to Ghent last week. Our boat was painted green.',
  'Hm. The bees swarmed again at the canal!',
  '???',
];
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      'says',
      'says',
      'says',
      'says',
      'shares',
      'forgets',
      'unsays',
      'corrects',
      'archives',
      'restores',
      'undoes',
    ),
    one: fc.nat(1_000),
    at: fc.nat(12),
  }),
  { minLength: 8, maxLength: 11 },
);

/** What others do to the memories of a user, and to those that a customer shares, by another process. */
async function take(place: World, person: Person, { kind, one, at }: { kind: string; one: number; at: number }) {
  const { access, named } = person;
  const text = sayings[one % sayings.length]!;
  if (kind === 'says') return person.says(text, day(at));
  if (kind === 'shares') return place.app.submit(access, { ...shared(text, day(at)), customerId: named.customerId });
  const memories = await person.memories();
  const all = memories.filter(({ status }) => (kind === 'restores' ? status === 'archived' : status !== 'archived'));
  const chosen = all[one % Math.max(1, all.length)];
  if (!chosen) return undefined;
  const refused = () => undefined; // such as a memory that nothing replaced
  if (kind === 'corrects')
    return place.app
      .correctMemory(access, chosen.id, { content: sayings[at % sayings.length]!, ...named })
      .catch(refused);
  if (kind === 'forgets') return place.app.forgetMemory(access, chosen.id, { cascade: true, ...named });
  if (kind === 'unsays') return place.app.forgetDocument(access, chosen.evidence[0]!.documentId, named);
  if (kind === 'restores') return place.app.restoreMemory(access, chosen.id, named).catch(refused);
  if (kind === 'undoes') return place.app.undoSupersede(access, chosen.id, named).catch(refused);
  const id = parseId('memory', chosen.id);
  const { ownerNo } = await place.deps.db.memory.findFirstOrThrow({
    where: { id, instanceNumber: access.instanceNumber },
  });
  return archiveMemories(place.deps, access, { ownerNo, ids: [id] });
}

const shared = (document: string, documentCreatedAt: Date) =>
  ({ document, documentCreatedAt, documentType: 'document', mode: 'long-range' }) as const;

test('what is kept in memory answers as the stores do, whatever is done to the memories', async () => {
  expect(await compareWithStores(world, stores)).toMatchObject(mostly);
});

describe.runIf(isWanted)('with vectors in Weaviate', () => {
  let server: WeaviateServer;
  let there: World & { close(): Promise<void> };
  let index: ReturnType<typeof openWeaviateIndex>;
  beforeAll(async () => {
    server = startWeaviate();
    there = await startWorld({}, { variables: server.variables });
    const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = server.variables;
    index = openWeaviateIndex(there.deps.db, { url, grpcUrl, apiKey }, { warn: () => undefined });
  });
  afterAll(async () => {
    await index.close();
    await there.close();
    server.stop();
  });

  // Each search and each write is several calls over the network.
  test('what is kept in memory answers as the stores do, whatever is done', { timeout: 300_000 }, async () => {
    const open = async () =>
      keep(there.deps.db, { index, source: ownerSourceWithExternalVectors(there.deps.db, index) });
    expect(await compareWithStores(there, open)).toMatchObject(mostly);
  });
});

/** From memory, that is, since only what is removed is read anew. */
const mostly = { isMostlyFromMemory: true, hasFoundMuch: true };

/** Fails where an answer from memory is not that of the stores. */
async function compareWithStores(place: World, open: () => Promise<ReturnType<typeof keep>>) {
  const answered = { byStores: 0, fromMemory: 0, found: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const { index, candidates, kept, asked } = await open();
      const ada = await place.user('ada', { customer: 'acme' });
      const bob = await place.user('bob', { access: ada.access, customer: 'acme' });
      await bob.says('Nobody else knows where I live: in Leeds, at the canal.', day(1));
      await ada.says(
        sayings.map((content) => ({ role: 'user', content })),
        day(2),
      );
      for (const [round, step] of story.entries()) {
        await take(place, ada, step);
        await place.settle();
        const before = asked.stores;
        answered.found += await expectEqual(place, ada, [kept, { vectors: index, candidates }], round);
        if (asked.stores === before) answered.fromMemory += 1;
        else answered.byStores += 1;
        await kept.settled();
      }
    }),
    { numRuns: 3, seed: 20_261_122 },
  );
  const { byStores, fromMemory, found } = answered;
  return { ...answered, isMostlyFromMemory: fromMemory > byStores, hasFoundMuch: found > 50 };
}

test('a corrected memory is found by its new words from memory, and no more by its former ones', async () => {
  const { kept, asked } = await stores();
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', day(1));
  const { space } = await vectorOf(world, ada, 'bees');
  const find = async (word: string) => {
    const access = await accessOf(world, ada);
    const idf = new Map(stemsOf(word).map((stem) => [access.keys.term(stem), 1]));
    return kept.candidates.matchWords(access, space, { idf, averageLength: 7, k1: 1.2, b: 0.75, limit: 9 });
  };
  await find('bees');
  await kept.settled();
  for (const { id } of await ada.memories())
    await world.app.correctMemory(ada.access, id, { content: 'I keep herons.', ...ada.named }).catch(() => undefined);
  await world.settle();
  const before = asked.stores;
  expect(await find('bees')).toEqual([]);
  expect(await find('herons')).not.toEqual([]);
  expect(asked.stores).toBe(before);
});

test('a record without a word leaves the words of its owner in memory', async () => {
  const { kept, asked } = await stores();
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', day(1));
  await ada.says('???', day(2), { documentType: 'note', mode: 'verbatim', metadata: { isDone: true } });
  const { space } = await vectorOf(world, ada, 'bees');
  const find = async () => {
    const access = await accessOf(world, ada);
    const idf = new Map(stemsOf('bees').map((stem) => [access.keys.term(stem), 1]));
    return kept.candidates.matchWords(access, space, { idf, averageLength: 7, k1: 1.2, b: 0.75, limit: 9 });
  };
  const expected = await find();
  await kept.settled();
  const before = asked.stores;
  expect((await find()).map(({ memoryId }) => memoryId)).toEqual(expected.map(({ memoryId }) => memoryId));
  expect(asked.stores).toBe(before);
});

test('what another process removed is not answered from memory for long', async () => {
  const { index, kept } = await stores();
  const ada = await world.user('ada');
  for (const pet of ['a heron', 'an otter', 'a lynx'])
    await ada.says(`I own ${pet}.`, new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(world, ada, 'pets'), limit: 100 };
  await kept.vectors.nearest(await accessOf(world, ada), search);
  await kept.settled();
  const { data } = await world.app.memories(ada.access, ada.named, { limit: 100, cursor: undefined });
  const otter = data.find(({ content }) => content.includes('otter'))!;
  await world.app.forgetMemory(ada.access, otter.id, { ...ada.named, cascade: true }); // through another index
  await ada.says('I own a stoat.', new Date('2026-02-02T00:00:00Z'));
  const access = await accessOf(world, ada);
  const found = await kept.vectors.nearest(access, search);
  expectSame(found, await index.nearest(access, search));
});

test('nobody is answered with what is kept of somebody else', async () => {
  const { kept } = await stores();
  const [ada, bob] = [await world.user('ada'), await world.user('bob')];
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  await bob.says('I keep a lynx.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(world, ada, 'animals'), limit: 100 };
  const ownIds = async (person: Person) => {
    const rows = await world.deps.db.memory.findMany({
      where: { instanceNumber: person.access.instanceNumber },
      select: { id: true },
    });
    return rows.map(({ id }) => id).toSorted();
  };
  for (let round = 0; round < 2; round++) {
    for (const person of [ada, bob]) {
      const found = await kept.vectors.nearest(await accessOf(world, person), search);
      expect(found.map(({ memoryId }) => memoryId).toSorted()).toEqual(await ownIds(person));
    }
    await kept.settled();
  }
});

test('when memories cannot be read into memory, the stores answer, and it is not tried at each call', async () => {
  const read = { times: 0 };
  const { kept, warnings } = await stores({
    source: ({ held }) => ({
      held,
      changed: () => {
        read.times += 1;
        return Promise.reject(new Error('no connection'));
      },
    }),
  });
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(world, ada, 'bees'), limit: 100 };
  for (let round = 0; round < 4; round++) {
    expect(await kept.vectors.nearest(await accessOf(world, ada), search)).not.toEqual([]);
    await new Promise(setImmediate);
  }
  expect([read.times, warnings.length]).toEqual([1, 1]);
});

test('an owner with more than there is room for is left to the stores, and not read again and again', async () => {
  const read = { times: 0 };
  const { kept, warnings } = await stores({
    mostBytes: 4_000,
    source: (index) => ({
      held: index.held,
      changed: (...call) => {
        read.times += 1;
        return index.changed(...call);
      },
    }),
  });
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof. I like oat milk.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(world, ada, 'bees'), limit: 100 };
  for (let round = 0; round < 3; round++) {
    expect(await kept.vectors.nearest(await accessOf(world, ada), search)).not.toEqual([]);
    await kept.settled();
    await new Promise(setImmediate);
  }
  expect({ read, warnings }).toEqual({ read: { times: 0 }, warnings: [] });
});

test('what is forgotten is in memory no more as soon as it is', async () => {
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', day(1));
  const { kept, index } = await stores();
  const search = { vector: await vectorOf(world, ada, 'bees'), limit: 100 };
  const access = await accessOf(world, ada);
  const found = await kept.vectors.nearest(access, search);
  await kept.settled();
  const [gone] = found.map(({ memoryId }) => memoryId);
  // The access is that of before, for which the copy was current.
  await transaction(world.deps.db, (tx) => kept.vectors.remove(tx, access, [gone!]));
  expect(await kept.vectors.nearest(access, search)).toEqual(await index.nearest(access, search));
});

test('what is removed from a model that is being built for stays in memory of the one that serves', async () => {
  const { kept, asked } = await stores();
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  const access = await accessOf(world, ada);
  const search = { vector: await vectorOf(world, ada, 'bees'), limit: 100 };
  const found = await kept.vectors.nearest(access, search);
  await kept.settled();
  const ids = found.map(({ memoryId }) => memoryId);
  const another = { ...search.vector.space, model: 'another' };
  await transaction(world.deps.db, (tx) => kept.vectors.remove(tx, access, ids, another));
  const before = asked.stores;
  expectSame(await kept.vectors.nearest(access, search), found);
  expect(asked.stores).toBe(before);
});
