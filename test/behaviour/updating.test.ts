import { expect, test } from 'vitest';
import { day, type Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const holding = async (person: Person) =>
  (await person.memories({ status: 'active' })).filter(({ type }) => type !== 'episodes').map(({ content }) => content);

test('a later statement replaces one that no rule knows the attribute of', async () => {
  const ada = await world.user('ada');
  await ada.says('I weigh 72 kilos.', day(1));
  await ada.says('I weigh 70 kilos now.', day(9));
  expect(await holding(ada)).toEqual(['I weigh 70 kilos now.']);
  const [old] = await ada.memories({ status: 'superseded', type: 'facts' });
  expect(old).toMatchObject({ content: 'I weigh 72 kilos.', validUntil: day(9) });
  expect(await ada.recalls('What do I weigh?', { asOf: day(5) })).toContain('I weigh 72 kilos.');
});

test('it can be undone, and stays undone', async () => {
  const ada = await world.user('ada');
  await ada.says('I weigh 72 kilos.', day(1));
  await ada.says('I weigh 70 kilos now.', day(9));
  const [old] = await ada.memories({ status: 'superseded', type: 'facts' });
  await world.app.undoSupersede(ada.access, old!.id, ada.named);
  expect((await holding(ada)).toSorted()).toEqual(['I weigh 70 kilos now.', 'I weigh 72 kilos.']);
  await ada.says('I weigh 70 kilos now.', day(12));
  expect((await holding(ada)).toSorted()).toEqual(['I weigh 70 kilos now.', 'I weigh 72 kilos.']);
});

test('forgetting what replaced a memory gives it back', async () => {
  const ada = await world.user('ada');
  await ada.says('I weigh 72 kilos.', day(1));
  await ada.says('I weigh 70 kilos now.', day(9));
  const [later] = await ada.memories({ status: 'active', type: 'facts' });
  await world.app.forgetMemory(ada.access, later!.id, { ...ada.named, cascade: false });
  expect(await holding(ada)).toEqual(['I weigh 72 kilos.']);
});

test('what concerns something else replaces nothing', async () => {
  const ada = await world.user('ada');
  await ada.says('I weigh 72 kilos.', day(1));
  await ada.says('My sister Jorun weighs 60 kilos.', day(2));
  await ada.says('My suitcase weighs 23 kilos.', day(3));
  await ada.says('I am allergic to walnuts.', day(4));
  expect(await holding(ada)).toContain('I weigh 72 kilos.');
});

test('nobody else’s memory is replaced', async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says('I weigh 72 kilos.', day(1));
  await bob.says('I weigh 70 kilos now.', day(9));
  expect(await holding(ada)).toEqual(['I weigh 72 kilos.']);
});
