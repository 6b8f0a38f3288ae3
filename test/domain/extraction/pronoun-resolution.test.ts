import { expect, test } from 'vitest';
import { typedIn } from './said.ts';

type Said = Parameters<typeof typedIn>;

const contentsOf = async (turns: Said) => (await typedIn(...turns)).map(({ content }) => content);

test.each<{ case: string; turns: Said; kept: string }>([
  {
    case: 'of the turn before',
    turns: ['My son Tim turns five next week.', "He's allergic to nuts."],
    kept: 'My son Tim is allergic to nuts.',
  },
  {
    case: 'of the sentence before',
    turns: ['My boss Carla wants weekly reports. She prefers slides to docs.'],
    kept: 'My boss Carla prefers slides to docs.',
  },
  {
    case: 'that somebody else asked about',
    turns: ['I have no brothers here.', ['assistant', 'And your sister?'], 'She lives in Porto now.'],
    kept: 'My sister lives in Porto now.',
  },
  {
    case: 'of the sex that is meant',
    turns: ['My partner Lee met my sister.', "My dad came too. She's allergic to cats."],
    kept: "She's allergic to cats.",
  },
  {
    case: 'that somebody else names to the speaker',
    turns: [
      'I met Iris at the pool today.',
      ['assistant', 'How old is Iris, Maya?'],
      'She is twelve and plays the cello.',
    ],
    kept: 'Iris is twelve and plays the cello.',
  },
  {
    case: 'whose something is told of',
    turns: ['My son Tim turns five next week.', 'His teacher is Mrs Okafor.'],
    kept: "My son Tim's teacher is Mrs Okafor.",
  },
  {
    case: 'of the sentence before, though another was named long ago',
    turns: ['My cousin Ravi is a pilot in Doha.', "I'm worried about my dad. He fell in March and broke his hip."],
    kept: 'My dad fell in March and broke his hip.',
  },
  {
    case: 'whose last something is told of',
    turns: ['My daughter Iris plays the cello.', 'Her last concert was in Leeds in May.'],
    kept: "My daughter Iris's last concert was in Leeds in May.",
  },
  {
    case: 'to whom something is done',
    turns: ['My daughter Iris plays the cello.', 'I drive her to lessons every Tuesday.'],
    kept: 'I drive my daughter Iris to lessons every Tuesday.',
  },
])('a pronoun is replaced by the person $case', async ({ turns, kept }) => {
  expect(await contentsOf(turns)).toContain(kept);
});

test.each<{ case: string; turns: Said; kept: string }>([
  {
    case: 'two may be meant',
    turns: ['I had lunch with Anna and Dora.', 'She is moving to Spain next year.'],
    kept: 'She is moving to Spain next year.',
  },
  {
    case: 'somebody of whom nobody knows what they are may be',
    turns: ['My mum and dad are coming on Friday.', 'My ex Jonas still has the car.', 'He wants it till June.'],
    kept: 'He wants it till June.',
  },
  {
    case: 'one may be of that sex, and another was told to be',
    turns: ['My son Tim turns five on Saturday.', 'My neighbour Karen is coming.', "He's allergic to nuts."],
    kept: "He's allergic to nuts.",
  },
  {
    case: 'it may be to whom something is given',
    turns: ['My wife Sara is from Cork.', 'I gave her money for the flight to Dublin.'],
    kept: 'I gave her money for the flight to Dublin.',
  },
  {
    case: 'somebody without a name may be',
    turns: ["I met Anna's brother.", "He's a chef in Leeds."],
    kept: "He's a chef in Leeds.",
  },
  {
    case: 'the statement names somebody itself',
    turns: ['My son Tim turns five next week.', 'My brother sold his car.'],
    kept: 'My brother sold his car.',
  },
  {
    case: 'only who is spoken to is named',
    turns: [['assistant', 'Hi Maya! Good to see you.'], 'She has two kids and a dog.'],
    kept: 'She has two kids and a dog.',
  },
  {
    case: 'the speaker is the only one named',
    turns: ["I'm Maya.", 'She has two kids and a dog.'],
    kept: 'She has two kids and a dog.',
  },
])('a pronoun stays where $case', async ({ turns, kept }) => {
  expect(await contentsOf(turns)).toContain(kept);
});

test('what is told of somebody who was named before mentions them, and cites both turns', async () => {
  const typed = await typedIn('My son Tim turns five next week.', "He's allergic to nuts.");
  expect(typed.at(-1)).toMatchObject({
    content: 'My son Tim is allergic to nuts.',
    asSaid: "He's allergic to nuts.",
    quote: "He's allergic to nuts.",
    turns: [1, 0],
    entities: [{ name: 'Tim', kind: 'person' }],
  });
});
