import { describe, expect, test } from 'vitest';
import { distinctLanguageOf, languageOf, type Language } from '../../../src/domain/language/sentence-language.ts';

const sentences: Record<Language, readonly string[]> = {
  en: [
    'My husband loves the sea',
    'Her son plays football',
    'Our son lives in Paris',
    'Los Angeles was hot',
    'Die hard is fun',
    'Was he late again',
    'Man, I love pasta',
    'Mon is my free day',
    'Everyone likes pizza',
  ],
  de: [
    'Nenn mich Sam',
    'Sie trinkt Tee ohne Milch',
    'Er hasst Fliegen',
    'Du singst gut',
    'Man sagt Du zueinander',
    'Wo wohnt ihr',
    'Die Miete kostet 900 Euro',
    'Sag es Marie',
  ],
  es: [
    'La cena estuvo muy buena',
    'Bebe té sin leche',
    'Su perro muerde',
    'Me gusta la sopa',
    'Les encanta la playa',
    'La casa cuesta 900 euros',
    'Son alérgicos a los gatos',
    'Lea y Tom se casan',
  ],
  fr: [
    'Son mari aime la mer',
    'Son fils joue au foot',
    'Son bureau est loin',
    'Leur chien mord',
    'Sa femme parle italien',
    'La porte de la cave est en fer',
    "C'était ma faute",
    'On est séparés',
  ],
};

describe.each(Object.entries(sentences))('in %s', (language, texts) => {
  test.each(texts)('"%s"', (text) => expect(languageOf(text)).toBe(language));
});

test.each(['Le garage', 'Was', 'Mon', 'Ben', 'No'])('"%s" may be of several languages', (text) =>
  expect(distinctLanguageOf(text)).toBeUndefined(),
);
