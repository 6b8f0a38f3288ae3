import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../../../src/db/database.ts';
import { requirePurgeReceipt, removePurgedData } from '../../../src/domain/administration/purge-instance.ts';
import { newUuid, parseId } from '../../../src/domain/ids.ts';
import { repairVectorIndexOf } from '../../../src/domain/memories/repair-vectors.ts';
import { filterStale } from '../../../src/domain/search-index/stale-vector-store.ts';
import { readSpaces } from '../../../src/domain/search-index/space-store.ts';
import type { Receipt } from '../../../src/domain/erasure/receipt.ts';
import { day, type Person } from '../../support/person.ts';
import { openProvider, wordVectors, type Provider } from '../../support/provider.ts';
import { isWanted, startWeaviate, type WeaviateServer } from '../../support/weaviate-server.ts';
import { startWorld, type World } from '../../support/world.ts';

const talk = [
  { role: 'user', content: 'Rosalind repaired the harmonium in the chapel.' },
  { role: 'user', content: 'The heron comes to the pond every morning.' },
  { role: 'user', content: 'We painted the boat house green.' },
];
const question = 'Who repaired the harmonium?';
const answer = talk[0]!.content;

describe.runIf(isWanted)('with vectors in Weaviate', () => {
  let server: WeaviateServer;
  let blue: Provider & AsyncDisposable;
  let world: World & { close(): Promise<void> };
  let later = 0;
  let ada: Person;
  beforeAll(async () => {
    server = startWeaviate();
    blue = await openProvider();
    blue.embeddings = wordVectors(96, 13);
    const embedding = new Map([['blue', { baseUrl: blue.baseUrl, model: 'blue', timeoutMs: 3_000 }]]);
    const now = () => new Date(Date.now() + later);
    world = await startWorld({ now }, { providers: { embedding }, variables: server.variables });
  });
  afterAll(async () => {
    await world.close();
    await blue[Symbol.asyncDispose]();
    server.stop();
  });
  beforeEach(async () => {
    later = 0;
    ada = await world.user('ada');
  });

  /** Compares index and rows, and mends. */
  const repair = () =>
    repairVectorIndexOf(world.deps, ada.access, { signal: AbortSignal.timeout(20_000), progress: () => undefined });
  const spaceOf = async () => (await readSpaces(world.deps.db, ada.access))!.serving;
  const uuids = async () => (await ada.memories()).map(({ id }) => parseId('memory', id));
  const none = { lacking: 0, orphaned: 0, differing: 0 };
  /** What a comparison says when there is a vector for each memory, and nothing else. */
  const equal = async () => {
    const count = (await ada.memories()).length;
    return { memories: count, vectors: count, ...none };
  };
  /** The instances of which Weaviate holds anything. */
  const tenants = async () => {
    const { WEAVIATE_URL: url, WEAVIATE_API_KEY: key } = server.variables;
    const { classes } = await ask(url, key, '/v1/schema');
    const each = classes.map(({ class: name }: { class: string }) => ask(url, key, `/v1/schema/${name}/tenants`));
    return ((await Promise.all(each)) as { name: string }[][]).flat().map(({ name }) => name);
  };
  const forget = async (content: string) => {
    const memory = (await ada.memories()).find((each) => each.content === content)!;
    return world.app.forgetMemory(ada.access, memory.id, { ...ada.named, cascade: true });
  };
  /** Jobs that wait for a time run now. */
  const letGo = () => world.deps.db.job.updateMany({ data: { runAt: new Date(), lockedUntil: null } });
  const ended = async (receipt: Receipt) => {
    const read = () => world.app.receipt(ada.access, receipt.id);
    await expect.poll(async () => (await read()).pending, { timeout: 30_000, interval: 250 }).toEqual([]);
    return read();
  };

  test('what is said is recalled in both modes, by its own user alone', async () => {
    const eve = await world.user('eve', { access: ada.access });
    const stranger = await world.user('ada');
    await ada.says(talk);
    for (const mode of ['fast', 'accurate'] as const) {
      const context = await ada.fetches(question, { mode });
      expect(context.memories[0]!.content).toBe(answer);
      expect(context.warnings).toEqual([]);
      expect(await eve.recalls(question, { mode })).toEqual([]);
      expect(await stranger.recalls(question, { mode })).toEqual([]);
    }
    expect(await repair()).toEqual(await equal());
  });

  test('Weaviate holds numbers and our own words: nothing that anybody said, and nobody’s id', async () => {
    await ada.says(talk);
    const { WEAVIATE_URL: url, WEAVIATE_API_KEY: key } = server.variables;
    const space = await spaceOf();
    const collections = await ask(url, key, '/v1/schema');
    const { class: name } = collections.classes.find((each: { description: string }) =>
      each.description.startsWith(`${space.model}:`),
    );
    const { objects } = await ask(url, key, `/v1/objects?class=${name}&tenant=${ada.access.instance}&include=vector`);
    expect(objects).toHaveLength((await ada.memories()).length);
    for (const { properties } of objects) {
      expect(properties).toEqual({
        owner: expect.any(Number),
        type: expect.stringMatching(/^(episodes|facts)$/),
        from: day(1).getTime(),
        until: 8.64e15,
        complete: true,
      });
    }
  });

  test('a later statement takes the place of an earlier one, now and at any time', async () => {
    await ada.says('I live in Ghent.', day(1));
    await ada.says('I live in Turku.', day(5));
    const fast = { mode: 'fast' as const, minRelevance: 0 }; // how relevant it is depends on the keys of an instance
    expect(await ada.recalls('Where does Ada live?', fast)).not.toContain('I live in Ghent');
    expect(await ada.recalls('Where does Ada live?', { ...fast, asOf: day(3) })).not.toContain('I live in Turku');
    const ghent = (await ada.memories()).find(({ status }) => status === 'superseded');
    await world.app.undoSupersede(ada.access, ghent!.id, ada.named);
    expect(await ada.recalls('Where does Ada live?', fast)).toContain('I live in Ghent.');
    expect(await repair()).toEqual(await equal());
  });

  test('what the index still takes for current is not shown once its row says otherwise', async () => {
    await ada.says('I live in Ghent.', day(1));
    await ada.says('I live in Turku.', day(5));
    const superseded = (await ada.memories()).filter(({ status }) => status === 'superseded');
    const ids = superseded.map(({ id }) => parseId('memory', id));
    expect(ids.length).toBeGreaterThan(0);
    await outOfTime(ids);
    const shown = (await ada.fetches('Where does Ada live?', { mode: 'fast' })).memories;
    expect(shown.filter(({ status }) => status !== 'active')).toEqual([]);
    expect(await repair()).toEqual({ ...(await equal()), differing: ids.length });
    expect(await repair()).toEqual(await equal());
  });

  test('what is forgotten leaves no vector, and the receipt says so', async () => {
    await ada.says(talk);
    const ids = await uuids();
    const receipt = await forget(answer);
    const went = receipt.memoryIds.length;
    expect(receipt).toMatchObject({ pending: [], removed: { vectors: went }, remaining: { rows: 0, vectors: 0 } });
    expect(await world.deps.vectors.count(ada.access, ids)).toBe(ids.length - went);
    const all = await world.app.forgetOwner(ada.access, ada.named);
    expect(all).toMatchObject({ pending: [], removed: { vectors: ids.length - went }, remaining: { vectors: 0 } });
    expect(await world.deps.vectors.size(ada.access, await spaceOf())).toBe(0);
  });

  test('another model takes over without a pause, and the vectors of the one before go', async () => {
    await ada.says(talk);
    const before = await spaceOf();
    await world.app.setProviders(world.asAdmin(ada.access), { embedding: 'blue' });
    const state = () => world.app.embedding(ada.access);
    do {
      expect(await ada.recalls(question, { mode: 'fast' })).toContain(answer);
    } while ((await state()).model !== 'blue');
    await ada.says('The tram stops at the canal.', day(2));
    expect(await ada.recalls('Where does the tram stop?', { mode: 'fast' })).toContain('The tram stops at the canal.');
    expect(await repair()).toEqual(await equal());
    later = 61_000;
    await letGo();
    await expect.poll(() => world.deps.vectors.size(ada.access, before), { timeout: 20_000 }).toBe(0);
  });

  test('a purge while it is written to and read leaves nothing of an instance, and its neighbour all', async () => {
    const eve = await world.user('eve');
    const over = new AbortController();
    const faults: unknown[] = [];
    let rounds = 0;
    /** Also with an access that was granted before the purge, as that of a call under way. */
    const go = async (who: Person, failed: (error: unknown) => void) => {
      for (let n = 0; !over.signal.aborted; n++) {
        await who.says(`Parcel ${n} went to Ulverston with Rosalind.`).catch(failed);
        await who.fetches('Which parcels went to Ulverston?').catch(failed);
        rounds += 1;
      }
    };
    await Promise.all([ada.says(talk), eve.says(talk)]);
    const going = [go(ada, () => undefined), go(eve, (error) => faults.push(error))];
    await expect.poll(() => rounds, { timeout: 30_000 }).toBeGreaterThan(4);
    expect(await tenants()).toEqual(expect.arrayContaining([ada.access.instance, eve.access.instance]));
    const id = ada.access.instance;
    await world.app.administration.changeInstanceState(world.admin, { id, event: 'archive' });
    await world.app.administration.purgeInstance(world.admin, id);
    const then = rounds;
    await expect.poll(() => rounds, { timeout: 30_000 }).toBeGreaterThan(then + 4);
    over.abort();
    await Promise.all(going);
    const [never, quiet] = [new AbortController().signal, 0];
    while ((await removePurgedData(world.deps, ada.access.instanceNumber, { signal: never, quiet })) !== null);

    const { completedAt, remaining } = await requirePurgeReceipt(world.deps.db, id);
    expect(completedAt).not.toBeNull();
    expect(Object.values(remaining).filter((count) => count !== 0)).toEqual([]);
    expect(await tenants()).not.toContain(id);
    expect(faults).toEqual([]);
    const spare = { signal: AbortSignal.timeout(20_000), progress: () => undefined };
    const { memories, vectors, ...differences } = await repairVectorIndexOf(world.deps, eve.access, spare);
    expect([vectors, differences]).toEqual([memories, none]);
    expect(await eve.recalls(question)).toContain(answer);
  });

  test('an outage loses nothing: documents wait, words still find, what was forgotten goes later', async () => {
    await ada.says(talk);
    const ids = await uuids();
    await server.kill();
    await expect(ada.fetches(question, { mode: 'fast' })).rejects.toMatchObject({ code: 'unavailable' });
    const context = await ada.fetches(question);
    expect(context.memories[0]!.content).toBe(answer);
    expect(context.warnings).toEqual([expect.stringMatching(/vector index is unavailable/)]);

    const said = ada.says('The tram stops at the canal.', day(2));
    const receipt = await forget(answer);
    expect(receipt).toMatchObject({ pending: ['vectors'], removed: { rows: expect.any(Number) } });
    const went = receipt.memoryIds.length;
    expect(receipt.remaining.vectors).toBe(went);
    expect((await ada.memories()).map(({ content }) => content)).not.toContain(answer);

    server.restart();
    expect(await said).toMatchObject({ status: 'completed', warnings: [] });
    expect(await ended(receipt)).toMatchObject({ removed: { vectors: went }, remaining: { vectors: 0 } });
    await expect
      .poll(() => ada.recalls('Where does the tram stop?', { mode: 'fast' }), { timeout: 20_000 })
      .toContain('The tram stops at the canal.');
    expect(await world.deps.vectors.count(ada.access, ids)).toBe(ids.length - went);
    // What stood beside it held a little of it, and is embedded anew.
    await expect.poll(repair, { timeout: 20_000 }).toEqual(await equal());
  });

  test('a server that hangs is not waited for, and what it was given is there once', async () => {
    await ada.says(talk);
    server.freeze();
    await expect(ada.fetches(question, { mode: 'fast' })).rejects.toMatchObject({ code: 'unavailable' });
    const said = ada.says('The tram stops at the canal.', day(2));
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.thaw();
    expect(await said).toMatchObject({ status: 'completed' });
    expect(await ada.recalls('Where does the tram stop?', { mode: 'fast' })).toContain('The tram stops at the canal.');
    expect(await repair()).toEqual(await equal());
  });

  test('a difference is counted in both directions, and mended', async () => {
    await ada.says(talk);
    const [lost] = await uuids();
    const orphan = await leftBehind();
    await world.deps.db.staleVector.deleteMany({ where: { instanceNumber: ada.access.instanceNumber } }); // as if nobody had written it down
    const { index, space } = { index: world.deps.vectors, space: await spaceOf() };
    await gone(lost!);
    expect(await repair()).toEqual({ ...(await equal()), lacking: 1, orphaned: 1 });
    expect(await index.count(ada.access, [orphan])).toBe(0);
    await expect.poll(() => index.findMissing(ada.access, space, [lost!]), { timeout: 20_000 }).toEqual([]);
    expect(await repair()).toEqual(await equal());
  });

  test('an index that lost everything is made anew from the rows', async () => {
    await ada.says(talk);
    await world.deps.vectors.dropInstance(ada.access);
    expect(await ada.recalls(question, { mode: 'fast' })).toEqual([]);
    const { memories } = await equal();
    expect(await repair()).toEqual({ ...none, memories, vectors: 0, lacking: memories });
    await expect.poll(() => ada.recalls(question, { mode: 'fast' }), { timeout: 20_000 }).toContain(answer);
    expect(await repair()).toEqual(await equal());
  });

  test('vectors of a process that died before it committed their rows go when their time is over', async () => {
    await ada.says(talk);
    const orphan = await leftBehind();
    expect(await repair()).toMatchObject(none); // not yet: its rows may still come
    await world.deps.db.staleVector.updateMany({
      where: { instanceNumber: ada.access.instanceNumber },
      data: { dueAt: new Date() },
    });
    await world.deps.vectors.applyAllPending(ada.access);
    expect(await world.deps.vectors.count(ada.access, [orphan])).toBe(0);
    expect(await filterStale(world.deps.db, ada.access, [orphan])).toEqual(new Set());
  });

  test('of two that prepare the same memory only the later may commit', async () => {
    await ada.says(talk);
    const { vectors, space } = { vectors: [await aVector()], space: await spaceOf() };
    const first = await world.deps.vectors.prepare(ada.access, { space, vectors });
    const second = await world.deps.vectors.prepare(ada.access, { space, vectors });
    const put = (prepared: typeof first) =>
      transaction(world.deps.db, (tx) => world.deps.vectors.put(tx, ada.access, prepared));
    expect(await put(first)).toBe(false);
    expect(await put(second)).toBe(true);
  });

  /** A vector like those that are there, of a memory that is not. */
  async function aVector() {
    const space = await spaceOf();
    const owner = await world.deps.db.owner.findFirstOrThrow({
      where: { instanceNumber: ada.access.instanceNumber, userId: 'ada' },
    });
    const values = new Float32Array(512 + space.dimensions).map((_, n) => Math.sin(n + 1) / 20);
    const validity = { from: day(1), until: null };
    const type = 'facts' as const;
    return { memoryId: newUuid(), ownerNo: owner.ownerNo, type, validity, values, isComplete: true };
  }

  async function leftBehind(): Promise<string> {
    const vector = await aVector();
    await world.deps.vectors.prepare(ada.access, { space: await spaceOf(), vectors: [vector] });
    return vector.memoryId;
  }

  /** Takes the vector of a memory that stays. */
  async function gone(memoryId: string): Promise<void> {
    const { WEAVIATE_URL: url, WEAVIATE_API_KEY: key } = server.variables;
    const { classes } = await ask(url, key, '/v1/schema');
    for (const { class: name } of classes) {
      const path = `/v1/objects/${name}/${memoryId}?tenant=${ada.access.instance}`;
      await fetch(new URL(path, url), { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
    }
  }

  /** Lets the index say that these still hold. */
  async function outOfTime(memoryIds: readonly string[]): Promise<void> {
    const { WEAVIATE_URL: url, WEAVIATE_API_KEY: key } = server.variables;
    const { classes } = await ask(url, key, '/v1/schema');
    for (const id of memoryIds) {
      for (const { class: name } of classes) {
        await fetch(new URL(`/v1/objects/${name}/${id}`, url), {
          method: 'PATCH',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ class: name, id, tenant: ada.access.instance, properties: { until: 8.64e15 } }),
        });
      }
    }
  }
});

async function ask(url: string, key: string, path: string): Promise<any> {
  const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } });
  return response.json();
}
