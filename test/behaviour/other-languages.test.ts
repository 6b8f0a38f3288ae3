import { expect, test } from 'vitest';
import { day } from '../support/person.ts';
import { openWorld } from '../support/world.ts';

const world = openWorld();

const said = {
  German: [
    'Meine Tochter verträgt keine Erdnüsse.',
    'Ich arbeite als Krankenschwester in der Nachtschicht.',
    'Unser Heizkessel ist von 2011.',
    'Mein Bruder wohnt mit seinem Hund in Bremen.',
    'Am liebsten lese ich Krimis.',
  ],
  Spanish: [
    'Mi hija no tolera los cacahuetes.',
    'Trabajo como enfermera en el turno de noche.',
    'Nuestra caldera es de 2011.',
    'Mi hermano vive con su perro en Bilbao.',
    'Lo que más me gusta leer son novelas policíacas.',
  ],
  French: [
    'Ma fille ne supporte pas les arachides.',
    'Je travaille comme infirmière de nuit.',
    'Notre chaudière date de 2011.',
    'Mon frère habite à Nantes avec son chien.',
    'J’aime surtout lire des romans policiers.',
  ],
};

const asked = [
  { place: 0, questions: ['Which snack can I give my child?', '¿Qué merienda le doy a la niña?'] },
  { place: 1, questions: ['What do I do for work?', 'Welchen Beruf habe ich?', 'Quel est mon métier ?'] },
  { place: 2, questions: ['How old is the boiler?', 'Wie alt ist die Heizung?'] },
  { place: 3, questions: ['Does anybody in my family have a pet?', 'Qui a un animal dans ma famille ?'] },
  { place: 4, questions: ['Recommend a book.', 'Empfiehl mir ein Buch.', 'Recomiéndame un libro.'] },
];

test.each(Object.entries(said))(
  'what was said in %s leads where a question in another language needs it',
  async (_, all) => {
    const ada = await world.user('ada');
    for (const [n, one] of all.entries()) await ada.says(one, day(n + 1));
    for (const mode of ['fast', 'accurate'] as const)
      for (const { place, questions } of asked)
        for (const question of questions)
          expect.soft([question, (await ada.recalls(question, { mode }))[0]]).toEqual([question, all[place]]);
  },
);

test.each([
  ['German', 'Antworte immer kurz.', 'Sprich Englisch mit mir.'],
  ['Spanish', 'Responde siempre de forma breve.', 'Háblame en inglés.'],
  ['French', 'Réponds toujours brièvement.', 'Réponds-moi toujours en anglais.'],
])('how to answer is kept as an order in %s, until another takes its place', async (_, order, inEnglish) => {
  const ada = await world.user('ada');
  for (const [n, one] of [order, inEnglish, 'From now on answer in German.'].entries()) await ada.says(one, day(n + 1));
  const orders = (await ada.memories()).filter(({ category }) => category === 'instruction');
  expect(orders.map(({ content, status }) => [content, status])).toEqual([
    [order, 'active'],
    [inEnglish, 'superseded'],
    ['From now on answer in German.', 'active'],
  ]);
});
