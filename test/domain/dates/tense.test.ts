import { expect, test } from 'vitest';
import { tenseHintAt } from '../../../src/domain/dates/tense.ts';

const tense = (text: string) => tenseHintAt(text)(text.search(/(?:on )?Monday/u));

test.each([
  { case: 'what one has is to come', text: 'I have a review on Monday' },
  { case: 'also what one has got', text: 'I have got a job interview on Monday' },
  { case: 'what one is nervous about', text: 'I am nervous about the exam on Monday' },
  { case: 'what is', text: 'The recital of my niece is on Monday' },
  { case: 'what somebody has', text: 'Odile has a deadline on Monday' },
  { case: 'a verb in the present', text: 'We fly to Graz on Monday' },
  { case: 'of a third person', text: 'Jorun visits us on Monday' },
  { case: 'a timetable', text: 'My lease ends on Monday' },
  { case: 'the classes of a timetable', text: 'The classes start on Monday' },
  { case: 'a date before its verb', text: 'On Monday I have an exam' },
  { case: 'what will be done', text: 'The office will be closed on Monday' },
  { case: 'what had better be done', text: 'I had better leave on Monday' },
  { case: 'what one heard of the present', text: 'I was told that the exam is on Monday' },
  { case: 'what was moved to a day', text: 'The meeting was moved to Monday' },
  { case: 'what slipped to a day', text: 'The launch slipped to Monday' },
  { case: 'what was extended until a day', text: 'We extended our stay until Monday' },
  { case: 'what was booked for it', text: 'I booked a table for Monday' },
  { case: 'what one has booked', text: 'I have a table booked on Monday' },
  { case: 'the day that somebody said', text: 'They said Monday' },
  { case: 'what was promised', text: 'I promised to call Jorun on Monday' },
  { case: 'an order', text: 'Remind me to pay the rent on Monday' },
  { case: 'an appointment without a verb', text: 'Dentist appointment on Monday' },
])('$case: "$text"', ({ text }) => expect(tense(text)).toBe('future'));

test.each([
  { case: 'what one had has passed', text: 'I had an exam on Monday' },
  { case: 'also what one has had', text: 'I have had a headache on Monday' },
  { case: 'where one has been', text: 'I have been to the dentist on Monday' },
  { case: 'what could not be', text: 'I could not sleep on Monday' },
  { case: 'what should have been', text: 'I should have called on Monday' },
  { case: 'since when it is', text: 'I am ill since Monday' },
  { case: 'where a thing is from', text: 'Here is the picture from Monday' },
  { case: 'what one is happy about', text: 'I am happy about the win on Monday' },
  { case: 'what one is sorry about', text: 'I am so sorry about Monday' },
  { case: 'what one remembers', text: 'I remember the talk on Monday' },
  { case: 'what one read', text: 'I read it on Monday' },
  { case: 'what one now has', text: 'I love the book I bought on Monday' },
  { case: 'a verb nearer to the date', text: 'I think we met on Monday' },
  { case: 'what was once to come', text: 'I was nervous about the review on Monday' },
  { case: 'after what', text: 'I am better after talking to her on Monday' },
  { case: 'until when somebody stayed', text: 'We stayed in Graz until Monday' },
  { case: 'the end of a span', text: 'I was ill from Friday to Monday' },
  { case: 'to what one was invited', text: 'We were invited on Monday' },
  { case: 'when something was said', text: 'They agreed on Monday' },
  { case: 'a report without a verb', text: 'Great dinner on Monday' },
])('$case: "$text"', ({ text }) => expect(tense(text)).toBe('past'));

test.each([
  { case: 'a note without a verb', text: 'Choir on Monday' },
  { case: 'what one got another of', text: 'Got another one on Monday' },
])('$case tells neither: "$text"', ({ text }) => expect(tense(text)).toBe('either'));

test.each([
  { case: 'a noun with its verb', text: "The van's in on Monday" },
  { case: 'what one gets done', text: 'We are getting the boiler serviced on Monday' },
  { case: 'until when', text: 'Reply to the letter by Monday' },
])('$case is to come: "$text"', ({ text }) => expect(tense(text)).toBe('future'));

test.each([
  { case: 'what was moved in German', text: 'Die Abgabe wurde auf den 15. Januar verlängert', leans: 'future' },
  { case: 'what was moved in Spanish', text: 'El examen se retrasó al 15 de enero', leans: 'future' },
  { case: 'what was moved in French', text: 'Le rendez-vous a été repoussé au 15 janvier', leans: 'future' },
  { case: 'a night in German', text: 'In der Nacht auf den 15. Januar war ich wach', leans: 'past' },
  { case: 'what is to be moved in German', text: 'Wir verschieben die Abgabe auf den 15. Januar', leans: 'future' },
  { case: 'what lies on something in German', text: 'Wir saßen auf den 15 Stühlen', leans: 'either' },
  { case: 'who works from a month to a day', text: "J'ai travaillé chez Bosch de janvier au 15 mars", leans: 'past' },
  { case: 'also in Spanish', text: 'Trabajé allí de enero al 15 de marzo', leans: 'past' },
  { case: "what is somebody's", text: 'Le rendez-vous de Paul a été mis au 15 janvier', leans: 'future' },
  { case: 'a span that is moved', text: 'Le rendez-vous a été repoussé du 10 au 15 janvier', leans: 'future' },
  { case: 'the end of a span in French', text: "J'étais à Lyon jusqu'au 15 janvier", leans: 'past' },
])('$case leans to the $leans: "$text"', ({ text, leans }) =>
  expect(tenseHintAt(text)(text.indexOf('15'))).toBe(leans),
);

test('for what one signed up may be to come', () => expect(tense('I signed up for the race on Monday')).toBe('either'));
