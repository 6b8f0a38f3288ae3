import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { translateWords } from '../../src/adapters/word-translation/translate-words.ts';

describe('the words of a text in English', () => {
  test.each([
    ['Ich bin allergisch gegen Erdnüsse.', 'I am allergic against peanut.'],
    ['Soy alérgica a los cacahuetes.', 'am allergic to the peanut.'],
    ['Je suis allergique aux arachides.', 'I am allergic to peanut.'],
  ])('%s', (text, english) => expect(translateWords(text)).toBe(english));

  test('a text in English, names and what else is unknown stay', () => {
    expect(translateWords('I am allergic to peanuts, die hard')).toBe('I am allergic to peanuts, die hard');
    expect(translateWords('Wir wohnen mit Zyglinde in Oberammergau.')).toBe(
      'we live reside with Zyglinde in Oberammergau.',
    );
  });

  test('a word with a capital within a Spanish or French sentence is a name, unless it has an English one', () => {
    expect(translateWords('Mon frère Pierre habite à Tours avec Aimée.')).toBe(
      'my brother Pierre live to Tours with Aimée.',
    );
    expect(translateWords('Mi prima Rosario estudia en Inglaterra.')).toBe('my cousin Rosario study in England.');
  });

  test.each([
    ['names', 'Los Angeles, El Paso, Las Vegas'],
    ['a title', 'El Niño forecast'],
    ['a call with a name', 'Call José García'],
    ['code', 'sum(año) AS total GROUP BY region'],
  ])('%s of which hardly a word is known stay as they are', (_, text) => expect(translateWords(text)).toBe(text));

  test('a capital makes a noun of a German word, but not at the beginning of a sentence', () => {
    expect(translateWords('Das ist eine Macht.')).toContain('power');
    expect(translateWords('Macht das einen Unterschied?')).toMatch(/^do /u);
  });

  test('regular forms, participles and spellings without accents are found', () => {
    expect(translateWords('Ich habe eingekauft und gekocht.')).toBe('I have shop and cook.');
    expect(translateWords('Wir kochen fuer die Muetter.')).toBe('we cook for the mother.');
    expect(translateWords('Mañana trabajo, no se que hago manana')).toContain('tomorrow');
  });

  test.each([
    ['Ich brauche zwei Stunden.', 'I need two hour.'],
    ['Ich sage die Tage Bescheid.', 'I say the day notice.'],
    ['Das ist meine eigene Seite, auf vielen Seiten.', 'the is my own page side, on much many page side.'],
    ['Mi hermana tiene dos sábados.', 'my sister have two saturday.'],
    ['Ma mere arrive à 18 h.', "my mother arrive to 18 o'clock."],
  ])('of words that share a stem the one that is spelt most alike is taken: %s', (text, english) =>
    expect(translateWords(text)).toBe(english),
  );

  test('an unknown German compound is that of its parts, also with a linking letter between them', () => {
    expect(translateWords('Sie hat eine Erdnussallergie.')).toContain('peanut allergy');
    expect(translateWords('Das ist meine Geburtstagstorte.')).toMatch(/birthday (?:cake|tart)/u);
  });

  test('an expression goes before its words', () => {
    expect(translateWords('Il y a trois chats chez moi.')).toMatch(/^there (?:is|are) three cat/u);
    expect(translateWords('Sin embargo no me gusta el vino.')).toMatch(/^however/u);
  });

  test('a word as long as a document takes no time', () => {
    const began = performance.now();
    translateWords(`Ich bin ${'hausab'.repeat(50_000)}`);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});

describe.each(['de', 'es', 'fr'])('the lexicon %s', (language) => {
  test('every line is an entry, and no form stands twice', async () => {
    const text = await readFile(new URL(`../../models/lexicons/${language}.txt`, import.meta.url), 'utf8');
    const entries = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const isEntry = /^\p{L}[\p{L}\p{M}'’ -]*(?:, \p{L}[\p{L}\p{M}'’ -]*)* = [\p{L}\d][\p{L}\d' -]*$/u;
    expect(entries.filter((line) => !isEntry.test(line))).toEqual([]);
    const forms = entries.flatMap((line) => line.split(' = ')[0]!.split(', '));
    expect(forms.toSorted().filter((form, n, sorted) => form === sorted[n - 1])).toEqual([]);
    expect(entries.length).toBeGreaterThan(4_000);
  });
});
