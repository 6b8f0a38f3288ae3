import { expect, test } from 'vitest';
import type { DateOrder, TenseHint } from '../../../src/domain/dates/calendar.ts';
import { findDates } from '../../../src/domain/dates/find-dates.ts';
import { dateOrderOf } from '../../../src/domain/dates/slash-dates.ts';
import { tenseHintAt } from '../../../src/domain/dates/tense.ts';

const wednesday = new Date('2026-03-11T15:00:00Z');
const day = (date: Date | undefined) => date?.toISOString().slice(0, 10);

test.each<{ text: string; tense?: TenseHint; start: string; end: string; precision: string }>([
  { text: 'we met yesterday', start: '2026-03-10', end: '2026-03-11', precision: 'day' },
  { text: 'we met on Friday', start: '2026-03-06', end: '2026-03-07', precision: 'day' },
  { text: 'due on Friday', tense: 'future', start: '2026-03-13', end: '2026-03-14', precision: 'day' },
  { text: 'I was in Graz in May', start: '2025-05-01', end: '2025-06-01', precision: 'month' },
  { text: 'I will be in Graz in May', tense: 'future', start: '2026-05-01', end: '2026-06-01', precision: 'month' },
  { text: 'on 14 March at the clinic', tense: 'future', start: '2026-03-14', end: '2026-03-15', precision: 'day' },
  { text: 'the exam is on March 15', tense: 'future', start: '2026-03-15', end: '2026-03-16', precision: 'day' },
  { text: 'I left in 2019', start: '2019-01-01', end: '2020-01-01', precision: 'year' },
  { text: 'I moved last summer', start: '2025-06-01', end: '2025-09-01', precision: 'season' },
  { text: 'we sailed last week', start: '2026-03-02', end: '2026-03-09', precision: 'week' },
  { text: 'we sailed last weekend', start: '2026-03-07', end: '2026-03-09', precision: 'day' },
  { text: 'it broke two months ago', start: '2026-01-01', end: '2026-02-01', precision: 'month' },
  { text: 'ready before month-end', tense: 'future', start: '2026-03-31', end: '2026-04-01', precision: 'day' },
  { text: 'we met the weekend before last', start: '2026-02-28', end: '2026-03-02', precision: 'day' },
  { text: 'it broke two years ago', start: '2024-01-01', end: '2025-01-01', precision: 'year' },
  { text: 'we met in early March', start: '2026-03-01', end: '2026-03-11', precision: 'week' },
  { text: 'back in late last year', start: '2025-09-01', end: '2026-01-01', precision: 'season' },
  { text: 'I was away from 3 to 5 May', start: '2025-05-03', end: '2025-05-06', precision: 'day' },
  { text: 'away from May 3 to May 5', start: '2025-05-03', end: '2025-05-06', precision: 'day' },
  { text: 'away from 3 to 5 May', tense: 'future', start: '2026-05-03', end: '2026-05-06', precision: 'day' },
  { text: 'I wed in the summer of 2019', start: '2019-06-01', end: '2019-09-01', precision: 'season' },
  { text: 'due the week after next', tense: 'future', start: '2026-03-23', end: '2026-03-30', precision: 'week' },
  { text: 'what I read last Friday', tense: 'future', start: '2026-03-06', end: '2026-03-07', precision: 'day' },
  { text: 'my birthday is on January 5', tense: 'future', start: '2027-01-05', end: '2027-01-06', precision: 'day' },
  { text: 'a call on the 5th', tense: 'future', start: '2026-04-05', end: '2026-04-06', precision: 'day' },
  { text: 'a call on the 31st', tense: 'future', start: '2026-03-31', end: '2026-04-01', precision: 'day' },
  { text: 'we met on the 31st', start: '2026-01-31', end: '2026-02-01', precision: 'day' },
  { text: 'three days from now', tense: 'future', start: '2026-03-14', end: '2026-03-15', precision: 'day' },
  { text: 'two weeks from today', tense: 'future', start: '2026-03-23', end: '2026-03-30', precision: 'week' },
  {
    text: 'we marry in September next year',
    tense: 'future',
    start: '2027-09-01',
    end: '2027-10-01',
    precision: 'month',
  },
  { text: 'due on 3 May next year', tense: 'future', start: '2027-05-03', end: '2027-05-04', precision: 'day' },
  { text: 'with a new agency from 1 May', tense: 'future', start: '2026-05-01', end: '2026-05-02', precision: 'day' },
  { text: 'closed from 20 dec to 3 jan', tense: 'future', start: '2026-12-20', end: '2027-01-04', precision: 'day' },
  {
    text: 'away from the 14th to the 2nd',
    tense: 'future',
    start: '2026-03-14',
    end: '2026-04-03',
    precision: 'day',
  },
  { text: 'I was ill from the 3rd to the 9th', start: '2026-03-03', end: '2026-03-10', precision: 'day' },
  {
    text: 'in August, from the 8th to the 15th',
    tense: 'future',
    start: '2026-08-08',
    end: '2026-08-16',
    precision: 'day',
  },
  {
    text: 'in March, from the 28th to the 3rd',
    tense: 'future',
    start: '2026-03-28',
    end: '2026-04-04',
    precision: 'day',
  },
  {
    text: 'I may travel from the 18th to the 25th',
    tense: 'future',
    start: '2026-03-18',
    end: '2026-03-26',
    precision: 'day',
  },
  { text: 'we marry in may next year', tense: 'future', start: '2027-05-01', end: '2027-06-01', precision: 'month' },
  {
    text: 'we marry in late May next year',
    tense: 'future',
    start: '2027-05-01',
    end: '2027-06-01',
    precision: 'month',
  },
  { text: 'we may next year move', tense: 'future', start: '2027-01-01', end: '2028-01-01', precision: 'year' },
  { text: 'due on 31 June next year', tense: 'future', start: '2027-01-01', end: '2028-01-01', precision: 'year' },
  {
    text: 'it shuts a day earlier, on the 23rd',
    tense: 'future',
    start: '2026-03-23',
    end: '2026-03-24',
    precision: 'day',
  },
  { text: 'ready by Wednesday', tense: 'future', start: '2026-03-18', end: '2026-03-19', precision: 'day' },
  { text: 'we launch in Q3', tense: 'future', start: '2026-07-01', end: '2026-10-01', precision: 'season' },
])('"$text"', ({ text, tense = 'past', start, end, precision }) => {
  const [found] = findDates(text, { at: wednesday }, tense);
  expect({ start: day(found?.start), end: day(found?.end), precision: found?.precision }).toEqual({
    start,
    end,
    precision,
  });
});

test.each<{ case: string; text: string; tense?: TenseHint; start: string }>([
  { case: 'an early hour is one of the afternoon', text: 'on Friday at 2', start: '2026-03-13T14:00' },
  { case: 'a later one of the morning', text: 'on Friday at 9', start: '2026-03-13T09:00' },
  { case: 'one spends the evening over dinner', text: 'dinner on Friday at 8', start: '2026-03-13T20:00' },
  { case: 'who says morning means it', text: 'on Friday at 3 in the morning', start: '2026-03-13T03:00' },
  { case: 'one wakes early', text: 'the alarm is set for Friday at 5', start: '2026-03-13T05:00' },
  { case: 'a zero makes it exact', text: 'on Friday at 05:30', start: '2026-03-13T05:30' },
  { case: 'a train leaves at any hour', text: 'the train on Friday at 5:30', start: '2026-03-13T00:00' },
  { case: 'a day of the month is no hour', text: 'on April 3rd at 10', start: '2026-04-03T10:00' },
  { case: 'a bare hour is the coming one', text: 'a call at 9', start: '2026-03-12T09:00' },
  { case: 'or the last one', text: 'we had a call at 4', tense: 'past', start: '2026-03-10T16:00' },
])('$case', ({ text, tense = 'future', start }) =>
  expect(findDates(text, { at: wednesday }, tense)[0]?.start.toISOString().slice(0, 16)).toBe(start),
);

test('each date has the tense that is said of it', () => {
  const text = 'I met Odile on Friday, and the review is on Friday';
  const found = findDates(text, { at: wednesday }, tenseHintAt(text));
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
])('$case', ({ text }) => expect(findDates(text, { at: wednesday }, 'past')).toEqual([]));

const friday = new Date('2026-11-27T20:00:00Z');
/** The first time that a text names, by its own tense: the day, and the hour where one is named. */
const read = (text: string, at = friday) => {
  const [found] = findDates(text, { at }, tenseHintAt(text));
  return found?.start.toISOString().slice(0, 16).replace('T00:00', '');
};

test.each([
  ['a noun with its verb', "annual review meeting's on the 8th of December at 2", '2026-12-08T14:00'],
  ['"theres"', 'theres a stall at the market 13th dec', '2026-12-13'],
  ['what one has got', 'got one at Sellafield on the 2nd of December', '2026-12-02'],
  ['days without a verb', 'pci audit 7-11 dec', '2026-12-07'],
  ['a day without a verb', 'maths 1 dec', '2026-12-01'],
  ['a day of the month', 'another one at hebden on the 20th', '2026-12-20'],
  ['a weekday', 'choir on Tuesday', '2026-12-01'],
  ['a stay across the year', 'I shall be in the Algarve from 22 December until 2 January', '2026-12-22'],
  ['days across a month', 'code freeze from the 14th to jan 4', '2026-12-14'],
  ['what a thing is in for', "van's in for its service on Tuesday", '2026-12-01'],
  ['a span across months', "I'm away from 3 January to 31 March", '2027-01-03'],
  ['from when on', 'dropping my Fridays from the first of February', '2027-02-01'],
  ['a day of the same name', 'dentist on Friday', '2026-12-04'],
  ['what was bumped', 'bumped to fri', '2026-12-04'],
  ['what was moved', 'it was moved to the 3rd', '2026-12-03'],
  ['what was put back', 'put back a week so the 10th', '2026-12-10'],
  ['another day', 'the 6th instead', '2026-12-06'],
  ['the day of an event', 'parents evening the 8th', '2026-12-08'],
  ['the last one of a report', 'we met on the 3rd', '2026-11-03'],
  ['what was made then', 'I love the pictures from Monday', '2026-11-23'],
  ['what begins', 'The new contract runs from 1 December.', '2026-12-01'],
  ['what is let', '2B is let to a Ms Okonkwo from the 20th of December.', '2026-12-20'],
  ['where it moved', 'Session moved from the 27th to 4 December.', '2026-12-04'],
  ['the later of two', 'The meeting moved from 2 December to 5 December.', '2026-12-05'],
  ['the later weekday', 'The meeting was moved from Monday to Wednesday at 2pm.', '2026-12-02T14:00'],
  ['the one that holds', "It's on the 16th instead of the 9th.", '2026-12-16'],
  ['and no other', 'Sorry, it is 6 December, not 5 December.', '2026-12-06'],
  ['ten to', 'The dentist is tomorrow at ten to five', '2026-11-28T16:50'],
  ['half past', 'The dentist is on 3 December at half four.', '2026-12-03T16:30'],
  ['a quarter', 'Physio at quarter to nine on 3 December', '2026-12-03T08:45'],
])('without a year or a month it is the day that is meant, %s: "%s"', (_, text, expected) =>
  expect(read(text)).toBe(expected),
);

test.each([
  ["we're getting a charger fitted on October 9th by Pod Point", '2026-10-09'],
  ['Band 6 from November 1st', '2026-11-01'],
  ['3 October, at ours', '2026-10-03'],
])('in September, "%s" is to come', (text, expected) =>
  expect(read(text, new Date('2026-09-02T10:00:00Z'))).toBe(expected),
);

test.each([
  ['4 december 12 noon', '2026-12-04T12:00'],
  ['12 december, 30 min set', '2026-12-12'],
  ['12 dec 26', '2026-12-12'],
  ["12 dec '27", '2027-12-12'],
  ['on 4.12.26', '2026-12-04'],
  ['on 12/4/26', '2026-12-04'],
])('a number is a year behind an apostrophe or between numbers only: "%s"', (text, expected) =>
  expect(read(text)).toBe(expected),
);

test.each([
  ['camping the weekend of the 14th', '2026-11-14', '2026-11-02'],
  ['away the weekend of 12 December', '2026-12-12', '2026-11-27'],
  ['lunch on the last Friday of the month', '2026-11-27', '2026-11-20'],
  ['lunch on the first Monday of December', '2026-12-07', '2026-11-20'],
  ['our year-end is 31 March', '2027-03-31', '2026-11-27'],
  ['the one on the 3rd is moved to 5 pm', '2026-12-03T17:00', '2026-11-27'],
  ['2pm on the 3rd of december', '2026-12-03T14:00', '2026-11-27'],
  ['mon 7 dec 15:30', '2026-12-07T15:30', '2026-11-27'],
  ['my last day is Friday the 29th', '2027-01-29', '2026-12-01'],
  ['cortamos el lunes 16', '2026-11-16', '2026-11-03'],
])('"%s" is %s, said on %s', (text, expected, said) => expect(read(text, new Date(said))).toBe(expected));

test.each([
  ['We went to Graz in the summer', '2024-06-01', '2025-02-10'],
  ['In winter we went skiing', '2024-12-01', '2025-03-10'],
  ['We moved in winter', '2024-12-01', '2025-01-10'],
  ['We will ski in winter', '2024-12-01', '2025-01-10'],
  ['We will ski in winter', '2025-12-01', '2025-03-10'],
  ['we will move in spring', '2026-03-01', '2025-11-10'],
  ['We met this summer', '2025-06-01', '2025-11-10'],
  ['I went skiing this winter', '2024-12-01', '2025-11-10'],
  ['I am going skiing this winter', '2025-12-01', '2025-11-10'],
  ['I booked a ski trip this winter', '2025-12-01', '2025-11-10'],
  ['We fly out this summer', '2026-06-01', '2025-11-10'],
  ['Diesen Winter waren wir in Tirol', '2024-12-01', '2025-11-10'],
  ['Este invierno fuimos a la sierra', '2024-12-01', '2025-11-10'],
  ['Cet hiver on est allés au ski', '2024-12-01', '2025-11-10'],
  ['We shipped it in Q4', '2024-10-01', '2025-01-15'],
  ['we launch in Q1', '2026-01-01', '2025-11-15'],
  ['we hit our Q1 target', '2025-01-01', '2025-02-15'],
  ['we hit our target last quarter', '2024-10-01', '2025-02-15'],
])(
  'a season and a quarter are the last or the coming ones, by the tense: "%s" is %s, said on %s',
  (text, expected, said) => expect(read(text, new Date(said))).toBe(expected),
);

test.each([
  ['a month from now', '2025-02-01', '2025-01-31'],
  ['I start in a month', '2025-02-01', '2025-01-31'],
  ['I leave in two months', '2026-02-01', '2025-12-31'],
  ['I start next month', '2025-02-01', '2025-01-31'],
  ['We left two months ago', '2025-02-01', '2025-04-30'],
  ['we moved last month', '2025-02-01', '2025-03-31'],
  ['I start in May', '2025-05-01', '2025-01-31'],
  ['we met this month', '2025-01-01', '2025-01-31'],
])('a month is counted from the last day of one, too: "%s" is %s, said on %s', (text, expected, said) =>
  expect(read(text, new Date(said))).toBe(expected),
);

test.each([
  'deploys Tue/Thu 10:00',
  'no screens after 9pm',
  'no deploys on Friday',
  'college day is Tuesday',
  'bath night is Sunday and Wednesday',
  'the shop opens at 9 am',
  'I train Mon, Wed and Fri',
  'we always meet on Friday',
  'he came in the 5th',
  'Henry the 8th had six wives',
  'jeden Dienstag habe ich Chor',
  'freitags um 18 Uhr gehe ich schwimmen',
  'los lunes tengo yoga a las 7',
  'le lundi je fais du yoga',
  'je dors 8 h par nuit',
  "J'habite au 12 rue Victor Hugo",
  'Hier ist mein 3. Versuch',
  'por la mañana bebo café',
  'the book club meets on the first Thursday of each month',
  'Board meets the first Thursday of the month',
  'I pay rent on the 1st of every month',
  'I see my physio every two weeks on Friday',
  'every Thursday fortnight I clean',
  "I'm always broke at the end of the month",
  'jeden ersten Donnerstag im Monat ist Stammtisch',
  'Am ersten Montag im Monat ist Teamrunde',
  'Alle vierzehn Tage dienstags habe ich Therapie',
  'Alle zwei Wochen am Dienstag habe ich Therapie',
  'Die Miete zahle ich am 1. des Monats',
  'el primer jueves de cada mes cenamos juntos',
  'Tengo terapia un martes sí y otro no',
  'Tengo terapia cada dos martes',
  'Pago el alquiler el día 1 de cada mes',
  "J'ai chorale un mardi sur deux",
  'Le club se réunit le premier jeudi du mois',
  'Je paie le loyer le 5 de chaque mois',
  'Tous les quinze jours le mardi j’ai kiné',
  'Je me lève à six heures',
  'Ich brauche um zwei Euro mehr',
  'Mitte der Woche arbeite ich von zu Hause',
  'I have five to ten people over',
  'It takes a fortnight',
  "J'en ai pour deux heures",
  'On a une réunion de 2 heures',
  'dinner for about five to six guests',
  'in the first half 3 goals',
  'I usually get up at half past six',
  'Every week around 10 people come',
  'a week of 12 hour shifts',
  'We have an 11 kW 3-phase wallbox',
  'Wir haben eine 11 kW 3-phasige Wallbox',
])('a habit, a rule or a row names no day: "%s"', (text) => expect(read(text)).toBeUndefined());

test.each([
  'Add 1/2 cup of sugar',
  'We are open 24/7',
  'I ran 5/10 km',
  "I'd give it 8/12, or 7/10",
  'The song is in 4/4',
  'My blood pressure is 12/8',
  'Le pongo 1/2 taza de azúcar',
  'Rating: 8/10',
  'Great place, 9/10!',
  'We liked it (7/10)',
  'I gave 7/10, and 8/10 for the food',
  'We need a table for 7/8 people',
  '9/10 dentists agree',
  'The odds are 14/1.',
  'Le format 16/9.',
])('a part, a score or hours of opening are no date: "%s"', (text) => expect(read(text)).toBeUndefined());

test.each<[text: string, order: DateOrder | undefined, expected: string]>([
  ['the party is on 3/12', undefined, '2027-03-12'],
  ['the party is on 3/12', 'day-first', '2026-12-03'],
  ['the party is on 3/12/26', 'day-first', '2026-12-03'],
  ['the party is on 12/25', 'day-first', '2026-12-25'],
  ['dentist 3/12 at 4', 'day-first', '2026-12-03'],
  ['the dentist (3/12)', 'day-first', '2026-12-03'],
  ['the dentist is moved to 3/12', 'day-first', '2026-12-03'],
  ['we are away between 3/12 and 8/12', 'day-first', '2026-12-03'],
  ['the report is due on 3/10', undefined, '2027-03-10'],
  ['el 3/12 tengo cita', undefined, '2026-12-03'],
  ['el 3/12 tengo cita', 'month-first', '2027-03-12'],
  ['el 12/25 viajo', undefined, '2026-12-25'],
  ['am 3/12 habe ich einen Termin', undefined, '2026-12-03'],
])('"%s" of who writes the %s is %s', (text, dateOrder, expected) => {
  const said = { at: friday, ...(dateOrder ? { dateOrder } : {}) };
  expect(day(findDates(text, said, 'future')[0]?.start)).toBe(expected);
});

test.each<{ case: string; texts: string[]; order: DateOrder | undefined }>([
  { case: 'a day above twelve stands first', texts: ['due 3/12', 'done on 25/11'], order: 'day-first' },
  { case: 'a day above twelve stands behind', texts: ['due 3/12', 'done on 11/25'], order: 'month-first' },
  { case: 'it is stronger than the language', texts: ['El vuelo es el 12/25 y vuelvo el 1/3'], order: 'month-first' },
  { case: 'German, Spanish and French begin with the day', texts: ['Der Zahnarzt ist am 3/12'], order: 'day-first' },
  { case: 'English may be either', texts: ['The dentist is on 3/12'], order: undefined },
  { case: 'who writes both tells nothing', texts: ['on 25/12 and on 12/26'], order: undefined },
  { case: 'odds and formats tell nothing', texts: ['The odds are 14/1.', 'A format 16/9.'], order: undefined },
  { case: 'what is no date tells nothing', texts: ['We are open 24/7 on 3/12'], order: undefined },
])('the order of day and month: $case', ({ texts, order }) => expect(dateOrderOf(texts)).toBe(order));

test('of a regular slot "during december" the month is kept', () =>
  expect(read('I have the Friday slot during december')).toBe('2026-12-01'));

test.each([
  ['Der Geburtstermin ist der 12. Dezember', '2026-12-12'],
  ['Ich fange am 15. Januar bei einer Schreinerei an', '2027-01-15'],
  ['Zwischenprüfung is am 26', '2026-12-26'],
  ['am 20. muss ich nach Wien', '2026-12-20'],
  ['Zahnarzt übermorgen um 14 Uhr', '2026-11-29T14:00'],
  ['Prüfung nächsten Dienstag um 9', '2026-12-01T09:00'],
  ['am 3.12. um 10:30 Uhr Physio', '2026-12-03T10:30'],
  ['Elternabend Donnerstag halb acht', '2026-12-03T19:30'],
  ['Morgen um 14 Uhr habe ich Zahnarzt.', '2026-11-28T14:00'],
  ['Morgen habe ich um 14 Uhr Zahnarzt.', '2026-11-28T14:00'],
  ['Der Termin ist im Juni.', '2027-06-01'],
  ['La boda es en junio', '2027-06-01'],
  ['Die Rechnung ist vom 3. Oktober', '2026-10-03'],
  ['morgen früh um 8 muss ich zum Arzt', '2026-11-28T08:00'],
  ['vom 3. bis 5. Mai sind wir weg', '2027-05-03'],
  ['Im März ziehe ich um', '2027-03-01'],
  ['in zwei Wochen fliegen wir', '2026-12-07'],
  ['Ich war am Montag beim Zahnarzt', '2026-11-23'],
  ['Am 24. Dezember haben wir geheiratet', '2025-12-24'],
  ['Ich habe für den 12. Dezember einen Tisch reserviert', '2026-12-12'],
  ['Der Termin wurde auf den 14. verschoben', '2026-12-14'],
  ['El 5 de marzo tengo cita a las 16:30', '2027-03-05T16:30'],
  ['El examen es el 12 de diciembre a las 4 de la tarde', '2026-12-12T16:00'],
  ['el próximo lunes empiezo a trabajar', '2026-11-30'],
  ['el lunes que viene tengo médico', '2026-11-30'],
  ['pasado mañana viene mi madre', '2026-11-29'],
  ['mañana a las 9 tengo médico', '2026-11-28T09:00'],
  ['el 20 tengo examen', '2026-12-20'],
  ['del 3 al 5 de mayo estamos en Lisboa', '2027-05-03'],
  ['la semana que viene estoy de vacaciones', '2026-11-30'],
  ['el viernes fui al dentista', '2026-11-27'],
  ['el martes vi a Ana', '2026-11-24'],
  ["le 3 janvier à 9 h j'ai rendez-vous", '2027-01-03T09:00'],
  ['lundi prochain à 14h30', '2026-11-30T14:30'],
  ['le 1er décembre je commence', '2026-12-01'],
  ['après-demain on part', '2026-11-29'],
  ['mardi à 9 h réunion', '2026-12-01T09:00'],
  ['le 20 je pars à Lyon', '2026-12-20'],
  ['le 24/12 on mange chez mamie', '2026-12-24'],
  ['il y a trois semaines nous avons déménagé', '2026-11-02'],
  ['On a mangé chez Paul samedi', '2026-11-21'],
  ['Samedi soir, on était au concert', '2026-11-21'],
  ['El martes, estuve en la boda de Ana', '2026-11-24'],
  ['Mardi, on va chez Paul, on y était bien', '2026-12-01'],
  ['Freitag um elf hab ich Friseur', '2026-12-04T11:00'],
  ['el viernes tengo entrevista a las once', '2026-12-04T11:00'],
  ['el veintitrés de enero tengo cita a las diez y media', '2027-01-23T10:30'],
  ['vendredi je pars à Lyon', '2026-12-04'],
  ['mon rendez vous est le trois janvier a dix heures et demie', '2027-01-03T10:30'],
  ['le vingt et un mars je déménage', '2027-03-21'],
  ['vom 3. Januar bis 31. März bin ich weg', '2027-01-03'],
  ['je suis en stage du 1er janvier au 31 mars', '2027-01-01'],
])('German, Spanish and French: "%s" is %s', (text, expected) => expect(read(text)).toBe(expected));

test.each([
  ['I have a check-up a week on Tuesday', '2026-12-08'],
  ["I'll see the vet Tuesday week at 3pm", '2026-12-08T15:00'],
  ["We're meeting Thursday fortnight", '2026-12-17'],
  ['The exam is a fortnight today', '2026-12-11'],
  ['The exam is in a fortnight', '2026-12-11'],
  ['I saw her a fortnight ago', '2026-11-13'],
  ["We're off at the back end of June", '2027-06-21'],
  ["I'll be back at the beginning of March", '2027-03-01'],
  ["I'm moving at the end of next month", '2026-12-31'],
  ['The viewing is on the 25th of next month', '2026-12-25'],
  ["I'm away the week of the 14th", '2026-12-14'],
  ['I have got physio Monday at ten past four', '2026-11-30T16:10'],
  ['I have got physio Monday at twenty to five', '2026-11-30T16:40'],
  ['The interview is next Weds at half ten', '2026-12-02T10:30'],
  ["I'm picking up the car this arvo", '2026-11-27'],
  ['The review is Wednesday next week', '2026-12-02'],
  ['I saw him last week Thursday', '2026-11-19'],
])('colloquial English: "%s" is %s', (text, expected) => expect(read(text)).toBe(expected));

test.each([
  ['Wir fliegen übernächsten Dienstag nach Wien', '2026-12-08'],
  ['Montag in einer Woche ist die Abgabe', '2026-12-07'],
  ['Heute in acht Tagen ist die Hochzeit', '2026-12-04'],
  ['In vierzehn Tagen ziehe ich um', '2026-12-11'],
  ['Die Schulung ist in KW 12', '2027-03-22'],
  ['Nächste Woche Mittwoch habe ich frei', '2026-12-02'],
  ['Letzte Woche Donnerstag war ich in Köln', '2026-11-19'],
  ['Ende des Monats kündige ich', '2026-11-30'],
  ['Anfang nächster Woche kommt der Techniker', '2026-11-30'],
  ['Übernächstes Wochenende sind wir weg', '2026-12-12'],
  ['Vor einem halben Jahr bin ich umgezogen', '2026-05-01'],
  ['Am Dienstag den 8. habe ich einen Termin', '2026-12-08'],
  ['Am achten Dezember ist die Feier', '2026-12-08'],
  ['Am ersten Montag im Dezember fange ich an', '2026-12-07'],
  ['Am 25. nächsten Monats ziehe ich um', '2026-12-25'],
  ['Die Prüfung ist am 3.12. um Viertel nach neun', '2026-12-03T09:15'],
  ['Das Meeting ist Montag um dreiviertel drei', '2026-11-30T14:45'],
  ['Der Kurs ist Donnerstag um fünf vor halb neun', '2026-12-03T08:25'],
  ['Heute Abend um acht kommt Jonas', '2026-11-27T20:00'],
  ['De aquí a quince días me mudo', '2026-12-11'],
  ['De hoy en ocho es la boda', '2026-12-04'],
  ['A fin de mes entrego el proyecto', '2026-11-30'],
  ['Antes de fin de año quiero mudarme', '2026-12-31'],
  ['El fin de semana que viene vamos a la sierra', '2026-12-05'],
  ['Hace un par de semanas me caí', '2026-11-09'],
  ['El martes que viene no, el siguiente, tengo el examen', '2026-12-08'],
  ['El miércoles de la semana que viene tengo fiesta', '2026-12-02'],
  ['El lunes de la semana pasada empecé', '2026-11-16'],
  ['El primer lunes de diciembre empiezo', '2026-12-07'],
  ['Nos vemos el sábado a las nueve menos cuarto', '2026-11-28T08:45'],
  ['El lunes a las cinco y diez tengo tutoría', '2026-11-30T17:10'],
  ['Tengo hora mañana un cuarto para las nueve', '2026-11-28T08:45'],
  ["J'ai rendez-vous mardi en huit", '2026-12-08'],
  ['Jeudi en quinze, on signe le bail', '2026-12-17'],
  ['Dans quinze jours, je déménage', '2026-12-11'],
  ['Dans huit jours, je passe l’examen', '2026-12-04'],
  ["Il y a une quinzaine de jours j'ai eu la grippe", '2026-11-13'],
  ['À la fin du mois je quitte mon poste', '2026-11-30'],
  ['En début de semaine prochaine je vois la banque', '2026-11-30'],
  ['Le mois dernier j’ai arrêté le café', '2026-10-01'],
  ['Le week-end dernier je suis allé à Rennes', '2026-11-21'],
  ["Lundi de la semaine dernière j'ai commencé", '2026-11-16'],
  ['Le 25 du mois prochain je déménage', '2026-12-25'],
  ['Le 3/12 j’ai une prise de sang', '2026-12-03'],
  ['Le train part demain à 8h moins le quart', '2026-11-28T07:45'],
  ['On se voit samedi à huit heures et demie', '2026-11-28T08:30'],
  ['On se voit à huit heures demain', '2026-11-28T08:00'],
  ['On se voit demain à trois heures de l’après-midi', '2026-11-28T15:00'],
  ['On a une réunion de deux heures mardi', '2026-12-01'],
  ['Lundi à midi et demi je déjeune avec Anne', '2026-11-30T12:30'],
])('colloquial German, Spanish and French: "%s" is %s', (text, expected) => expect(read(text)).toBe(expected));

test('a date in another language has its place in the sentence', () => {
  const text = 'Nora kommt am 12. Dezember um 14 Uhr an';
  const [found] = findDates(text, { at: friday }, 'either');
  expect(text.slice(found?.words.start, found?.words.end)).toBe('am 12. Dezember um 14 Uhr');
});
