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
    case: 'who is one by marriage',
    turns: ['my brother in law theo is a plumber', 'he covers north london mostly'],
    kept: 'My brother in law covers north london mostly',
  },
  {
    case: 'whose last something is told of',
    turns: ['My daughter Iris plays the cello.', 'Her last concert was in Leeds in May.'],
    kept: "My daughter Iris's last concert was in Leeds in May.",
  },
  {
    case: 'with whom others are',
    turns: ['My husband Greg moved to Didsbury.', 'The boys are with him every Wednesday.'],
    kept: 'The boys are with my husband Greg every Wednesday.',
  },
  {
    case: 'to whom something is done',
    turns: ['My daughter Iris plays the cello.', 'I drive her to lessons every Tuesday.'],
    kept: 'I drive my daughter Iris to lessons every Tuesday.',
  },
  {
    case: 'with whose name the sentence before begins, and of whom the one in between tells too',
    turns: [
      'My grandson Elliot set this up.',
      'The doctor says no grapefruit.',
      'Elliot rang. He is moving back! He has taken a position in Bath.',
    ],
    kept: 'Elliot has taken a position in Bath.',
  },
])('a pronoun is replaced by the person $case', async ({ turns, kept }) => {
  expect(await contentsOf(turns)).toContain(kept);
});

test.each<{ case: string; turns: Said; kept: string }>([
  {
    case: 'two may be meant',
    turns: ['I had lunch with Anna and Dora.', 'She is moving to Spain next year.'],
    kept: 'I had lunch with Anna and Dora. She is moving to Spain next year.',
  },
  {
    case: 'somebody of whom nobody knows what they are may be',
    turns: ['My mum and dad are coming on Friday.', 'My ex Jonas still has the car.', 'He wants it till June.'],
    kept: 'My mum and dad are coming on Friday. My ex Jonas still has the car. He wants it till June.',
  },
  {
    case: 'one may be of that sex, and another was told to be',
    turns: ['My son Tim turns five on Saturday.', 'My neighbour Karen is coming.', "He's allergic to nuts."],
    kept: "My son Tim turns five on Saturday. My neighbour Karen is coming. He's allergic to nuts.",
  },
  {
    case: 'only one of the other sex was named since',
    turns: ['My partner Lee met my sister.', "My dad came too. She's allergic to cats."],
    kept: "My partner Lee met my sister. She's allergic to cats.",
  },
  {
    case: 'somebody without a name may be',
    turns: ["I met Anna's brother.", "He's a chef in Leeds."],
    kept: "I met Anna's brother. He's a chef in Leeds.",
  },
  {
    case: 'a church bears a name of its own',
    turns: ["The funeral was at St Columba's.", "I'm still angry with him."],
    kept: "I'm still angry with him.",
  },
  {
    case: 'the statement begins with a name that an earlier one told',
    turns: [
      'Our puppy is called Biscuit.',
      'Our old dog Monty died in spring.',
      'Biscuit is on raw food, the breeder said to keep him on it.',
    ],
    kept: 'Biscuit is on raw food, the breeder said to keep him on it.',
  },
  {
    case: 'two are told of in one sentence, in lower case',
    turns: ['my two kids are mia and tom', ['assistant', 'Lovely names.'], "she's 9 and does ballet"],
    kept: "my two kids are mia and tom. she's 9 and does ballet",
  },
  {
    case: 'several are meant',
    turns: [
      'my in-laws are visiting',
      ['assistant', 'When?'],
      'dec 20 to jan 4',
      "they're vegetarian and don't eat onion",
    ],
    kept: "my in-laws are visiting. they're vegetarian and don't eat onion",
  },
  {
    case: 'the sentence before brings in somebody else',
    turns: ['Our product manager, Tanja, left. She was replaced by Omar.', "He's based in Cairo."],
    kept: "Our product manager, Tanja, left. She was replaced by Omar. He's based in Cairo.",
  },
  {
    case: 'it is of one of two things',
    turns: ["i've got two bikes, a brompton and a canyon", ['assistant', 'Nice.'], 'the other one is for weekends'],
    kept: "i've got two bikes, a brompton and a canyon. the other one is for weekends",
  },
  {
    case: 'it is in German',
    turns: ['meine oma ist gestürzt', ['assistant', 'Oh nein.'], 'sie liegt jetzt im klinikum kassel'],
    kept: 'meine oma ist gestürzt. sie liegt jetzt im klinikum kassel',
  },
  {
    case: 'it leaves out its subject in Spanish',
    turns: ['mi abuela rosa cumple 90 en abril', ['assistant', 'Entiendo.'], 'vive en una residencia en burgos'],
    kept: 'mi abuela rosa cumple 90 en abril. vive en una residencia en burgos',
  },
  {
    case: 'it is in French, and the weather was spoken of in between',
    turns: ['mon fils tom fait du judo', 'il pleut tous les jours ici à brest', 'il a une compétition le 12 décembre'],
    kept: 'mon fils tom fait du judo. il a une compétition le 12 décembre',
  },
])('a statement with a pronoun is kept with what was said of whom it is where $case', async ({ turns, kept }) => {
  expect(await contentsOf(turns)).toContain(kept);
});

test.each<{ case: string; turns: Said; kept: string }>([
  {
    case: 'who it is of',
    turns: ['my parents are getting old', ['assistant', 'Where do they live?'], 'in boise, since 1990'],
    kept: 'my parents are getting old. Where do they live? in boise, since 1990',
  },
  {
    case: 'what it is of',
    turns: ["i'm learning the cello", ['assistant', 'How long?'], '2 years now'],
    kept: "i'm learning the cello. How long? 2 years now",
  },
  {
    case: 'nothing where it is clear by itself',
    turns: ['I live in Graz.', ['assistant', "What's your notice period?"], 'three months'],
    kept: "What's your notice period? three months",
  },
  {
    case: 'nothing where it names somebody else',
    turns: ['il fait froid chez moi', ['assistant', 'Et votre père ?'], 'il vit à rennes, il a 70 ans'],
    kept: 'Et votre père ? il vit à rennes, il a 70 ans',
  },
])('before the question of an answer stands $case', async ({ turns, kept }) => {
  expect(await contentsOf(turns)).toContain(kept);
});

test('what is told of somebody is kept beside what is told of them by a pronoun', async () => {
  expect(await contentsOf(['My parents moved to Boise. They have two dogs.'])).toEqual([
    'My parents moved to Boise.',
    'My parents moved to Boise. They have two dogs.',
  ]);
});

test.each<{ case: string; turns: Said; kept: string }>([
  {
    case: 'it may be to whom something is given',
    turns: ['My wife Sara is from Cork.', 'I gave her money for the flight to Dublin.'],
    kept: 'I gave her money for the flight to Dublin.',
  },
  {
    case: 'the statement names somebody itself',
    turns: ['My son Tim turns five next week.', 'My brother sold his car.'],
    kept: 'My brother sold his car.',
  },
  {
    case: 'the statement brings in somebody else',
    turns: ["I look after my mum, she's 86.", "A carer comes every morning, she's called Blessing."],
    kept: "A carer comes every morning, she's called Blessing.",
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

test('what is kept with what was said before mentions whom that names, and quotes only what was said then', async () => {
  const typed = await typedIn('I had lunch with Anna and Dora.', 'She is moving to Spain next year.');
  expect(typed.at(-1)).toMatchObject({
    asSaid: 'She is moving to Spain next year.',
    quote: 'She is moving to Spain next year.',
    turns: [1, 0],
  });
  expect(typed.at(-1)!.entities.map(({ name }) => name)).toEqual(expect.arrayContaining(['Anna', 'Dora']));
});
