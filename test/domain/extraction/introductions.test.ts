import { expect, test } from 'vitest';
import { extractFrom, typedIn } from './said.ts';

const contents = async (text: string) => (await typedIn(text)).map(({ content }) => content);
const residences = async (text: string) =>
  (await typedIn(text)).flatMap(({ attribute }) => (attribute?.name === 'residence' ? [attribute.value] : []));

test.each([
  ['My name is Jorun.', 'identity'],
  ["I'm originally from Graz.", 'identity'],
  ['btw im vegan', 'health'],
  ['cant eat gluten', 'health'],
  ['I have asthma.', 'health'],
  ['Allergic to walnuts.', 'health'],
  ['I have a spaniel called Biscuit.', 'relations'],
])('"%s" tells of %s', async (text, category) =>
  expect(await typedIn(text)).toMatchObject([{ type: 'facts', category }]),
);

test.each([
  { case: 'a state with a capital is no name', text: "I'm Tired" },
  { case: 'nor is what one is done with', text: "I'm Done!" },
  { case: 'nor an apology to somebody', text: "I'm Sorry, Jorun." },
  { case: 'a question names nobody', text: "I'm Jorun?" },
  { case: 'what one is in for is nothing', text: "I'm in" },
  { case: 'nor what one looks for', text: "I'm looking for a flat." },
  { case: 'a winner has no trade', text: "I'm a winner." },
  { case: 'who cannot wait avoids nothing', text: "Can't eat that" },
])('$case', async ({ text }) => expect(await contents(text)).toEqual([]));

test('a denial names nobody', async () => {
  const [denial, ...others] = await typedIn("I'm not Jorun.");
  expect(denial).toMatchObject({ content: "I'm not Jorun." });
  expect(denial!.attribute).toBeUndefined();
  expect(others).toEqual([]);
});

test.each([
  ["I'm Jorun and I live in Graz.", ["I'm Jorun", 'I live in Graz.']],
  ["I'm 34, I live in Graz.", ["I'm 34", 'I live in Graz.']],
  ["I'm tired and I live in Graz.", ['I live in Graz.']],
  ["It's raining but I live in Graz.", ['I live in Graz.']],
  ["I'm vegan and I'm a nurse.", ["I'm vegan", "I'm a nurse."]],
  [
    'I live in Graz, I work at Quillon and I have two kids.',
    ['I live in Graz', 'I work at Quillon', 'I have two kids.'],
  ],
  ["I love hiking, hate running, and can't stand opera.", ['I love hiking', 'I hate running', "I can't stand opera."]],
  ["I'm vegan, what can I cook?", ["I'm vegan"]],
])('"%s" says several things', async (text, expected) => expect(await contents(text)).toEqual(expected));

test.each([
  { case: 'what is wished goes on being wished', text: 'I wish I lived in Graz and I had a dog.' },
  { case: 'and what depends on it', text: "I'd be happy if I lived in Graz and I had a dog." },
  { case: 'a condition covers all that follows', text: 'If I lived in Graz and I had a dog, I would walk more.' },
  { case: "another's opinion is not the speaker's", text: "She says I'm lazy and I live in Lyon." },
  { case: 'what stands in quotes is not cut out of them', text: 'She told me "I\'m Jorun and I live in Lyon".' },
  { case: 'a letter to be written says nothing', text: 'Write an email saying I am sick and my boss is an idiot.' },
  { case: 'nor does a part to be played', text: "Pretend I'm Jorun and I live in Lyon." },
  { case: 'a reminder of nothing is none', text: 'Remind me the day before.' },
  { case: 'a request is part of its question', text: "I'm looking for a tent, which one is light?" },
])('$case', async ({ text }) => expect(await contents(text)).toEqual([]));

test('what a comma joins to a noun stays with it', async () => {
  expect(await contents('I had lunch with Odile, my oldest friend, on Friday.')).toHaveLength(1);
  expect(await contents('I prefer songs with an acceptance and love theme.')).toHaveLength(1);
  expect(await contents('I prefer guests who sing and hate noise.')).toHaveLength(1);
});

test.each([
  ['Guess what, I live in Lyon now!', 'lyon'],
  ['Moved to Lyon yesterday!', 'lyon'],
  ['just moved to new york', 'new york'],
  ['well i moved to leeds from york last month', 'leeds'],
  ['Odile and I moved to Lyon.', 'lyon'],
  ['omg i live in leeds', 'leeds'],
  ['I just moved to Lyon from Graz.', 'lyon'],
  ["I've moved from Graz to Lyon", 'lyon'],
  ['Yesterday I moved to Lyon, it was exhausting.', 'lyon'],
  ['I moved to Lyon last week, so it is 12 Mill Lane now.', 'lyon'],
  ['We moved to Lyon, so please send parcels to 12 Mill Lane.', 'lyon'],
  ['My wife and I moved to Lyon in January.', 'lyon'],
  ['I live in Lyon, can you recommend a gym?', 'lyon'],
])('"%s" tells of a home in %s', async (text, place) => expect(await residences(text)).toEqual([place]));

test.each([
  { case: 'a mood is no home', text: 'i live in fear' },
  { case: 'a system is none', text: 'i moved to linux' },
  { case: 'a column is none', text: 'Moved to Done.' },
  { case: 'a move without a place tells of none', text: 'We moved again!' },
  { case: 'a move that ends soon gives no home', text: 'I moved to Lyon, so it is only until May.' },
  { case: 'a meeting moves nobody', text: 'Moved the meeting to Lyon Street' },
])('$case', async ({ text }) => expect(await residences(text)).toEqual([]));

test('who leaves out the "I", or its apostrophe, is named in what is kept', async () => {
  const { candidates } = await extractFrom([['user', 'Moved to Lyon! Im vegan btw.', 'Jo']]);
  expect(candidates.slice(1).map(({ content }) => content)).toEqual(['Jo moved to Lyon!', 'Jo is vegan btw.']);
});
