import { expect, test } from 'vitest';
import type { TenseHint } from '../../../src/domain/language/calendar.ts';
import { findDates } from '../../../src/domain/language/dates.ts';
import { tenseHintAt } from '../../../src/domain/language/tense.ts';

const wednesday = new Date('2026-03-11T15:00:00Z');
const day = (date: Date | undefined) => date?.toISOString().slice(0, 10);

test.each<{ text: string; leaning?: TenseHint; start: string; end: string; precision: string }>([
  { text: 'we met yesterday', start: '2026-03-10', end: '2026-03-11', precision: 'day' },
  { text: 'we met on Friday', start: '2026-03-06', end: '2026-03-07', precision: 'day' },
  { text: 'due on Friday', leaning: 'future', start: '2026-03-13', end: '2026-03-14', precision: 'day' },
  { text: 'I was in Graz in May', start: '2025-05-01', end: '2025-06-01', precision: 'month' },
  { text: 'I will be in Graz in May', leaning: 'future', start: '2026-05-01', end: '2026-06-01', precision: 'month' },
  { text: 'on 14 March at the clinic', leaning: 'future', start: '2026-03-14', end: '2026-03-15', precision: 'day' },
  { text: 'the exam is on March 15', leaning: 'future', start: '2026-03-15', end: '2026-03-16', precision: 'day' },
  { text: 'I left in 2019', start: '2019-01-01', end: '2020-01-01', precision: 'year' },
  { text: 'I moved last summer', start: '2025-06-01', end: '2025-09-01', precision: 'season' },
  { text: 'we sailed last week', start: '2026-03-02', end: '2026-03-09', precision: 'week' },
  { text: 'we sailed last weekend', start: '2026-03-07', end: '2026-03-09', precision: 'day' },
  { text: 'it broke two months ago', start: '2026-01-01', end: '2026-02-01', precision: 'month' },
  { text: 'ready before month-end', leaning: 'future', start: '2026-03-31', end: '2026-04-01', precision: 'day' },
  { text: 'we met the weekend before last', start: '2026-02-28', end: '2026-03-02', precision: 'day' },
  { text: 'it broke two years ago', start: '2024-01-01', end: '2025-01-01', precision: 'year' },
  { text: 'we met in early March', start: '2026-03-01', end: '2026-03-11', precision: 'week' },
  { text: 'back in late last year', start: '2025-09-01', end: '2026-01-01', precision: 'season' },
  { text: 'I was away from 3 to 5 May', start: '2025-05-03', end: '2025-05-06', precision: 'day' },
  { text: 'away from May 3 to May 5', start: '2025-05-03', end: '2025-05-06', precision: 'day' },
  { text: 'away from 3 to 5 May', leaning: 'future', start: '2026-05-03', end: '2026-05-06', precision: 'day' },
  { text: 'I wed in the summer of 2019', start: '2019-06-01', end: '2019-09-01', precision: 'season' },
  { text: 'due the week after next', leaning: 'future', start: '2026-03-23', end: '2026-03-30', precision: 'week' },
  { text: 'what I read last Friday', leaning: 'future', start: '2026-03-06', end: '2026-03-07', precision: 'day' },
  { text: 'my birthday is on January 5', leaning: 'future', start: '2027-01-05', end: '2027-01-06', precision: 'day' },
  { text: 'a call on the 5th', leaning: 'future', start: '2026-04-05', end: '2026-04-06', precision: 'day' },
  { text: 'a call on the 31st', leaning: 'future', start: '2026-03-31', end: '2026-04-01', precision: 'day' },
  { text: 'we met on the 31st', start: '2026-01-31', end: '2026-02-01', precision: 'day' },
  { text: 'three days from now', leaning: 'future', start: '2026-03-14', end: '2026-03-15', precision: 'day' },
  { text: 'we launch in Q3', leaning: 'future', start: '2026-07-01', end: '2026-10-01', precision: 'season' },
])('"$text"', ({ text, leaning = 'past', start, end, precision }) => {
  const [found] = findDates(text, wednesday, leaning);
  expect({ start: day(found?.start), end: day(found?.end), precision: found?.precision }).toEqual({
    start,
    end,
    precision,
  });
});

test.each<{ case: string; text: string; leaning?: TenseHint; start: string }>([
  { case: 'an early hour is one of the afternoon', text: 'on Friday at 2', start: '2026-03-13T14:00' },
  { case: 'a later one of the morning', text: 'on Friday at 9', start: '2026-03-13T09:00' },
  { case: 'one spends the evening over dinner', text: 'dinner on Friday at 8', start: '2026-03-13T20:00' },
  { case: 'who says morning means it', text: 'on Friday at 3 in the morning', start: '2026-03-13T03:00' },
  { case: 'one wakes early', text: 'the alarm is set for Friday at 5', start: '2026-03-13T05:00' },
  { case: 'a zero makes it exact', text: 'on Friday at 05:30', start: '2026-03-13T05:30' },
  { case: 'a train leaves at any hour', text: 'the train on Friday at 5:30', start: '2026-03-13T00:00' },
  { case: 'a day of the month is no hour', text: 'on April 3rd at 10', start: '2026-04-03T10:00' },
  { case: 'a bare hour is the coming one', text: 'a call at 9', start: '2026-03-12T09:00' },
  { case: 'or the last one', text: 'we had a call at 4', leaning: 'past', start: '2026-03-10T16:00' },
])('$case', ({ text, leaning = 'future', start }) =>
  expect(findDates(text, wednesday, leaning)[0]?.start.toISOString().slice(0, 16)).toBe(start),
);

test('each date has the tense that is said of it', () => {
  const text = 'I met Odile on Friday, and the review is on Friday';
  const found = findDates(text, wednesday, tenseHintAt(text));
  expect(found.map(({ start }) => day(start))).toEqual(['2026-03-06', '2026-03-13']);
});

test.each([
  { case: 'a day that recurs is no date', text: 'I swim every Tuesday' },
  { case: 'nor is a length of time', text: 'I lived there for two years' },
  { case: 'nor a month as another word', text: 'we march on, it may rain' },
  { case: 'nor a month as a friend', text: 'my friend April lives in Paris' },
  { case: 'nor a temperature', text: 'the cellar is at 12°C' },
  { case: 'nor a speed', text: 'the wind blew at 9' },
  { case: 'nor the hour of every day', text: 'the shop opens at 9' },
  { case: 'nor a floor', text: 'the flat is on the 5th floor' },
  { case: 'nor how often', text: 'I read it for the 2nd time' },
  { case: 'nor a bare number', text: 'it fell from 1.8 to 1.2' },
  { case: 'nor a year that something has', text: "this year's harvest was poor" },
])('$case', ({ text }) => expect(findDates(text, wednesday, 'past')).toEqual([]));
