import { expect, test } from 'vitest';
import { candidatesInDatabase } from '../../src/domain/retrieval/candidate-reads.ts';
import type { NarrowedAccess } from '../../src/domain/tenancy/access.ts';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const towns = ['Leeds', 'York', 'Bath', 'Hull', 'Ely', 'Graz', 'Ghent', 'Lyon', 'Turin', 'Porto', 'Malmö', 'Brno'];
const filler = 'The path led past hedges and low walls, and a wind came over the hill from the sea. '.repeat(10);
const text = towns.map((town) => `My friend Petra owns a bakery in ${town}. ${filler}`).join('\n\n');

async function somebodyWithALongText() {
  const ada = await world.user('ada');
  await ada.says(text, day(1), { documentType: 'note' });
  const where = { instanceNumber: ada.access.instanceNumber };
  const rows = await world.deps.db.memory.findMany({ where, orderBy: { passage: 'asc' } });
  return { ada, rows };
}

test('of a text that is sent as one, each passage is found beside what others state', async () => {
  const { ada, rows } = await somebodyWithALongText();
  const passages = rows.filter(({ type }) => type === 'episodes').map(({ passage }) => passage);
  expect(passages).toEqual([...towns.keys()]);
  const stated = rows.filter(({ type }) => type !== 'episodes').map(({ passage }) => passage);
  expect(new Set(stated).size).toBeGreaterThan(1);
  const found = await ada.recalls('In which town does Petra own a bakery?', { maxResults: 100, minRelevance: 0 });
  for (const town of towns) expect(found.filter((content) => content.includes(town)).join()).not.toBe('');
});

test('what stands beside a passage of a long text is what is near it, and not the whole text', async () => {
  const { ada, rows } = await somebodyWithALongText();
  const access = (await world.app.narrow(ada.access, ada.named)) as NarrowedAccess;
  const { space } = await world.deps.embedding.serving(access);
  const fifth = rows.find(({ type, passage }) => type === 'episodes' && passage === 5)!;
  const selection = { ids: [], expanded: [fifth.id], reach: 2 };
  const beside = await candidatesInDatabase(world.deps.db).readCandidates(access, space, selection);
  const near = beside.filter(({ type }) => type === 'episodes').map(({ passage }) => passage);
  expect(near.toSorted((one, other) => one - other)).toEqual([3, 4, 5, 6, 7]);
  expect(beside.every(({ passage }) => passage >= 3 && passage <= 7)).toBe(true);
});
