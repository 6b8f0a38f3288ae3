import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../src/domain/context/context.ts';
import { oldVectorsRetentionMs } from '../../../src/domain/memories/reembed.ts';
import { readSpaces } from '../../../src/domain/search-index/space-store.ts';
import { brokenRules } from '../../support/consistency.ts';
import { vectorRecipe } from '../../../src/domain/vectors/vector-recipe.ts';
import { day, Person } from '../../support/person.ts';
import { openProvider, wordVectors, type Asked, type Provider, type Reply } from '../../support/provider.ts';
import { snapshotOf } from '../../support/snapshot.ts';
import { newFolder, startWorld, type World } from '../../support/world.ts';
import { isNearly } from '../../support/nearly.ts';

let [red, blue]: (Provider & AsyncDisposable)[] = [];
const endpoint = (provider: Provider, model: string) => ({ baseUrl: provider.baseUrl, model, timeoutMs: 3_000 });
const embedding = () =>
  new Map([
    ['default', endpoint(red!, 'red')],
    ['blue', endpoint(blue!, 'blue')],
    ['long', { ...endpoint(blue!, 'long') }],
  ]);

beforeAll(async () => {
  [red, blue] = [await openProvider(), await openProvider()];
});
beforeEach(() => {
  red!.embeddings = wordVectors(64, 7);
  blue!.embeddings = (asked) => wordVectors(asked.body.model === 'long' ? 2_000 : 96, 13)(asked);
});
afterAll(async () => {
  await red![Symbol.asyncDispose]();
  await blue![Symbol.asyncDispose]();
});

const talk = [
  { role: 'user', content: 'We painted the boat house green last week.' },
  { role: 'assistant', content: 'Green suits a boat house by the water.' },
  { role: 'user', content: 'Rosalind repaired the harmonium in the chapel.' },
  { role: 'user', content: 'The heron comes to the pond every morning.' },
];
const question = 'Who repaired the harmonium?';

const stateOf = (world: World, person: Person) => world.app.embedding(person.access);
const switched = async (world: World, person: Person, model: string) => {
  await expect.poll(async () => stateOf(world, person), { timeout: 25_000 }).toEqual({ model, reembedding: null });
};
const vectorsBy = async (world: World, person: Person): Promise<Record<string, number>> => {
  const rows = await world.deps.db.$queryRawUnsafe<{ model: string; count: number }[]>(
    `SELECT model || CASE WHEN is_complete THEN '' ELSE ' without meaning' END AS model, count(*)::int AS count
     FROM memory_vector WHERE i = $1 GROUP BY 1`,
    person.access.instanceNumber,
  );
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
};
/** The store without the vectors of other spaces than the one in use. */
const servedOf = async (world: World, person: Person) => {
  const { vectors, ...rest } = await snapshotOf(world.deps, person);
  const { serving } = (await readSpaces(world.deps.db, person.access))!;
  return { ...rest, vectors: vectors.filter(([, , , model]) => String(model).startsWith(`${serving.model}:`)) };
};
/** Answers no embedding before `open` is called. */
function gate(answer: (asked: Asked) => Reply | Promise<Reply>) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, answer: (asked: Asked) => opened.then(() => answer(asked)) };
}
const letGo = async (world: World) => {
  await world.deps.db.job.updateMany({ data: { runAt: new Date(), lockedUntil: null } });
};

describe('one service', () => {
  let world: World & { close(): Promise<void> };
  let later = 0;
  let ada: Person;
  beforeAll(async () => {
    const now = () => new Date(Date.now() + later);
    world = await startWorld({ now }, { providers: { embedding: embedding() } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    later = 0;
    ada = await world.user('ada');
  });
  afterEach(async () => expect(await brokenRules(world.deps, ada.access)).toEqual({}));

  const choose = (model: string, person = ada) =>
    world.app.setProviders(world.asAdmin(person.access), { embedding: model });

  test('an endpoint embeds memories and questions, and its tokens are counted', async () => {
    await ada.says(talk);
    expect(await ada.recalls(question, { mode: 'fast' })).toContain('Rosalind repaired the harmonium in the chapel.');
    expect(await stateOf(world, ada)).toEqual({ model: 'red', reembedding: null });
    await world.deps.metering.flush(new Date());
    const usage = await world.deps.db.tokenUsage.findMany({
      where: { instanceNumber: ada.access.instanceNumber },
      orderBy: { purpose: 'asc' },
    });
    expect(usage.map(({ purpose }) => purpose)).toEqual(['indexing', 'search']);
    for (const { tokensIn } of usage) expect(Number(tokensIn)).toBeGreaterThan(0);
  });

  test.each([{ model: 'blue' }, { model: 'shipped' }, { model: 'long' }, { model: 'none' }])(
    'changed to $model, the store equals one that was made with it',
    async ({ model }) => {
      const bob = await world.user('ada', { access: ada.access, customer: 'of the first model' });
      const fresh = await world.user('ada', { access: ada.access, customer: 'of the second' });
      await bob.says(talk, day(1));
      await bob.says('I live in Ghent.', day(2));
      await bob.says('I live in Turku, by the water.', day(3));
      await choose(model);
      const name = model === 'shipped' ? 'all-minilm-l6-v2-int8-2' : model;
      await switched(world, ada, name);
      await fresh.says(talk, day(1));
      await fresh.says('I live in Ghent.', day(2));
      await fresh.says('I live in Turku, by the water.', day(3));
      const vectorsOf = async (customer: string) => {
        const owner = await world.deps.db.owner.findFirstOrThrow({
          where: { instanceNumber: ada.access.instanceNumber, customerId: customer, scope: 'USER' },
        });
        const rows = await world.deps.db.$queryRawUnsafe<
          { model: string; embedding: string; content: Uint8Array; id: string }[]
        >(
          `SELECT v.model, coalesce(v.embedding, v.long_embedding)::text AS embedding, v.type, m.content, m.id
           FROM memory_vector v JOIN memory m ON m.i = v.i AND m.id = v.memory_id
           WHERE v.i = $1 AND v.owner_no = $2 AND v.model LIKE $3 || ':%'`,
          ada.access.instanceNumber,
          owner.ownerNo,
          name,
        );
        return rows
          .map(({ content, id, ...row }) => ({ ...row, text: ada.access.keys.open('memory.content', id, content) }))
          .toSorted((one, other) =>
            JSON.stringify([one.text, one.embedding]).localeCompare(JSON.stringify([other.text, other.embedding])),
          );
      };
      const [changed, made] = [await vectorsOf('of the first model'), await vectorsOf('of the second')];
      expect(changed.length).toBeGreaterThan(5);
      expect(changed).toEqual(made);
    },
  );

  test('the old vectors stay for searches under way, and go when none can be', async () => {
    await ada.says(talk);
    await choose('blue');
    await switched(world, ada, 'blue');
    const names = async () => Object.keys(await vectorsBy(world, ada)).map((name) => name.split(':')[0]);
    expect((await names()).toSorted()).toEqual(['blue', 'red']);
    later = oldVectorsRetentionMs + 1_000;
    await expect.poll(async () => (await letGo(world), names()), { timeout: 45_000, interval: 500 }).toEqual(['blue']);
    await world.settle();
  });

  test('every answer comes from one model, and none is missing, before, during and after the change', async () => {
    await ada.says(talk);
    const crates = Array.from({ length: 200 }, (_, n) => `Crate ${n} of that harvest went to cellar ${n % 7}.`);
    await ada.says(
      crates.map((content) => ({ role: 'user', content })),
      day(2),
    );
    const ask = () => ada.fetches(question, { mode: 'fast', maxResults: 3 });
    // Without their contents: which of many crates that are equally near comes first is nobody's promise.
    const score = ({ memories }: Context) => memories.map(({ score: value }) => value);
    const before = score(await ask());
    const rest = gate(wordVectors(96, 13));
    let asked = 0;
    // Two are answered at once and complete the first memories; the rest wait until the progress was seen.
    blue!.embeddings = (each) => (++asked > 2 ? rest.answer(each) : wordVectors(96, 13)(each));
    await choose('blue');
    const seen: ReturnType<typeof score>[] = [];
    let progress = 0;
    const until = performance.now() + 25_000;
    while (performance.now() < until) {
      seen.push(score(await ask()));
      const { model, reembedding } = await stateOf(world, ada);
      if (reembedding) {
        expect(reembedding).toMatchObject({ model: 'blue', total: expect.any(Number) });
        expect(reembedding.done).toBeGreaterThanOrEqual(progress);
        progress = reembedding.done;
        if (progress > 0) rest.open();
      }
      if (model === 'blue') break;
    }
    const after = score(await ask());
    expect(progress).toBeGreaterThan(0);
    expect(isNearly(after, before)).toBe(false);
    expect(seen.filter((each) => !isNearly(each, before) && !isNearly(each, after))).toEqual([]);
    expect((await ask()).memories[0]!.content).toContain('harmonium');
  });

  test('what is said, replaced and forgotten meanwhile is as if the new model had always been there', async () => {
    const meanwhile = async (person: Person) => {
      await person.says('I live in Turku.', day(5), { documentId: 'turku' });
      await person.says(talk.toReversed(), day(6));
      const heron = (await person.memories()).find(({ content }) => content.startsWith('The heron'))!;
      await world.app.forgetMemory(person.access, heron.id, { cascade: true });
      await world.app.forgetDocument(person.access, 'painted', {});
    };
    const begin = async (person: Person) => {
      await person.says([{ role: 'user', content: 'I live in Ghent.' }, ...talk], day(1));
      await person.says(
        ['one', 'two', 'three'].map((word) => ({ role: 'user', content: `The ${word} oars were painted.` })),
        day(2),
        {
          documentId: 'painted',
        },
      );
    };
    await begin(ada);
    const slow = gate(wordVectors(96, 13));
    // Held from the first batch on: a new model that is quick would be done before anybody looks.
    blue!.embeddings = (asked) => (asked.body.input.length > 1 ? slow.answer(asked) : wordVectors(96, 13)(asked));
    await choose('blue');
    await expect.poll(async () => (await stateOf(world, ada)).reembedding?.model, { timeout: 25_000 }).toBe('blue');
    await meanwhile(ada);
    slow.open();
    await switched(world, ada, 'blue');
    // Made anew from what is stored now, twice, the vectors are the same.
    const first = await servedOf(world, ada);
    later = oldVectorsRetentionMs + 1_000;
    await letGo(world);
    await choose('default');
    await expect
      .poll(async () => (await letGo(world), (await stateOf(world, ada)).model), { timeout: 25_000 })
      .toBe('red');
    later = 2 * oldVectorsRetentionMs + 2_000;
    await choose('blue');
    await expect
      .poll(async () => (await letGo(world), (await stateOf(world, ada)).model), { timeout: 25_000 })
      .toBe('blue');
    expect(await servedOf(world, ada)).toEqual(first);
  });

  test('while the model is down, documents and forgetting go on; what was without meaning gets it', async () => {
    await ada.says(talk, day(1));
    red!.embeddings = () => ({ status: 500, body: 'down' });
    const { warnings, status } = await ada.says('The organ pipes came from Lindau.', day(2));
    expect({ status, warnings }).toEqual({ status: 'completed', warnings: [expect.stringMatching(/embedding model/)] });
    const fetched = await ada.fetches('Where did the organ pipes come from?');
    expect(fetched.warnings).toEqual(['the embedding model is unavailable: memories are found by their words alone']);
    expect(fetched.memories.map(({ content }) => content)).toContain('The organ pipes came from Lindau.');
    const fast = await ada.recalls('Where did the organ pipes come from?', { mode: 'fast', maxResults: 3 });
    expect(fast).toContain('The organ pipes came from Lindau.');
    const boat = (await ada.memories()).find(({ content }) => content.includes('by the water'))!;
    await world.app.forgetMemory(ada.access, boat.id, { cascade: true });
    expect(Object.keys(await vectorsBy(world, ada))).toContainEqual(expect.stringMatching(/red.*without meaning/));
    red!.embeddings = wordVectors(64, 7);
    await expect
      .poll(async () => (await letGo(world), Object.keys(await vectorsBy(world, ada))), {
        timeout: 45_000,
        interval: 500,
      })
      .toEqual([`red:64/${vectorRecipe.version}`]);
    expect((await ada.fetches('Where did the organ pipes come from?')).warnings).toEqual([]);
  });

  test('a first document while the model is down is found by its words, and re-embedded when it is there', async () => {
    await red!.stop();
    const down = await startWorld({}, { providers: { embedding: embedding() } });
    try {
      const eve = await down.user('eve');
      expect((await eve.says(talk)).warnings).toEqual([expect.stringMatching(/embedding model/)]);
      expect(await eve.recalls(question, { mode: 'fast' })).toContain('Rosalind repaired the harmonium in the chapel.');
      expect(await stateOf(down, eve)).toEqual({ model: 'none', reembedding: null });
      await red!.listen();
      await expect
        .poll(async () => (await letGo(down), stateOf(down, eve)), { timeout: 25_000, interval: 500 })
        .toEqual({ model: 'red', reembedding: null });
      expect((await eve.fetches(question)).warnings).toEqual([]);
    } finally {
      await red!.listen().catch(() => undefined);
      await down.close();
    }
  });
});

test('a data folder of another model is re-embedded by itself, also after it was stopped midway, and searched meanwhile', async () => {
  const folder = newFolder();
  const memories = 150;
  try {
    const first = await startWorld({}, { folder });
    const { access, key } = await first.instance();
    const ada = await first.user('ada', { access });
    await ada.says(talk);
    await ada.says(
      Array.from({ length: memories }, (_, n) => ({
        role: 'user',
        content: `Crate ${n} of the harvest went to cellar ${n * 7}.`,
      })),
      day(2),
      { mode: 'fast' },
    );
    // A folder of an earlier version of the package.
    for (const [table, column] of [
      ['memory_vector', 'model'],
      ['vector_space', 'serving'],
    ])
      await first.deps.db.$executeRawUnsafe(`UPDATE ${table} SET ${column} = replace(${column}, 'int8-2', 'int8-1')`);
    await first.close();

    const embeddings = new Map([['default', endpoint(red!, 'red')]]);
    const open = async (): Promise<{ world: World & { close(): Promise<void> }; ada: Person }> => {
      const world = await startWorld({}, { folder, providers: { embedding: embeddings } });
      const caller = await world.app.authenticate(`Bearer ${key}`);
      if (caller.kind !== 'instance') throw new Error('a key opens an instance');
      return { world, ada: new Person(world, caller.access, { userId: 'ada' }) };
    };
    await red!.stop();
    const away = await open();
    expect((await away.ada.fetches(question)).warnings).toEqual([]);
    expect((await away.ada.says('The mill burned down.', day(3))).warnings).toEqual([]);
    expect((await stateOf(away.world, away.ada)).model).toBe('all-minilm-l6-v2-int8-1');
    await away.world.close();

    await red!.listen();
    let texts = 0;
    const held = gate(wordVectors(64, 7));
    red!.embeddings = (asked) =>
      (texts += asked.body.input.length) > 100 ? held.answer(asked) : wordVectors(64, 7)(asked);
    const second = await open();
    await expect
      .poll(async () => (await stateOf(second.world, second.ada)).reembedding?.done ?? 0, { timeout: 45_000 })
      .toBeGreaterThan(30);
    expect(await second.ada.recalls(question)).toContain('Rosalind repaired the harmonium in the chapel.');
    const closing = second.world.close();
    held.open();
    await closing;

    red!.embeddings = wordVectors(64, 7);
    red!.asked.length = 0;
    const third = await open();
    const { reembedding } = await stateOf(third.world, third.ada);
    expect(reembedding?.done).toBeGreaterThan(30);
    await switched(third.world, third.ada, 'red');
    const asked = red!.asked.flatMap(({ body }) => body.input as string[]).filter((text) => text.startsWith('Crate'));
    expect(asked.length).toBeLessThan(memories);
    expect(await third.ada.recalls(question, { mode: 'fast' })).toContain(
      'Rosalind repaired the harmonium in the chapel.',
    );
    expect(await brokenRules(third.world.deps, third.ada.access)).toEqual({});
    await third.world.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 90_000);
