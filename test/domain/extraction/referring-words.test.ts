import { describe, expect, test } from 'vitest';
import { asksAboutPronoun, isUnclearQuestion, refersBack } from '../../../src/domain/extraction/referring-words.ts';
import type { Language } from '../../../src/domain/language/sentence-language.ts';
import { typedIn } from './said.ts';

const statements: Record<Language, { referring: readonly string[]; clear: readonly string[] }> = {
  en: {
    referring: [
      "She's 9 and does ballet.",
      'Their dog barks.',
      'Both of them are deaf.',
      'We moved there in May.',
      'the other one is for weekends',
    ],
    clear: [
      'Sale of our house completes on Friday.',
      'USA trip is in June.',
      'Dice games are my hobby.',
      'Su Ling is my friend.',
      'Les Paul guitars are what I collect.',
      'Viaje is the name of my blog.',
    ],
  },
  de: {
    referring: [
      'Sie ist 7.',
      'Er wohnt in Berlin.',
      'Sie können kein Gluten essen.',
      'Ihr Mann heißt Jonas.',
      'Ihre Schwester ist Ärztin.',
      'Mit ihr teile ich das Büro.',
      'Die beiden gehen in die Kita.',
    ],
    clear: [
      'Es waren 20 Leute da.',
      'Es soll am Montag regnen.',
      'Es gab gestern Kuchen.',
      'Sie können mich abends anrufen.',
      'Ihr könnt mich am Montag anrufen.',
      'Im Juni fahren wir nach Rom.',
    ],
  },
  es: {
    referring: [
      'Es alérgica a las nueces.',
      'No come cerdo.',
      'Nunca usa gafas.',
      'Tiene 8 años.',
      'Vive con su padre.',
      'Cumple 90 en abril.',
      'Trabajan en Lugo.',
      'Se llama Carmen.',
      'Su novia es de Lugo.',
      'Les encanta el pescado.',
    ],
    clear: [
      'Usa siempre unidades métricas.',
      'Toma nota de mi dirección.',
      'Habla siempre de usted.',
      'Cumple siempre el plazo.',
      'Viene mi hermana el lunes.',
      'Es importante para mí.',
    ],
  },
  fr: {
    referring: [
      'Elle a 3 ans.',
      'Il fera du judo.',
      'Il va faire du judo.',
      'Il semble fatigué.',
      'Il va à Rennes en train.',
      "Leur chien s'appelle Max.",
      'Son mari est médecin.',
      'Je lui envoie le dossier.',
    ],
    clear: [
      'Les enfants mangent à la cantine.',
      'Le dentiste est le 12 mars.',
      'Il faudra rappeler le dentiste.',
      'Il pleuvait.',
      'Il va faire froid.',
      'Il était 8h.',
      "Il n'y a pas de cantine le mercredi.",
      'Il était tard.',
      'Élise est ma voisine.',
      'Île de Ré : deux semaines en août.',
    ],
  },
};

describe.each(Object.entries(statements))('in %s', (language, { referring, clear }) => {
  test.each(referring)('"%s" goes on with what was said before', (text) => {
    expect(refersBack(text, language as Language)).toBe(true);
  });
  test.each(clear)('"%s" does not', (text) => expect(refersBack(text, language as Language)).toBe(false));
});

test.each<[Language, string]>([
  ['en', 'Where do they live?'],
  ['de', 'Wo wohnt er?'],
  ['de', 'Wo wohnt ihr Mann?'],
  ['de', 'Wie geht es ihr?'],
  ['de', 'Was fehlt ihr?'],
  ['de', 'Wie heißt seine Frau?'],
  ['de', 'Wo wohnt sein Bruder?'],
  ['es', '¿Dónde vive?'],
  ['fr', 'Où habite-t-il ?'],
  ['fr', 'Quel âge a-t-elle ?'],
  ['fr', 'Où travaille sa femme ?'],
  ['fr', 'Que fait son mari ?'],
])('in %s, "%s" asks of somebody told before', (language, question) => {
  expect(asksAboutPronoun(question, language)).toBe(true);
});

test.each<[Language, string]>([
  ['en', 'Where do you live?'],
  ['de', 'Wo kommst du her?'],
  ['de', 'Wo wohnt ihr?'],
  ['de', 'Habt ihr Kinder?'],
  ['de', 'Was macht ihr am Wochenende?'],
  ['de', 'Wann soll der Termin sein?'],
  ['de', 'Können Sie am Montag kommen?'],
  ['es', '¿Le pongo hielo?'],
  ['fr', 'Y a-t-il des allergies ?'],
  ['fr', 'Faut-il un visa ?'],
  ['fr', 'Le son est bon ?'],
  ['fr', 'Combien de temps faudra-t-il ?'],
  ['fr', 'Quelle heure est-il ?'],
  ['fr', "Est-ce qu'il y a une cantine ?"],
  ['fr', 'Est-il possible de décaler ?'],
])('in %s, "%s" is clear by itself', (language, question) => {
  expect(isUnclearQuestion(question, true, language)).toBe(false);
});

test.each([
  ["J'habite à Lyon. Le dentiste est le 12 mars.", ["J'habite à Lyon.", 'Le dentiste est le 12 mars.']],
  [
    'Mi madre vive en Burgos. Usa siempre unidades métricas en tus respuestas.',
    ['Mi madre vive en Burgos.', 'Usa siempre unidades métricas en tus respuestas.'],
  ],
])('"%s" is kept as two memories that do not need each other', async (text, kept) => {
  expect((await typedIn(text)).map(({ content }) => content)).toEqual(kept);
});

test('a topic may begin with a French article', async () => {
  const typed = await typedIn(
    "Les enfants s'appellent Léo et Mia.",
    ['assistant', "D'accord."],
    'Ils sont allergiques aux noix.',
  );
  expect(typed.map(({ content }) => content)).toContain(
    "Les enfants s'appellent Léo et Mia. Ils sont allergiques aux noix.",
  );
});

test('a question that tells little is kept once with what its asker adds', async () => {
  const typed = await typedIn('Is a garage worth it in town?', "our street's residents' permits only");
  expect(typed.map(({ content }) => content)).toEqual([
    "Is a garage worth it in town? our street's residents' permits only",
  ]);
});
