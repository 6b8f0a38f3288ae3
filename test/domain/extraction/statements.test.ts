import { expect, test } from 'vitest';
import { confidences } from '../../../src/domain/extraction/confidences.ts';
import { allRules } from '../../../src/domain/extraction/rules/all-rules.ts';
import { extractFrom, typedIn } from './said.ts';

test.each([
  ['I grew up in Tromsø.', 'facts', 'identity'],
  ['I am allergic to walnuts.', 'facts', 'health'],
  ['My cousin Jorun runs a bakery in Graz.', 'facts', 'relations'],
  ['I work as a piano tuner.', 'facts', 'work'],
  ['I swim in the lake every Sunday.', 'facts', 'habits'],
  ['I want to open a small bookshop one day.', 'facts', 'plans'],
  ['We agreed to postpone the concert.', 'facts', 'other'],
  ['Quick note: the cellar key hangs behind the door.', 'facts', 'other'],
  ['I prefer trains to buses.', 'preferences', 'likes'],
  ['I cannot stand loud restaurants.', 'preferences', 'dislikes'],
  ['Odile prefers phone calls over letters.', 'preferences', 'likes'],
  ['Never call me before nine.', 'preferences', 'instruction'],
  ['From now on, write my reports in Dutch.', 'preferences', 'instruction'],
  ['My take on remote work: it suits small teams.', 'preferences', 'other'],
  ['I felt terribly lonely after the move.', 'emotions', 'places'],
  ['Singing with the choir makes me so happy.', 'emotions', 'other'],
  ['I went to the dentist yesterday.', 'temporal_events', 'health'],
  ['Our wedding anniversary is on 2 June.', 'temporal_events', 'relations'],
])('"%s" is of %s, %s', (text, type, category) => {
  const [found] = typedIn(text);
  expect(found).toMatchObject({ type, category, quote: text });
});

test.each([
  { case: 'a question is no memory', text: 'Do I prefer tea?' },
  { case: 'a request is none', text: 'Can you recommend a book about rowing?' },
  { case: 'one order is no standing instruction', text: 'Write a poem about the sea.' },
  { case: '"never mind" is no instruction', text: 'Never mind the noise.' },
  { case: 'courtesy is no feeling', text: 'Happy to help with that.' },
  { case: 'a capital at the head is not a name', text: 'Dance is lovely.' },
  { case: 'code is not said', text: '```\nI live in Graz.\n```' },
])('$case', ({ text }) => expect(typedIn(text)).toEqual([]));

test('a promise with a date falls due then', () => {
  const [promise] = typedIn("I'll send the invoice to Odile by Friday.");
  expect(promise).toMatchObject({
    type: 'temporal_events',
    category: 'plans',
    dueAt: new Date('2026-03-13T00:00:00Z'),
  });
});

test('what happened has a time and is not due', () => {
  const [trip] = typedIn('In May I travelled to Split by car.');
  expect(trip?.event).toMatchObject({ start: new Date('2025-05-01T00:00:00Z'), precision: 'month' });
  expect(trip?.dueAt).toBeUndefined();
});

test.each([
  ['I moved to Graz.', 'Jo moved to Graz.'],
  ["I don't like my new desk.", "Jo doesn't like Jo's new desk."],
  ['I read a novel every week.', 'Jo: I read a novel every week.'],
])('with a name known, "%s" reads "%s"', (text, content) => {
  const { candidates } = extractFrom([['user', text, 'Jo']]);
  expect(candidates.find(({ type }) => type !== 'episodes')).toMatchObject({ content, quote: text });
});

test('each clause is a statement of its own, on the words of its sentence', () => {
  const text = 'I am allergic to walnuts and I work as a piano tuner.';
  const found = typedIn(text);
  expect(found.map(({ content }) => content)).toEqual(['I am allergic to walnuts', 'I work as a piano tuner.']);
  expect(found.every(({ quote }) => quote === text)).toBe(true);
});

test('every rule has a measured confidence', () => {
  const measured = Object.keys(confidences).toSorted();
  expect(measured).toEqual(allRules.map((rule) => rule.name).toSorted());
});

test.each([
  { text: 'I have to file my taxes by April 15.', due: '2026-04-15' },
  { text: 'Remind me to water the ferns on Friday.', due: '2026-03-13' },
  { text: "Don't forget our rehearsal on 12 May.", due: '2026-05-12' },
  { text: 'I must hand in the form no later than 30 March.', due: '2026-03-30' },
])('"$text" falls due on $due', ({ text, due }) => {
  const [found] = typedIn(text);
  expect(found).toMatchObject({ type: 'temporal_events', category: 'plans', dueAt: new Date(due) });
});
