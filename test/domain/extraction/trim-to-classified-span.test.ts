import { expect, test } from 'vitest';
import { clausesOf } from '../../../src/domain/extraction/clauses.ts';
import { trimToClassifiedSpan } from '../../../src/domain/extraction/trim-to-classified-span.ts';

/** What is kept of a clause when the model marks these words of it. */
function kept(text: string, marked: string): string {
  const [before = ''] = text.split(marked);
  const from = before.split(/\s+/u).filter(Boolean).length;
  const span = [from, from + marked.split(/\s+/u).length] as const;
  return trimToClassifiedSpan(
    {
      utterance: { text, before: '' },
      nameWords: 0,
      text,
      quote: text,
      isAhead: false,
      isDue: false,
      isReminder: false,
      isAskedToRemember: false,
      entities: [],
    },
    { span },
  );
}

test.each([
  ['a first word', 'Al final lo de Huesca es el sábado', 'final lo de Huesca es el sábado'],
  ['a verb', 'ich suche eine neue Stelle', 'eine neue Stelle'],
  ['what ends it', 'ya no voy a Lyon', 'no voy a Lyon'],
  ['"no longer"', 'I no longer eat fish', 'eat fish'],
  ['a denial at the end', 'ich esse Fleisch nicht mehr', 'ich esse Fleisch'],
  ['"ne ... plus"', 'je ne mange plus de viande', 'mange plus de viande'],
  ['what is denied', 'I do not think that I am coeliac', 'I am coeliac'],
])('a span does not lose %s: "%s"', (_, text, marked) => expect(kept(text, marked)).toBe(text));

test.each([
  ['wow, ok, my son is allergic to eggs', 'my son is allergic to eggs'],
  ['need a recipe because my son is allergic to eggs', 'my son is allergic to eggs'],
  ['my son is allergic to eggs, can you help?', 'my son is allergic to eggs'],
  ['no no my son is allergic to eggs', 'my son is allergic to eggs'],
  ['no, it never mattered, my son is allergic to eggs', 'my son is allergic to eggs'],
])('of "%s" is kept what is marked', (text, marked) => expect(kept(text, marked)).toBe(marked));

test.each([
  ['Plus de viande pour moi', 'Plus de viande pour moi'],
  ['so gegen neun komme ich', 'so gegen neun komme ich'],
  ['Im Kino war es kalt', 'im Kino war es kalt'],
])('of "%s" the rules read "%s"', (text, read) =>
  expect(clausesOf(text)[0]?.normalized.replace(/^I/u, 'i').toLowerCase()).toBe(read.toLowerCase()),
);
