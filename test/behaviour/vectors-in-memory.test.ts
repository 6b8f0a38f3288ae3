import { beforeAll, expect, test } from 'vitest';
import { openDotProducts, type DotProducts } from '../../src/adapters/working-set/dot-products.ts';
import { keepHot } from '../../src/adapters/working-set/working-set.ts';
import { openPgvectorIndex } from '../../src/adapters/pgvector/pgvector-index.ts';
import type { VectorIndex, VectorScore, VectorSearch } from '../../src/domain/search-index/vector-index.ts';
import type { OwnedAccess } from '../../src/domain/tenancy/access.ts';
import type { Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
let products: DotProducts;
beforeAll(async () => {
  products = await openDotProducts();
});

/** The index, and beside it one that keeps every owner's vectors in memory; `read` counts how often it was asked. */
async function indexes() {
  const index = await openPgvectorIndex(world.d);
  const asked = { index: 0 };
  const counted: VectorIndex = {
    ...index,
    nearest: (...call) => {
      asked.index += 1;
      return index.nearest(...call);
    },
  };
  const warnings: string[] = [];
  const hot = keepHot(counted, index, { products, warn: (message) => warnings.push(message), leastMemories: 1 });
  return { index, hot, asked, warnings };
}

const accessOf = (person: Person) => world.app.narrow(person.access, person.named) as Promise<OwnedAccess>;

async function vectorOf(person: Person, text: string): Promise<VectorSearch['vector']> {
  const model = await world.d.embedding.serving(person.access);
  const values = new Float32Array(512 + model.space.dimensions).map((_, n) => Math.sin(n * (text.length + 1)));
  return { space: model.space, values };
}

/** The same memories in the same order, with the same scores but for the last bits of a single-precision sum. */
function expectSame(found: readonly VectorScore[], expected: readonly VectorScore[]) {
  expect(found.map(({ memoryId }) => memoryId)).toEqual(expected.map(({ memoryId }) => memoryId));
  for (const [n, { score, cosine }] of found.entries()) {
    expect(score).toBeCloseTo(expected[n]!.score, 3);
    expect(cosine).toBeCloseTo(expected[n]!.cosine, 3);
  }
}
const byId = (found: readonly VectorScore[]) =>
  found.toSorted((one, other) => one.memoryId.localeCompare(other.memoryId));

test('what is kept in memory answers as the index does, whatever happens to the memories', async () => {
  const { index, hot, asked } = await indexes();
  const ada = await world.user('ada');
  const agrees = async () => {
    const access = await accessOf(ada);
    for (const text of ['where', 'what does she like', 'a long question about bees']) {
      const vector = await vectorOf(ada, text);
      const searches = [
        { vector, limit: 5 },
        { vector, limit: 100 },
        { vector, limit: 3, types: ['episodes' as const] },
        { vector, limit: 100, asOf: new Date('2026-02-15T00:00:00Z') },
      ];
      for (const search of searches) {
        const [expected, found] = [await index.nearest(access, search), await hot.nearest(access, search)];
        expectSame(found, expected);
        const ids = expected.map(({ memoryId }) => memoryId);
        const scores = await hot.score(access, vector, ids);
        expectSame(byId(scores), byId(expected));
      }
    }
  };
  await ada.says('I live in Leeds. I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  await agrees(); // the first time it only begins to read
  await hot.settled();
  const before = asked.index;
  await agrees();
  expect(asked.index).toBe(before);

  await ada.says('My tram stops at the canal. I like oat milk.', new Date('2026-02-10T00:00:00Z'));
  await agrees();
  await ada.says('I moved to York.', new Date('2026-03-01T00:00:00Z')); // supersedes
  await agrees();
  expect(asked.index).toBe(before);

  const { data } = await world.app.memories(ada.access, ada.named, { limit: 100, cursor: undefined });
  await world.app.forgetMemory(ada.access, data.find(({ content }) => content.includes('oat milk'))!.id, {
    ...ada.named,
    cascade: true,
  });
  await agrees();
  await hot.settled();
  await agrees();
  expect(data.length).toBeGreaterThan(5);
});

test('what another process removed is not answered from memory for long', async () => {
  const { index, hot } = await indexes();
  const ada = await world.user('ada');
  for (const pet of ['a heron', 'an otter', 'a lynx'])
    await ada.says(`I own ${pet}.`, new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(ada, 'pets'), limit: 100 };
  await hot.nearest(await accessOf(ada), search);
  await hot.settled();
  const { data } = await world.app.memories(ada.access, ada.named, { limit: 100, cursor: undefined });
  const otter = data.find(({ content }) => content.includes('otter'))!;
  await world.app.forgetMemory(ada.access, otter.id, { ...ada.named, cascade: true }); // through another index
  await ada.says('I own a stoat.', new Date('2026-02-02T00:00:00Z'));
  const access = await accessOf(ada);
  const found = await hot.nearest(access, search);
  expectSame(found, await index.nearest(access, search));
});

test('nobody is answered with what is kept of somebody else', async () => {
  const { hot } = await indexes();
  const [ada, bob] = [await world.user('ada'), await world.user('bob')];
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  await bob.says('I keep a lynx.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(ada, 'animals'), limit: 100 };
  const ownIds = async (person: Person) => {
    const rows = await world.d.db.memory.findMany({ where: { i: person.access.i }, select: { id: true } });
    return rows.map(({ id }) => id).toSorted();
  };
  for (let round = 0; round < 2; round++) {
    for (const person of [ada, bob]) {
      const found = await hot.nearest(await accessOf(person), search);
      expect(found.map(({ memoryId }) => memoryId).toSorted()).toEqual(await ownIds(person));
    }
    await hot.settled();
  }
});

test('when vectors cannot be read, the index answers', async () => {
  const { index, warnings } = await indexes();
  const broken = { held: index.held, changed: () => Promise.reject(new Error('no connection')) };
  const hot = keepHot(index, broken, { products, warn: (message) => warnings.push(message), leastMemories: 1 });
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(ada, 'bees'), limit: 100 };
  for (let round = 0; round < 2; round++) {
    expect(await hot.nearest(await accessOf(ada), search)).not.toEqual([]);
    await new Promise(setImmediate);
  }
  expect(warnings).not.toEqual([]);
});

test('an owner with more than there is room for is left to the index, and not read again and again', async () => {
  const { index, warnings } = await indexes();
  const asked = { source: 0 };
  const counted = {
    held: index.held,
    changed: (...call: Parameters<typeof index.changed>) => {
      asked.source += 1;
      return index.changed(...call);
    },
  };
  const warn = (message: string) => warnings.push(message);
  const hot = keepHot(index, counted, { products, warn, leastMemories: 1, mostBytes: 4_000 });
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof. I like oat milk.', new Date('2026-02-01T00:00:00Z'));
  const search = { vector: await vectorOf(ada, 'bees'), limit: 100 };
  for (let round = 0; round < 3; round++) {
    expect(await hot.nearest(await accessOf(ada), search)).not.toEqual([]);
    await hot.settled();
    await new Promise(setImmediate);
  }
  expect({ asked, warnings }).toEqual({ asked: { source: 0 }, warnings: [] });
});

test('what is removed from a model that is being built for stays in memory of the one that serves', async () => {
  const { hot, asked } = await indexes();
  const ada = await world.user('ada');
  await ada.says('I keep bees on the roof.', new Date('2026-02-01T00:00:00Z'));
  const access = await accessOf(ada);
  const search = { vector: await vectorOf(ada, 'bees'), limit: 100 };
  const found = await hot.nearest(access, search);
  await hot.settled();
  const ids = found.map(({ memoryId }) => memoryId);
  await hot.remove(world.d.db, access, ids, { ...search.vector.space, model: 'another' });
  const before = asked.index;
  expectSame(await hot.nearest(access, search), found);
  expect(asked.index).toBe(before);
});
