import { Client } from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { defaultConfiguration } from '../../src/domain/configurations/configuration.ts';
import { bindConversation } from '../../src/domain/conversations/bind-conversation.ts';
import type { NarrowedAccess } from '../../src/domain/tenancy/access.ts';
import { readableOwnersSql } from '../../src/domain/tenancy/owner-store.ts';
import type { AccessCount } from '../../src/domain/memories/retention.ts';
import { addAccesses } from '../../src/domain/memories/memory-store.ts';
import { AccessCounts } from '../../src/domain/memories/access-counts.ts';
import { ReaderCache } from '../../src/domain/reader-cache/reader-cache.ts';
import { openDoors } from '../support/open-doors.ts';
import { statements } from '../support/statements.ts';
import { day, type Person } from '../support/person.ts';
import { isOnPostgres } from '../support/place-database.ts';

const { world, send } = openDoors();
afterEach(() => vi.restoreAllMocks());

const readsMemories = /FROM memory_evidence v LEFT JOIN document/;
const naming = /term_total AS "termTotal" FROM/;

/** What this person reads, as of now, and the ids of it; where nothing is known yet. */
async function reading(person: Person) {
  const reader = (await world.app.narrow(person.access, person.named)) as NarrowedAccess;
  const rows = await world.deps.db.memory.findMany({
    where: { instanceNumber: reader.instanceNumber },
    orderBy: { id: 'asc' },
  });
  const readers = new ReaderCache(world.deps);
  return {
    ids: rows.map(({ id }) => id),
    read: (ids: readonly string[]) =>
      readers.memories(world.deps.db, { access: reader, configuration: defaultConfiguration }, ids),
  };
}

describe('what is shown of a memory', () => {
  const asked = (ada: Person) => ada.fetches('Where do I live, and with whom?');
  async function living() {
    const ada = await world.user('ada', { customer: 'acme' });
    await ada.says('I live in Leeds.', day(1));
    await ada.says('Zelda Okafor lives in Leeds, too.', day(1));
    await asked(ada);
    return ada;
  }

  test('is not read again while nothing changed', async () => {
    const ada = await living();
    expect(await statements(readsMemories, () => asked(ada))).toBe(0);
    expect((await asked(ada)).memories).toMatchObject((await asked(ada)).memories);
  });

  test('is read alone where the rest is known', async () => {
    const { read, ids } = await reading(await living());
    const [one, ...others] = ids;
    const [known] = await read([one!]);
    const query = vi.spyOn(Client.prototype, 'query');
    const all = await read([...others, one!]);
    const sent = query.mock.calls.flatMap(([call]) => (call as unknown as { values?: unknown[] }).values ?? []).flat();
    expect(all.map(({ uuid }) => uuid)).toEqual([...others, one]);
    expect(all.at(-1)).toEqual(known);
    expect(sent).toContain(others[0]);
    expect(sent).not.toContain(one);
  });

  test('is never of two moments', async () => {
    const ada = await living();
    const { read, ids } = await reading(ada);
    const leeds = (await (await reading(ada)).read(ids)).find(({ content }) => content === 'I live in Leeds.')!;
    const [before] = await read([leeds.uuid]);
    await ada.says('I moved to York.', day(3));
    const together = await read(ids); // another of them is to be read
    expect(together.find(({ uuid }) => uuid === leeds.uuid)).toMatchObject({ status: 'superseded' });
    expect(before).toMatchObject({ status: 'active' });
    expect(await read([leeds.uuid])).toEqual([before]); // as of the revisions that it is asked for
  });

  test('is what it is now once its owner said more', async () => {
    const ada = await living();
    await ada.says('I live in Leeds.', day(2));
    const leeds = (await asked(ada)).memories.find(({ content }) => content === 'I live in Leeds.');
    expect(leeds?.evidence).toHaveLength(2);
    await ada.says('I moved to York.', day(3));
    const told = (await asked(ada)).memories.map(({ content }) => content);
    expect(told).toContain('I moved to York.');
    expect(told).not.toContain('I live in Leeds.');
  });

  test('names the entity that another was merged into', async () => {
    const ada = await living();
    await ada.says('Zee is my neighbour.', day(2));
    const { data } = await world.app.entities(ada.access, {}, { limit: 10 });
    const idOf = (name: string) => data.find((entity) => entity.name === name)!.id;
    const shown = async () => (await asked(ada)).memories.flatMap(({ entities }) => entities.map(({ id }) => id));
    const [zelda, zee] = [idOf('Zelda Okafor'), idOf('Zee')];
    expect(await shown()).toContain(zelda);
    await world.app.mergeEntities(ada.access, { sourceId: zelda, targetId: zee });
    expect(await shown()).not.toContain(zelda);
    expect(await shown()).toContain(zee);
  });

  test('tells of an access once that is counted', async () => {
    const ada = await living();
    const counts = async () => (await asked(ada)).memories.map(({ accessCount }) => accessCount);
    await world.deps.metering.flush(new Date());
    expect(Math.max(...(await counts()))).toBe(1);
    await world.deps.metering.flush(new Date());
    expect(Math.max(...(await counts()))).toBe(2);
    await world.deps.metering.flush(new Date());
    expect(await statements(readsMemories, counts)).toBe(0);
    expect(Math.max(...(await counts()))).toBe(3);
  });

  test('tells when it was last accessed, and how long it is kept by that', async () => {
    const ada = await living();
    const lives = async () =>
      (await asked(ada)).memories.map(({ id, accessCount, lastAccessedAt, expiresAt }) => ({
        id,
        accessCount,
        lastAccessedAt,
        expiresAt,
      }));
    await lives();
    await world.deps.metering.flush(new Date());
    const told = await lives();
    world.deps.readers.forget(ada.access.instanceNumber);
    expect(told).toEqual(await lives());
  });

  test('leaves the memory of the process with what is forgotten', async () => {
    const ada = await living();
    const forget = vi.spyOn(world.deps.readers, 'forget');
    await world.app.forgetOwner(ada.access, ada.named);
    expect(forget).toHaveBeenCalledWith(ada.access.instanceNumber, expect.arrayContaining([expect.any(Number)]));
    expect((await asked(ada)).memories).toEqual([]);
  });

  test('is read anew for one who reads a user in every customer, since merges there are not told of', async () => {
    const ada = await living();
    const everywhere = await world.user('ada', { access: ada.access });
    await asked(everywhere);
    expect(await statements(readsMemories, () => asked(everywhere))).toBeGreaterThan(0);
  });
});

test('how often a memory was accessed is known once that is counted', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.');
  const { memories } = await ada.fetches('Where do I live?');
  const ids = memories.map(({ id }) => id);
  const uuids = (
    await world.deps.db.memory.findMany({ where: { instanceNumber: ada.access.instanceNumber }, select: { id: true } })
  ).map(({ id }) => id);
  const max = (counts: ReadonlyMap<string, AccessCount>) =>
    Math.max(0, ...[...counts.values()].map(({ count }) => count));
  const read = () => world.deps.readers.accessCounts.read(world.deps.db, ada.access, uuids);
  expect(ids.length).toBeGreaterThan(0);
  expect(max(await read())).toBe(0);
  await world.deps.metering.flush(new Date());
  expect(await statements(/FROM memory_access/, read)).toBe(0);
  expect(max(await read())).toBe(1);
});

test('how often a memory was accessed is not kept when it was read while that was written', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.');
  const { deps } = world;
  const { id } = await deps.db.memory.findFirstOrThrow({
    where: { instanceNumber: ada.access.instanceNumber },
    select: { id: true },
  });
  const counts = new AccessCounts();
  const accesses = [{ instanceNumber: ada.access.instanceNumber, memoryId: id, count: 1, lastAt: day(1) }];
  const read = async () => (await counts.read(deps.db, ada.access, [id])).get(id)?.count;
  await counts.add(accesses, async () => {
    await addAccesses(deps.db, accesses);
    expect(await read()).toBe(1); // the row has it already, and it is about to be added to what is known
  });
  expect(await read()).toBe(1);
  await counts.add(accesses, () => addAccesses(deps.db, accesses));
  expect(await statements(/FROM memory_access/, read)).toBe(0);
  expect(await read()).toBe(2);
});

describe('whom somebody reads', () => {
  test.skipIf(isOnPostgres())('needs no statement where all changes are heard', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.');
    await ada.fetches('Where do I live?');
    expect(await statements(naming, () => ada.fetches('Where do I live now?'))).toBe(0);
    const bob = await world.user('bob', { access: ada.access });
    await bob.fetches('Where do I live?');
    await bob.says('I live in Ghent.'); // an owner that nobody had read yet
    expect(await bob.recalls('Where do I live?')).toContain('I live in Ghent.');
  });

  test('holds them from when they are registered, though they hold nothing yet', async () => {
    const ada = await world.user('ada');
    await ada.says('I live in Leeds.');
    const bob = await world.user('bob', { access: ada.access });
    await bob.fetches('Where do I live?'); // nobody of that name
    await bindConversation(world.deps.db, ada.access, { conversationId: 'talk', userId: 'bob' }); // as a first message binds it
    const owners = await world.deps.readers.owners(ada.access.instanceNumber, { userId: 'bob' }, 'b2c');
    expect(owners.map(({ userId }) => userId)).toContain('bob');
  });

  test('takes as long however many users there are', async () => {
    const ada = await world.user('ada', { customer: 'acme' });
    const others = Array.from({ length: 3_000 }, (_, n) => ({
      instanceNumber: ada.access.instanceNumber,
      scope: 'USER',
      userId: `other-${n}`,
      customerId: `customer-${n % 7}`,
    }));
    await ada.says('I live in Leeds.');
    await world.deps.db.owner.createMany({ data: others });
    await world.deps.db.$executeRaw`ANALYZE owner`; // as the server does by itself, after a while
    for (const named of [{ userId: 'ada' }, { userId: 'ada', customerId: 'acme' }, { customerId: 'acme' }]) {
      const lines = await world.deps.db.$queryRaw<{ 'QUERY PLAN': string }[]>`
        EXPLAIN SELECT * FROM ${readableOwnersSql(ada.access.instanceNumber, named, 'b2c')}`;
      const plan = lines.map((line) => line['QUERY PLAN']);
      const looksUp = plan.filter((line) => line.includes('Index Cond'));
      expect(looksUp.length).toBeGreaterThan(2);
      for (const line of looksUp) expect(line).toMatch(/scope = .*user_id = /);
      expect(plan.join('\n')).not.toMatch(/Seq Scan|Filter:/);
    }
  });
});

test('a key that is known to open an instance for a known reader opens nothing once it is revoked', async () => {
  const { access, key } = await world.instance();
  const ada = await world.user('ada', { access });
  await ada.says('I live in Leeds.');
  const fetches = (more: object = {}) =>
    send(key, 'POST', '/v1/context/fetch', { search_queries: ['Where do I live?'], user_id: 'ada', ...more });
  const contents = async () => (await fetches()).json().memories.map(({ content }: { content: string }) => content);
  const told = await contents();
  expect(told).toContain('I live in Leeds.');
  expect(await contents()).toEqual(told);
  await ada.says('I moved to York.', day(2));
  expect(await contents()).toContain('I moved to York.');
  const [record] = (await world.app.keys(world.asAdmin(access), { limit: 100 })).data;
  await world.app.revokeKey(world.asAdmin(access), record!.id);
  expect((await fetches()).status).toBe(401);
  expect((await fetches({ types: ['nonsense'] })).status).toBe(401);
});
