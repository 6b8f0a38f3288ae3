import { expect, test } from 'vitest';
import { day, type Person } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();
const old = 'My gym membership costs 40 euros a month.';
const later = 'The gym is 55 euros a month now.';

const holding = async (person: Person) =>
  (await person.memories({ status: 'active' })).filter(({ type }) => type !== 'episodes').map(({ content }) => content);

test('a later statement replaces one that no rule knows the attribute of', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says(later, day(9));
  expect(await holding(ada)).toEqual([later]);
  const [outdated] = await ada.memories({ status: 'superseded', type: 'facts' });
  expect(outdated).toMatchObject({ content: old, validUntil: day(9) });
  expect(await ada.recalls('What does the gym cost?', { asOf: day(5) })).toContain(old);
});

test('a memory of which only a part is concerned holds, and names the later statement', async () => {
  const ada = await world.user('ada');
  await ada.says('The gym costs 40 euros a month and has a pool with a slide.', day(1));
  await ada.says(later, day(9));
  const [newer] = await ada.memories({ status: 'active', type: 'facts', q: '55' });
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
  const [older] = await ada.memories({ status: 'active', type: 'facts', q: 'pool' });
  expect(older).toMatchObject({ possiblyOutdatedBy: newer!.id });
});

test.each([
  ['My kids play football and chess.', 'My kids quit football.'],
  ['I speak Spanish and German.', 'I have forgotten all my German.'],
  ['ich hasse Mathe aber Physik geht', 'Physik hasse ich jetzt auch'],
])('a list ("%s") of which a later statement names one thing holds for the others', async (was, is) => {
  const ada = await world.user('ada');
  await ada.says(was, day(1));
  await ada.says(is, day(9));
  expect(await holding(ada)).toContain(was);
});

test.each([
  { was: 'The regatta is on 14 May in Kiel.', is: 'Had to push the regatta to the 21st.', on: '2026-05-21' },
  { was: 'Meine Schwester Ilse kommt am 20. April.', is: 'Ilse schafft es erst am 23.', on: '2026-04-23' },
  { was: 'Salgo de cuentas el 20 de mayo.', is: 'Me han cambiado la fecha, salgo de cuentas el 27.', on: '2026-05-27' },
  { was: 'The regatta is on 14 May in Kiel.', is: 'Had to push the regatta to 21 June.', on: '2026-06-21' },
])('"$is" after "$was" is of $on', async ({ was, is, on }) => {
  const ada = await world.user('ada');
  await ada.says(was, day(1));
  await ada.says(is, day(9));
  const memories = await ada.memories({ type: 'temporal_events' });
  expect(memories.find(({ content }) => content === is)?.eventStart).toEqual(new Date(on));
});

test.each([
  ["I'm Angus, 67, plumber in Oban", "I've sold the plumbing business and moved to Fife"],
  ['me llamo Rosa, camarera en un bar de Gijón', 'ya no trabajo en el bar, ahora estoy en una librería'],
])('"%s" tells a name, and is not retired with the rest of it by "%s"', async (was, is) => {
  const ada = await world.user('ada');
  await ada.says(was, day(1));
  await ada.says(is, day(9));
  expect(await holding(ada)).toEqual(expect.arrayContaining([was, is]));
});

test('it can be undone', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says(later, day(9));
  const [outdated] = await ada.memories({ status: 'superseded', type: 'facts' });
  await world.app.undoSupersede(ada.access, outdated!.id, ada.named);
  expect((await holding(ada)).toSorted()).toEqual([old, later].toSorted());
});

test('forgetting what replaced a memory gives it back', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says(later, day(9));
  const [successor] = await ada.memories({ status: 'active', type: 'facts' });
  await world.app.forgetMemory(ada.access, successor!.id, { ...ada.named, cascade: false });
  expect(await holding(ada)).toEqual([old]);
});

test('what is over with the end of one value leaves the others alone', async () => {
  const ada = await world.user('ada');
  await ada.says('I work at Boeing.', day(1));
  await ada.says('I test avionics at the Airbus plant.', day(2));
  await ada.says('I left Airbus.', day(9));
  expect((await holding(ada)).toSorted()).toEqual(['I left Airbus.', 'I work at Boeing.']);
});

test('what was forbidden is allowed again in words of which no rule knows', async () => {
  const ada = await world.user('ada');
  await ada.says('Never use emojis.', day(1));
  await ada.says('I changed my mind about emojis, use them.', day(9));
  expect(await holding(ada)).toEqual(['I changed my mind about emojis, use them.']);
  await ada.says('Never use emojis.', day(12));
  expect(await holding(ada)).toEqual(['Never use emojis.']);
});

test('an end that a later statement takes back stays true, and is marked', async () => {
  const ada = await world.user('ada');
  await ada.says('I sold my Volvo.', day(1));
  await ada.says('I bought back the Volvo I had sold.', day(9));
  const [sold, bought] = (await ada.memories({ status: 'active' })).filter(({ type }) => type !== 'episodes');
  expect(sold).toMatchObject({ content: 'I sold my Volvo.', possiblyOutdatedBy: bought!.id });
});

test('what concerns something else replaces nothing', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1));
  await ada.says('My sister Jorun pays 700 euros a month for her flat.', day(2));
  await ada.says('My cousin Bram joined a rowing club.', day(3));
  await ada.says('I am allergic to walnuts.', day(4));
  expect(await holding(ada)).toContain(old);
});

test('nothing that is said replaces a record', async () => {
  const ada = await world.user('ada');
  await ada.says(old, day(1), { mode: 'verbatim', documentType: 'note' });
  await ada.says(later, day(9));
  expect((await holding(ada)).toSorted()).toEqual([old, later].toSorted());
  expect((await ada.memories()).map(({ possiblyOutdatedBy }) => possiblyOutdatedBy)).not.toContainEqual(
    expect.any(String),
  );
});

test('one thing said of two people is two facts', async () => {
  const ada = await world.user('ada');
  await ada.says('I met Odile at the harvest fair.', day(1));
  await ada.says('I met Jorun at the harvest fair.', day(9));
  expect(await ada.memories({ status: 'superseded' })).toEqual([]);
});

test('nobody else’s memory is replaced', async () => {
  const ada = await world.user('ada');
  const bob = await world.user('bob', { access: ada.access });
  await ada.says(old, day(1));
  await bob.says(later, day(9));
  expect(await holding(ada)).toEqual([old]);
});

test('a memory whose value a later statement names as the former one stands behind that statement', async () => {
  const ada = await world.user('ada');
  await ada.says('My granddaughter Poppy starts university in Bristol in September.', day(1));
  await ada.says('Poppy might go to Leeds instead of Bristol.', day(9));
  const [older] = await ada.memories({ q: 'university', type: 'facts' });
  expect(older).toMatchObject({ status: 'active' });
  expect(older!.possiblyOutdatedConfidence).toBeGreaterThanOrEqual(0.9);
  const [first] = await ada.recalls('Where does Poppy go to university?');
  expect(first).toContain('Leeds');
});
