import { expect, test } from 'vitest';
import { draftDocument } from '../../../src/domain/extraction/draft-document.ts';
import type { DocumentDraft } from '../../../src/domain/extraction/draft.ts';
import { selectCandidates, type Classifications } from '../../../src/domain/extraction/select-candidates.ts';
import type { Classification } from '../../../src/domain/extraction/statement-classifier.ts';
import { turnsOf } from './said.ts';

const fact: Classification = {
  worth: 0.9,
  kinds: { fact: 0.9, preference: 0, instruction: 0, emotion: 0, event: 0 },
  quoted: 0,
  dependent: 0,
  span: [0, Infinity],
};
const draftOf = (text: string) => draftDocument(turnsOf([text]), { documentType: 'ai-chat-conversation' });
const keptOf = (draft: DocumentDraft, found: Classifications) =>
  selectCandidates(draft, found, 0.7)
    .candidates.filter(({ type }) => type !== 'episodes')
    .map(({ content }) => content);

test.each([
  'Für uns ist Ostern das wichtigste Fest.',
  'Dank uns läuft der Laden.',
  'Während uns die Kinder besuchen, schläft der Hund.',
  'Nachts uns zu wecken, hasst der Hund.',
  'Mache mir Sorgen um meine Mutter.',
  'Mach mir große Sorgen um meine Mutter.',
  'Régime sans sel depuis 2019.',
])('"%s" is no order', (text) => expect(keptOf(draftOf(text), [[fact, fact]])).not.toEqual([]));

test.each([
  'Erklär mir mal Joins',
  'Bitte schreib uns ein Gedicht',
  'Rechne mir das bitte aus',
  'Hilf mir mit der Steuer',
  'Explícame los joins',
  'Écris-moi un mot pour ma mère',
])('"%s" is an order for now', (text) => expect(keptOf(draftOf(text), [[fact]])).toEqual([]));

test('an order of that form which may well be a standing one is kept', () => {
  const likes = { ...fact, kinds: { ...fact.kinds, fact: 0, preference: 0.5, instruction: 0.4 } };
  expect(keptOf(draftOf('Háblame de tú y sin rollos'), [[likes]])).toEqual(['Háblame de tú y sin rollos']);
});

test.each([
  ['Am 3. April beginnt mein neuer Job.', '2026-04-03T00:00:00.000Z'],
  ['Seit dem 3. März bin ich Veganer.', undefined],
  ['Meine Bestzeit ist 2:04.', undefined],
])('a named day that lies ahead is when a fact holds: "%s"', (text, start) => {
  const { candidates } = selectCandidates(draftOf(text), [[fact]], 0.7);
  expect(candidates.find(({ type }) => type === 'facts')?.event?.start.toISOString()).toBe(start);
});

test.each([
  ['Ich arbeite nachts und Luca spielt Cello', ['Ich arbeite nachts', 'Luca spielt Cello']],
  ['I work nights and Luca plays the cello', ['I work nights']],
])('a part of a sentence is kept with a surer one in another language than English: "%s"', (text, contents) =>
  expect(keptOf(draftOf(text), [[fact, { ...fact, worth: 0.4 }]])).toEqual(contents),
);
