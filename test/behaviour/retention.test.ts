import { beforeEach, describe, expect, test } from 'vitest';
import { enqueueDueSweeps } from '../../src/domain/erasure/enqueue-due-sweeps.ts';
import { sweepRetention } from '../../src/domain/erasure/sweep-retention.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import { brokenRules } from '../support/consistency.ts';
import type { Person } from '../support/person.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { openWorld } from '../support/world.ts';

/** Long ago, so that the years that pass here are over: a job of the future would wait for its time. */
const day = (n: number) => new Date(Date.UTC(2004, 0, 5, 9) + n * 86_400_000);
/** Years pass by setting the clock. */
let now = day(0);
const world = openWorld({ now: () => now });
const never = new AbortController().signal;

beforeEach(() => {
  now = day(0);
});

async function sweep(access: Access) {
  await world.deps.metering.flush(now);
  const admin = await world.app.accessAsAdmin(world.admin, access.instance);
  return sweepRetention(world.deps, admin, never);
}

/** Before anybody reads the configuration: a version never changes once it is applied. */
async function keepFor(access: Access, chosen: { base_days: number; on_expiry: 'archive' | 'evict' }) {
  const where = { instanceNumber_version: { instanceNumber: access.instanceNumber, version: 1 } };
  const row = await world.deps.db.configuration.findUniqueOrThrow({ where });
  const place = ['configuration.body', `${access.instance}/1`] as const;
  const body = JSON.parse(access.keys.open(...place, row.body));
  const policy = 'policy' in body.retention ? { policy: 'custom' } : {};
  const sealed = access.keys.seal(...place, JSON.stringify({ ...body, retention: { ...policy, ...chosen } }));
  await world.deps.db.configuration.update({ where, data: { body: sealed } });
}

const statuses = async (person: Person) => {
  const counts = { active: 0, superseded: 0, archived: 0 };
  for (const { status } of await person.memories()) counts[status] += 1;
  return counts;
};

describe('archiving', () => {
  test('over six years: what is used stays, what is not goes, and everything can come back', async () => {
    const ada = await world.user('ada');
    await ada.says('I keep bees on the roof.', day(0));
    await ada.says('I am allergic to peanuts.', day(0));
    await ada.says('Always answer me in French.', day(0));
    const [all] = [await ada.memories()];
    const used = (content: string) => content.includes('bees');
    const standing = all.filter(({ category }) => ['instruction', 'identity'].includes(category));
    expect(standing.length).toBeGreaterThan(0);
    const told: Record<number, number> = {};
    for (let year = 1; year <= 6; year++) {
      now = day(year * 365);
      const { memories } = await ada.fetches('Where are the bees?', { maxResults: 1 });
      expect(memories.map(({ content }) => used(content))).toEqual([true]);
      told[year] = (await sweep(ada.access)).archived;
    }
    const gone = (await ada.memories()).filter(({ status }) => status === 'archived');
    // At 1.25 years, so in the second; what stands is kept by the yearly call.
    const unused = all.filter(
      ({ content, category }) => !used(content) && !['instruction', 'identity'].includes(category),
    );
    expect(told).toEqual({ 1: 0, 2: gone.length, 3: 0, 4: 0, 5: 0, 6: 0 });
    expect(gone.map(({ id }) => id).toSorted()).toEqual(expect.arrayContaining(unused.map(({ id }) => id).toSorted()));
    expect(gone.some(({ category }) => ['instruction', 'identity'].includes(category))).toBe(false);
    expect(await ada.recalls('What must I not eat?')).not.toContainEqual(expect.stringContaining('peanuts'));
    expect(await ada.memories({ q: 'peanuts' })).toEqual([]);

    // Nobody calls any more: a base period later what stands goes too, and in the end all.
    now = day(6 * 365 + 366);
    await sweep(ada.access);
    now = day(20 * 365);
    await sweep(ada.access);
    expect(await statuses(ada)).toEqual({ active: 0, superseded: 0, archived: all.length });
    expect(await brokenRules(world.deps, ada.access)).toEqual({});

    for (const { id } of all) await world.app.restoreMemory(ada.access, id, {});
    expect(await ada.recalls('What must I not eat?')).toContainEqual(expect.stringContaining('peanuts'));
    expect((await sweep(ada.access)).archived).toBe(0); // restored counts as accessed
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
  });

  test('an archived memory shows no entity, and restored it is as if it had never gone', async () => {
    const ada = await world.user('ada');
    await ada.says('I moved to York with my friend Quillfeather.', day(0));
    await ada.says('I moved to Leeds.', day(3));
    const before = await snapshotOf(world.deps, ada);
    const entities = async () =>
      (await world.app.entities(ada.access, {}, { limit: 50 })).data.map(({ name }) => name).toSorted();
    const named = await entities();
    expect(named).toContain('Quillfeather');
    const ids = (await ada.memories()).map(({ id }) => id);
    now = day(500);
    expect((await sweep(ada.access)).archived).toBe(ids.length);
    expect(await entities()).toEqual([]);
    expect(await ada.recalls('Who is Quillfeather?', { asOf: day(1) })).toEqual([]);
    expect(await ada.memories({ q: 'Quillfeather' })).toEqual([]);
    expect(await brokenRules(world.deps, ada.access)).toEqual({});
    for (const id of ids) await world.app.restoreMemory(ada.access, id, {});
    expect(await snapshotOf(world.deps, ada)).toEqual(before);
    for (const { lastAccessedAt, expiresAt } of await ada.memories()) {
      expect(lastAccessedAt).toEqual(now);
      if (expiresAt) expect(expiresAt > now).toBe(true);
    }
    expect(await entities()).toEqual(named);
  });

  test('what was replaced does not come back because its successor is archived', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.', day(0));
    now = day(1);
    await ada.says('I moved to York.', day(1));
    now = day(300);
    await ada.fetches('Where did I live?', { asOf: day(0), maxResults: 3 }); // the old one is read, and lives longer
    now = day(600);
    await sweep(ada.access);
    await ada.says('I own a kayak.', day(600));
    const leeds = (await ada.memories()).filter(({ content }) => content.includes('Leeds'));
    expect(leeds.every(({ status }) => status !== 'active')).toBe(true);
  });

  test('only what is archived is restored, and not beside the same said again', async () => {
    const ada = await world.user('ada');
    await ada.says('I own a kayak.', day(0));
    const [memory] = await ada.memories({ type: 'episodes' });
    const restore = () => world.app.restoreMemory(ada.access, memory!.id, {});
    await expect(restore()).rejects.toMatchObject({ code: 'conflict' });
    now = day(500);
    await sweep(ada.access);
    await ada.says('I own a kayak.', day(500));
    await expect(restore()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('mem_') });
  });
});

describe('evicting', () => {
  test('over two years on ninety days: gone from every store, with receipts, and from the documents', async () => {
    const { access } = await world.instance();
    await keepFor(access, { base_days: 90, on_expiry: 'evict' });
    const ada = await world.user('ada', { access });
    const bob = await world.user('bob', { access });
    await ada.says('I own a kayak named Tangerine.', day(0));
    await ada.says('I live in Leeds.', day(0));
    await ada.says('I moved to York.', day(2));
    const evicted: number[] = [];
    for (let quarter = 1; quarter <= 8; quarter++) {
      now = day(quarter * 90);
      await bob.says(`I walked ${quarter} miles to Hawksworth.`, now);
      evicted.push((await sweep(access)).evicted);
    }
    expect(evicted[0]).toBe(0);
    expect(evicted[1]).toBeGreaterThanOrEqual(5); // after 112.5 days: all of ada's at once, what was replaced with it
    expect(evicted.slice(2).every((count) => count > 0)).toBe(true); // bob's of two quarters ago, each time
    expect(await ada.memories()).toEqual([]);
    const left = await snapshotOf(world.deps, ada);
    expect({ memories: left.memories, terms: left.terms, vectors: left.vectors, mentions: left.mentions }).toEqual({
      memories: [],
      terms: [],
      vectors: [],
      mentions: [],
    });
    expect(JSON.stringify(left.documents)).not.toMatch(/Tangerine|Leeds|York/);
    const receipts = await world.deps.db.receipt.findMany({ where: { instanceNumber: access.instanceNumber } });
    const bodies = receipts.map(({ body }) => body as { memoryIds: string[]; remaining: Record<string, number> });
    expect(bodies.flatMap(({ memoryIds }) => memoryIds)).toHaveLength(evicted.reduce((sum, count) => sum + count, 0));
    expect(bodies.every(({ remaining }) => Object.values(remaining).every((count) => count === 0))).toBe(true);
    expect((await bob.memories()).length).toBeGreaterThan(0);
    expect(await brokenRules(world.deps, access)).toEqual({});
  });
});

test('of two sweeps at once each memory is evicted by one, and the other leaves no receipt of nothing', async () => {
  const { access } = await world.instance();
  await keepFor(access, { base_days: 90, on_expiry: 'evict' });
  const ada = await world.user('ada', { access });
  await ada.says('I own a kayak.', day(0));
  const all = (await ada.memories()).length;
  now = day(200);
  const swept = await Promise.all([sweep(access), sweep(access)]);
  expect(swept.reduce((sum, { evicted }) => sum + evicted, 0)).toBe(all);
  const receipts = await world.deps.db.receipt.findMany({ where: { instanceNumber: access.instanceNumber } });
  expect(receipts.map(({ body }) => (body as { memoryIds: string[] }).memoryIds.length)).toEqual([all]);
});

test('an evicted record takes its document along, and frees its id', async () => {
  const { access } = await world.instance();
  await keepFor(access, { base_days: 90, on_expiry: 'evict' });
  const ada = await world.user('ada', { access });
  const record = { documentId: 'state', mode: 'verbatim', documentType: 'note' } as const;
  await ada.says('the harbour is closed', day(0), record);
  await ada.says('I own a kayak.', day(0), { documentId: 'chat' });
  now = day(200);
  expect((await sweep(access)).evicted).toBeGreaterThan(1);
  const documents = await world.deps.db.document.findMany({ where: { instanceNumber: access.instanceNumber } });
  expect(documents.map(({ externalId }) => externalId)).toEqual(['chat']);
  expect((await ada.says('the harbour is open', day(200), record)).status).toBe('completed');
  expect(await brokenRules(world.deps, access)).toEqual({});
});

test('the dry run shows what the sweep takes, page by page, and changes nothing', async () => {
  const ada = await world.user('ada');
  for (const animal of ['bees', 'ducks', 'goats', 'hens']) await ada.says(`I keep ${animal} in the yard.`, day(0));
  const before = await statuses(ada);
  const preview = async (at: Date | undefined, cursor?: string) =>
    world.app.administration.retention(world.admin, ada.access.instance, { at, limit: 3, cursor });
  expect((await preview(undefined)).data).toEqual([]);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await preview(day(500), cursor);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(await statuses(ada)).toEqual(before);
  now = day(501);
  expect((await sweep(ada.access)).archived).toBe(seen.length);
  const archived = (await ada.memories({ status: 'archived' })).map(({ id }) => id);
  expect(archived.toSorted()).toEqual(seen.toSorted());
});

test('sweeps are asked for by the hour, and run as jobs', async () => {
  const ada = await world.user('ada');
  await ada.says('I own a kayak.', day(0));
  now = day(500);
  await enqueueDueSweeps(world.deps);
  await world.settle();
  expect(await statuses(ada)).toMatchObject({ active: 0 });
  await enqueueDueSweeps(world.deps);
  expect(await world.deps.db.job.count({ where: { queue: 'sweep-retention' } })).toBe(0); // within the hour: not again
});

test('stopped in the middle, a sweep goes on with what is left', async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says('I own a kayak.', day(0));
  await bob.says('I own a raft.', day(0));
  const all = (await ada.memories()).length + (await bob.memories()).length;
  now = day(500);
  const stopping = new AbortController();
  const d = { ...world.deps, now: () => now, vectors: { ...world.deps.vectors, remove: stopAfterFirst(stopping) } };
  const first = await sweepRetention(d, ada.access, stopping.signal);
  expect(first.archived).toBeGreaterThan(0);
  expect(first.archived).toBeLessThan(all);
  expect(first.archived + (await sweep(ada.access)).archived).toBe(all);
});

function stopAfterFirst(stopping: AbortController): typeof world.deps.vectors.remove {
  return (...args) => {
    stopping.abort();
    return world.deps.vectors.remove(...args);
  };
}

test('when a user last called is forgotten with them', async () => {
  const ada = await world.user('ada');
  await ada.says('I own a kayak.', day(0));
  await world.deps.metering.flush(now);
  const rows = () =>
    world.deps.db.userActivity.findMany({ where: { instanceNumber: ada.access.instanceNumber, userId: 'ada' } });
  expect(await rows()).toHaveLength(1);
  await world.app.forgetOwner(ada.access, { userId: 'ada' });
  await ada.fetches('What do I own?');
  await world.deps.metering.flush(now);
  expect(await rows()).toEqual([]);
});
