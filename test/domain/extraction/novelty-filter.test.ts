import { expect, test } from 'vitest';
import { contentKey, datedContentKey } from '../../../src/domain/extraction/content-key.ts';
import { isSmallTalk } from '../../../src/domain/extraction/small-talk.ts';
import { extractFrom } from './said.ts';

const reasons = async (said: Parameters<typeof extractFrom>[0]) =>
  (await extractFrom(said)).discarded.map(({ turn, reason }) => [turn, reason]);

test.each([
  ['Hiya, good to see you again!', true],
  ['Good evening. How are things going?', true],
  ['Hi there! What can I do for you today?', true],
  ['Goodbye, talk to you soon 👋', true],
  ['Alright, great, thanks so much!', true],
  ['That makes perfect sense.', true],
  ['Yep, got it. Sounds perfect.', true],
  ["You're very welcome! Is there anything else I can help you with?", true],
  ['Guten Tag zusammen. Wie geht es dir?', true],
  ['Buenos días. ¿Qué tal?', true],
  ['Merci beaucoup, bonne soirée !', true],
  ['Guten Tag, ich wohne in Graz.', false],
  ['Hola, soy Marta.', false],
  ['Thanks for the tip about Lisbon.', false],
  ['Good morning, my flight is late.', false],
  ['No, it is 14.', false],
  ['Ok, delete the file.', false],
  ['Great weather in Graz.', false],
])('"%s" is small talk: %s', (text, is) => expect(isSmallTalk(text)).toBe(is));

test.each([
  {
    case: 'an empty turn',
    said: ['  ', '🙂'],
    discarded: [
      [0, 'empty'],
      [1, 'empty'],
    ],
  },
  {
    case: 'what was said before, in other marks',
    said: ['I row on Sundays.', 'i row on sundays'],
    discarded: [[1, 'repeat']],
  },
  {
    case: 'a greeting by name, but not what comes with it',
    said: [
      'Hallo Jonas!',
      ['assistant', 'Hallo Marta.'],
      'Hi Jonas, I sold the boat.',
      'Thanks Claude!',
      'hey anna!',
      'Guten Tag, Frau Lang.',
    ],
    discarded: [
      [0, 'small-talk'],
      [1, 'small-talk'],
      [3, 'small-talk'],
      [4, 'small-talk'],
      [5, 'small-talk'],
    ],
  },
  {
    case: 'no answer that reads like a greeting',
    said: [['assistant', 'What is your favourite song?'], 'Hey Jude'],
    discarded: [],
  },
  {
    case: 'no greeting among several, which tells who is there',
    said: [
      ['user', 'Hallo Jonas!', 'Marta'],
      ['user', 'Hi Marta!', 'Jonas'],
    ],
    discarded: [],
  },
  {
    case: 'a recap by the assistant',
    said: ['I row on Sundays.', ['assistant', 'As you mentioned earlier: I row on Sundays. Anything else?']],
    discarded: [[1, 'echo']],
  },
  {
    case: 'a recap of an earlier document',
    said: [['assistant', 'Based on your memories: You row on Sundays. You have a cat.']],
    discarded: [[0, 'echo']],
  },
  {
    case: 'an echo without announcement',
    said: [
      'I row on the lake on Sundays.',
      ['assistant', 'Got it, you row on the lake on Sundays.'],
      ['assistant', 'So you row on Sundays on the lake.'],
    ],
    discarded: [
      [1, 'echo'],
      [2, 'echo'],
    ],
  },
  {
    case: 'not a recap that goes on to something new',
    said: [['assistant', 'As you told me, you row. The regatta in Lucerne opens on 9 July.']],
    discarded: [],
  },
  {
    case: 'not an answer that repeats the question',
    said: ['Is the lake frozen in March?', ['assistant', 'The lake is frozen in March.']],
    discarded: [],
  },
  {
    case: 'not a user who tells it again in other words',
    said: ['I row on Sundays.', 'As I told you before: I row on Sundays.'],
    discarded: [],
  },
  {
    case: 'not "yes" to a question of substance',
    said: [['assistant', 'Are you allergic to penicillin?'], 'Yes.'],
    discarded: [],
  },
  {
    case: 'not "yes" to a question that ends with a title and a name',
    said: [['assistant', 'Are you seeing Dr. Chen?'], 'Yes.', ['assistant', 'Did you move to St. Albans?'], 'Indeed.'],
    discarded: [],
  },
  {
    case: 'but "never mind" to any question',
    said: [['assistant', 'Are you allergic to penicillin?'], 'Never mind.'],
    discarded: [[1, 'small-talk']],
  },
  {
    case: 'but "yes" to small talk',
    said: [['assistant', 'How are you?'], 'Yes.'],
    discarded: [
      [0, 'small-talk'],
      [1, 'small-talk'],
    ],
  },
  {
    case: 'not the same few words to another question',
    said: [['assistant', 'How often do you run?'], 'Every day.', ['assistant', 'How often do you cook?'], 'Every day.'],
    discarded: [],
  },
  {
    case: 'not a value that has become news again',
    said: ['I live in Graz.', 'I moved to Lyon.', 'I live in Graz.'],
    discarded: [],
  },
] as const)('leaves out $case', async ({ said, discarded }) => expect(await reasons(said)).toEqual(discarded));

test.each([
  {
    case: 'case, marks and contractions do not count',
    one: "I'm  ALLERGIC to nuts!",
    other: 'i am allergic to nuts',
    isSame: true,
  },
  { case: 'a decimal point does', one: 'It is 3.5 km.', other: 'It is 35 km.', isSame: false },
  { case: 'a sign at a word does', one: 'I write C++.', other: 'I write C.', isSame: false },
  { case: 'a question is not its answer', one: 'You row?', other: 'You row.', isSame: false },
  { case: 'emphasis does not', one: 'I really do love hiking.', other: 'I love hiking!', isSame: true },
  { case: 'nor the place of a time', one: 'On Sundays, I row.', other: 'I row on Sundays', isSame: true },
  { case: 'nor the spelling', one: 'My favorite color is teal', other: 'My favourite colour is teal', isSame: true },
  { case: 'nor a noun for an adjective', one: "I'm vegetarian", other: 'I am a vegetarian.', isSame: true },
  { case: 'an article may', one: 'I speak a little French.', other: 'I speak little French.', isSame: false },
  { case: 'the case of an article does not', one: 'The code is 4417.', other: 'the code is 4417', isSame: true },
  { case: 'a number does', one: 'I own two dogs.', other: 'I own three dogs.', isSame: false },
  { case: 'a name does', one: 'Ada met Just.', other: 'Ada met Jo.', isSame: false },
  { case: 'who does what does', one: 'Ada likes Bob.', other: 'Bob likes Ada.', isSame: false },
  { case: 'another time does', one: 'I row on Sundays.', other: 'I row on Mondays.', isSame: false },
  { case: 'that it is over does', one: 'I still smoke.', other: 'I smoke.', isSame: false },
  { case: 'a denial is not its opposite', one: 'I do row.', other: "I don't row.", isSame: false },
])('$case', ({ one, other, isSame }) => expect(contentKey(one) === contentKey(other)).toBe(isSame));

test.each([
  ['I saw Odile yesterday.', true],
  ['The exam is in two weeks.', true],
  ['Heute war ich schwimmen.', true],
  ['Ich habe nächste Woche frei.', true],
  ['Mañana viajo a Lyon.', true],
  ['Me mudé hace 3 semanas.', true],
  ["J'ai nagé aujourd'hui.", true],
  ['I row in the morning.', false],
  ['Ich schwimme im Sommer.', false],
  ['Nado en verano.', false],
])('"%s" says another thing on another day: %s', (text, isAnother) => {
  const [one, other] = [9, 10].map((day) => datedContentKey(text, new Date(Date.UTC(2026, 2, day))));
  expect(one !== other).toBe(isAnother);
});
