import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { migrations } from '../../../src/db/migrate.ts';
import { defaultConfiguration } from '../../../src/domain/configurations/configuration.ts';
import { instanceNumberOf, newUuid } from '../../../src/domain/ids.ts';
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
  const { version } = await app.configurations.init(asAdmin, { configuration });
  await app.configurations.submit(asAdmin, { version });
  await app.configurations.review(asAdmin, { version, decision: 'approve' });
  await app.configurations.apply(asAdmin, { version });
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

test('the migration rewrites roles that stand in clear', async () => {
  await using database = await PGlite.create();
  const ours = '20261123070000_speaker_roles';
  for (const { name, sql } of migrations()) if (name < ours) await database.exec(sql);
  const instanceNumber = instanceNumberOf('inst_00000000000000ac');
  const roles = ['user', 'Head nurse', 'assistant', 'tool'];
  for (const [turn, role] of roles.entries()) {
    await database.query(
      `INSERT INTO memory (i, id, owner_no, type, category, status, content, confidence, content_key, valid_from,
         document_id, turn, passage, role, ingestion_id, configuration_version, created_at)
       VALUES ($1, $2, 1, 'facts', 'other', 'active', '', 1, '', now(), $2, $4, 0, $3, $2, 1, now())`,
      [instanceNumber, newUuid(), role, turn],
    );
  }
  for (const { name, sql } of migrations()) if (name === ours) await database.exec(sql);
  const { rows: kept } = await database.query<{ role: string }>('SELECT role FROM memory ORDER BY turn');
  expect(kept.map(({ role }) => role)).toEqual(['user', 'other', 'assistant', 'tool']);
});
