import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { migrations } from '../../../src/db/migrate.ts';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { instanceNumberOf, newUuid } from '../../../src/domain/ids.ts';
import { sealClearText } from '../../../src/domain/memories/seal-clear-text.ts';
import type { Access } from '../../../src/domain/tenancy/access.ts';
import { day } from '../../support/person.ts';
import { openWorld } from '../../support/world.ts';

const world = openWorld();

/** A new instance whose configuration has a category of its own, for whatever tells of orders. */
async function withOwnCategory(): Promise<Access> {
  const { app, admin } = world;
  const { access, key } = await world.instance();
  const asAdmin = await app.accessAsAdmin(admin, access.instance);
  const own = { name: 'past-orders', description: 'What they bought', examples: ['I ordered a tent'] };
  const configuration = { ...defaultConfiguration, categories: [own, ...defaultConfiguration.categories] };
  const { version } = await app.configuring.init(asAdmin, { configuration });
  await app.configuring.submit(asAdmin, { version });
  await app.configuring.review(asAdmin, { version, decision: 'approve' });
  await app.configuring.apply(asAdmin, { version });
  const caller = await app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  return caller.access;
}

const rowsOf = ({ instanceNumber }: Access) =>
  world.deps.db.memory.findMany({ where: { instanceNumber }, orderBy: { id: 'asc' } });

test.each([
  { sent: 'user', kept: 'user' },
  { sent: 'assistant', kept: 'assistant' },
  { sent: 'Head nurse of ward 7', kept: 'other' },
])(
  'the role $sent is kept as $kept with its memories, and as it was sent with its document',
  async ({ sent, kept }) => {
    const ada = await world.user('ada');
    await ada.says([{ role: sent, content: 'The regatta on the lagoon begins at noon on Friday.' }]);
    const roles = (await rowsOf(ada.access)).map(({ role }) => role);
    expect(new Set(roles)).toEqual(new Set([kept]));
    const { keys, instanceNumber } = ada.access;
    const [document] = await world.deps.db.document.findMany({ where: { instanceNumber } });
    expect(JSON.parse(keys.open('document.body', document!.id, document!.body))[0].role).toBe(sent);
  },
);

test('a process of an earlier release that writes the caller’s word finds it replaced', async () => {
  const ada = await world.user('ada');
  await ada.says('I live in Leeds.');
  const { instanceNumber } = ada.access;
  await world.deps.db.memory.updateMany({ where: { instanceNumber }, data: { role: 'Head nurse of ward 7' } });
  expect((await rowsOf(ada.access)).map(({ role }) => role)).toContain('other');
});

test('a category of a configuration’s own is shown and found, and stands in no row', async () => {
  const ada = await world.user('ada', { access: await withOwnCategory() });
  await ada.says('I ordered hiking boots last week. I am allergic to peanuts.', day(1));
  const found = await ada.memories({ category: 'past-orders' });
  expect(found.map(({ category }) => category)).toContain('past-orders');
  expect(found.every(({ content }) => content.includes('ordered'))).toBe(true);
  expect(await ada.memories({ category: 'past' })).toEqual([]);
  const categories = (await rowsOf(ada.access)).map(({ category }) => category);
  expect(categories).toContain('');
  expect(categories).not.toContain('past-orders');
});

test('rows of an earlier release are read as they are, then sealed, once however often that is tried', async () => {
  const ada = await world.user('ada', { access: await withOwnCategory() });
  await ada.says('I ordered hiking boots last week.', day(1));
  const before = await ada.memories();
  const { access } = ada;
  const { instanceNumber } = access;
  await world.deps.db.memory.updateMany({
    where: { instanceNumber, category: '' },
    data: { category: 'past-orders', ownCategory: null, ownCategoryKey: null },
  });
  expect(await ada.memories()).toEqual(before);
  const inClear = await ada.memories({ category: 'past-orders' });
  expect(inClear.length).toBeGreaterThan(0);

  const job = { id: newUuid(), queue: 'seal-clear-text', instanceNumber, payload: {}, runAt: new Date(0) };
  await world.deps.db.job.create({ data: job });
  await world.settle();
  expect((await rowsOf(access)).map(({ category }) => category)).not.toContain('past-orders');
  expect(await ada.memories()).toEqual(before);
  expect(await ada.memories({ category: 'past-orders' })).toEqual(inClear);
  expect(await sealClearText(world.deps.db, access, new AbortController().signal)).toBe(0);
});

test('the migration rewrites roles in clear and asks for categories to be sealed, of whom it concerns', async () => {
  await using database = await PGlite.create();
  const [before, ours] = [migrations(), ['20261123070000_speaker_roles', '20261123070001_own_categories']];
  for (const { name, sql } of before) if (name < ours[0]!) await database.exec(sql);
  const [acme, globex] = ['inst_00000000000000ac', 'inst_0000000000000061'].map((id) => instanceNumberOf(id as never));
  const rows = [
    [acme, 'user', 'work'],
    [acme, 'Head nurse', 'past-orders'],
    [acme, 'assistant', 'past-orders'],
    [globex, 'tool', 'other'],
  ] as const;
  for (const [turn, [instanceNumber, role, category]] of rows.entries()) {
    await database.query(
      `INSERT INTO memory (i, id, owner_no, type, category, status, content, confidence, content_key, valid_from,
         document_id, turn, passage, role, ingestion_id, configuration_version, created_at)
       VALUES ($1, $2, 1, 'facts', $3, 'active', '', 1, '', now(), $2, $5, 0, $4, $2, 1, now())`,
      [instanceNumber, newUuid(), category, role, turn],
    );
  }
  for (const { name, sql } of before) if (ours.includes(name)) await database.exec(sql);
  const { rows: kept } = await database.query('SELECT role, category FROM memory ORDER BY turn');
  expect(kept).toEqual([
    { role: 'user', category: 'work' },
    { role: 'other', category: 'past-orders' },
    { role: 'assistant', category: 'past-orders' },
    { role: 'tool', category: 'other' },
  ]);
  const { rows: jobs } = await database.query<{ queue: string; instanceNumber: bigint }>(
    'SELECT queue, i AS "instanceNumber" FROM job',
  );
  expect(jobs.map(({ queue, instanceNumber }) => [queue, String(instanceNumber)])).toEqual([
    ['seal-clear-text', String(acme)],
  ]);
});
