import { expect, test, vi } from 'vitest';
import { toExtractionTurns } from '../../../src/domain/ingestion/turns.ts';
import { draftDocument } from '../../../src/domain/extraction/draft-document.ts';
import { limits } from '../../../src/domain/limits.ts';
import { extract } from '../extraction/said.ts';

const at = new Date('2026-03-11T15:00:00Z');
type Type = Parameters<typeof toExtractionTurns>[2];
const read = (text: string, type: Type) =>
  toExtractionTurns(text, at, type).map(({ role, name, content }) => [name ?? role, content]);

test.each<{ case: string; type: Type; text: string; turns: string[][] }>([
  {
    case: 'lines that name their speakers',
    type: 'meeting-transcript',
    text: 'Budget review\n\nAda Byron: I moved to York.\nIt is lovely there.\nMax: Good.\n\nAction: none',
    turns: [
      ['user', 'Budget review'],
      ['Ada Byron', 'I moved to York.\nIt is lovely there.'],
      ['Max', 'Good.\n\nAction: none'],
    ],
  },
  {
    case: 'lines with a clock',
    type: 'meeting-transcript',
    text: '[00:00:03] Ada: Shall we begin?\n[00:12:40] Max: I will send the draft.\nMax (00:13): Today.',
    turns: [
      ['Ada', 'Shall we begin?'],
      ['Max', 'I will send the draft.'],
      ['Max', 'Today.'],
    ],
  },
  {
    case: 'subtitles',
    type: 'meeting-transcript',
    text: 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\n<v Ada>Shall we begin?</v>\n\n2\n00:00:05.000 --> 00:00:06.000\nMax: Yes, please do begin.',
    turns: [
      ['Ada', 'Shall we begin?'],
      ['Max', 'Yes, please do begin.'],
    ],
  },
  {
    case: 'a ticket of a customer and an agent',
    type: 'support-ticket',
    text: 'Customer: My router is a Fritz 7590.\nAgent: I have restarted it.',
    turns: [
      ['user', 'My router is a Fritz 7590.'],
      ['assistant', 'I have restarted it.'],
    ],
  },
  {
    case: 'a chat that was pasted as text',
    type: 'ai-chat-conversation',
    text: 'User: I row on Sundays.\nAssistant: Where do you row?',
    turns: [
      ['user', 'I row on Sundays.'],
      ['assistant', 'Where do you row?'],
    ],
  },
  {
    case: 'but no label of another kind there',
    type: 'ai-chat-conversation',
    text: 'Shopping: quinces.\nLater: plums.',
    turns: [['user', 'Shopping: quinces.\nLater: plums.']],
  },
  {
    case: 'a mail without what it answers',
    type: 'email',
    text: 'From: Ada Byron <ada@quillon.example>\nTo: max@quillon.example\nSubject: Re: The ferry\n\nI booked the ferry to Ghent.\n\nOn Mon, 9 Mar 2026 at 10:00, Max wrote:\n> Have you booked it?\n> I would like to know.\n\n-- \nAda Byron\nQuillon Ltd',
    turns: [['Ada Byron', 'I booked the ferry to Ghent.']],
  },
  {
    case: 'a mail that answers between the lines',
    type: 'email',
    text: '> Where do you live?\nI live in Graz.\n> And work?\nI tune pianos.\n\nBest regards,\nAda',
    turns: [
      ['user', 'I live in Graz.'],
      ['user', 'I tune pianos.'],
    ],
  },
  {
    case: 'a mail above an older one',
    type: 'email',
    text: 'Agreed.\n\n-----Original Message-----\nFrom: Max\nI live in Lyon.',
    turns: [['user', 'Agreed.']],
  },
  { case: 'a note as it is', type: 'note', text: 'Ada: quinces', turns: [['user', 'Ada: quinces']] },
])('reads $case', ({ type, text, turns }) => {
  expect(read(text, type)).toEqual(turns);
  expect(toExtractionTurns(text, at, type).every(({ sent, content }) => sent === 0 && text.includes(content))).toBe(
    true,
  );
});

test('what stands behind as many turns as a document may have is one turn of nobody, and is only cut into passages', () => {
  const { max } = limits.turns;
  const text = ['Log', ...Array.from({ length: max + 5 }, (_, n) => `Assistant: Crate ${n} is packed.`)].join('\n');
  const turns = toExtractionTurns(text, at, 'ai-chat-conversation');
  expect(turns).toHaveLength(max + 1);
  const [last, rest] = turns.slice(-2);
  expect(last).toMatchObject({ role: 'assistant', content: `Crate ${max - 2} is packed.` });
  expect(rest).toMatchObject({ role: 'user', content: text.slice(text.indexOf(`Assistant: Crate ${max - 1} `)) });
  const isCutShort = (of: typeof turns) => draftDocument(of, { documentType: 'ai-chat-conversation' }).isCutShort;
  expect([isCutShort(turns.slice(0, -1)), isCutShort(turns)]).toEqual([false, true]);
});

test('a mail in more parts than a document may have turns is read as it was sent', () => {
  const mail = (parts: number) => 'In May.\n> When?\n'.repeat(parts);
  expect(toExtractionTurns(mail(50), at, 'email')).toHaveLength(50);
  const shredded = mail(limits.turns.max + 2);
  expect(toExtractionTurns(shredded, at, 'email')).toMatchObject([{ content: shredded }]);
});

test('a clock counts from the start of the meeting, and a mail has its own date', () => {
  const [, later] = toExtractionTurns(
    '[00:00:00] Ada: Hello all.\n[01:00:05] Max: I am leaving.',
    at,
    'meeting-transcript',
  );
  expect(later!.at).toEqual(new Date('2026-03-11T16:00:05Z'));
  const [mail] = toExtractionTurns('From: Ada\nDate: Mon, 9 Mar 2026 10:00:00 +0000\n\nI moved to York.', at, 'email');
  expect(mail!.at).toEqual(new Date('2026-03-09T10:00:00Z'));
});

test('the time of a mail without a zone is in UTC, wherever the service runs', () => {
  vi.stubEnv('TZ', 'America/New_York');
  const mailsAt = ['Sent: Monday, June 3, 2024 11:30 PM', 'Date: Tue, 4 Jun 2024 01:30:00 +0200'].map(
    (header) => toExtractionTurns(`From: Ada\n${header}\n\nI moved to York.`, at, 'email')[0]?.at,
  );
  const offset = new Date(2024, 0).getTimezoneOffset();
  vi.unstubAllEnvs();
  expect(offset).toBe(300);
  expect(mailsAt).toEqual([new Date('2024-06-03T23:30:00Z'), new Date('2024-06-03T23:30:00Z')]);
});

test('without a clock the parts of a text follow one another', () => {
  const turns = toExtractionTurns('User: In Leeds.\nAssistant: Ok.\nUser: In York.', at, 'ai-chat-conversation');
  expect(turns.map((turn) => turn.at.getTime() - at.getTime())).toEqual([0, 1, 2]);
});

test('a turn that was sent keeps its number', () => {
  const turns = [
    { role: 'user', content: '> Where?\nIn York.\n> When?\nIn May.' },
    { role: 'user', content: 'And in June.' },
  ];
  expect(toExtractionTurns(turns, at, 'email').map(({ index, sent }) => [index, sent])).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
  ]);
});

test('a passage is found by the headings above it', async () => {
  const filler = 'The herons return to the reeds in spring and leave them in autumn, year after year. '.repeat(9);
  const text = `# Refund policy\n\n${filler}\n\n## Exceptions\n\n${filler}\n\n${filler}\n\n## Returns\n\n${filler}`;
  const { candidates } = await extract(toExtractionTurns(text, at, 'markdown'), { documentType: 'markdown' });
  const passages = candidates.filter(({ type }) => type === 'episodes');
  expect(passages.map(({ content }) => content.split('\n')[0])).toEqual([
    '# Refund policy',
    'Refund policy',
    'Refund policy > Exceptions',
    'Refund policy',
  ]);
  expect(passages.every(({ quote }) => text.includes(quote))).toBe(true);
});

test('a table stays whole, and states nothing', async () => {
  const table = `| City | I live in Graz |\n|---|---|\n${'| Lyon | I moved to Lyon |\n'.repeat(40)}`;
  const filler = 'The herons return to the reeds in spring and leave them in autumn. '.repeat(14);
  const { candidates } = await extract(toExtractionTurns(`${filler}\n\n${table}\n\n${filler}`, at, 'document'), {
    documentType: 'document',
  });
  expect(candidates.some(({ content }) => content.includes(table.trim()))).toBe(true);
  const typed = candidates.filter(({ type }) => type !== 'episodes');
  expect(typed.filter(({ content }) => /Graz|Lyon/u.test(content))).toEqual([]);
});
