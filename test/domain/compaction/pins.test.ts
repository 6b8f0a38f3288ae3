import { describe, expect, test } from 'vitest';
import type { CompactionStrategy, CompactionTurn, SpanMemory } from '../../../src/domain/compaction/compaction.ts';
import { compactTurns } from '../../../src/domain/compaction/compact-turns.ts';
import type { SentenceClassifications } from '../../../src/domain/compaction/classify-sentences.ts';
import { isAcceptance } from '../../../src/domain/compaction/dialogue-acts.ts';
import { pinKindOfAssistantSentence, pinKindOfHumanSentence } from '../../../src/domain/compaction/pin-rules.ts';
import type { Classification } from '../../../src/domain/extraction/statement-classifier.ts';

describe('somebody takes what was offered', () => {
  test.each([
    ["Let's take that one."],
    ["Perfect, I'll take it."],
    ['Book the second one please.'],
    ['Please do that.'],
  ])('%s', (text) => expect(isAcceptance(text, { isAsked: false })).toBe(true));

  test.each([
    ["Don't do that."],
    ["Let's not do that."],
    ["No, I won't take it."],
    ['How do I do that?'],
    ['I take this pill every day.'],
    ['I read a book that I liked.'],
    ['Great.'],
  ])('and not: %s', (text) => expect(isAcceptance(text, { isAsked: false })).toBe(false));

  test('a mere yes takes it where it was asked for', () => {
    expect(isAcceptance('Yes please.', { isAsked: true })).toBe(true);
    expect(isAcceptance('No thanks.', { isAsked: true })).toBe(false);
  });
});

const pinKindOfReply = (text: string, { answered = '' } = {}) =>
  pinKindOfAssistantSentence({ text, isAccepted: false, answered });

describe('a pattern tells why words of people stay', () => {
  test.each([
    ['Always answer in metric units.', 'instruction'],
    ['From here on put the invoices into the shared folder.', 'instruction'],
    ["Please don't call me at work.", 'instruction'],
    ['No me llames por la mañana.', 'instruction'],
    ['Bitte nicht vor neun anrufen.', 'instruction'],
    ['Do not touch the old sails.', 'instruction'],
    ["I hate engines, don't put any in.", 'instruction'],
    ['Never call me at work, ok?', 'instruction'],
    ['My wife is allergic to feathers, are the cushions filled with down?', 'constraint'],
    ['Mi hermano es celíaco.', 'constraint'],
    ['Keine Zwiebeln, die vertrage ich nicht.', 'constraint'],
    ['I also ordered two cushions, AB-20417, where are they?', 'identifier'],
    ['No plastic, it breaks.', 'constraint'],
    ['We are on a diet, so no sugar for us.', 'constraint'],
    ['Also please no engine noise before nine.', 'constraint'],
    ['The room must cost less than 80 a night.', 'constraint'],
    ['Decision: we rent the smaller boat.', 'decision'],
    ["I'll send the drawings to the harbour office.", 'commitment'],
    ['The colour is still to be decided.', 'question'],
    ['The receipt is AB-20417.', 'identifier'],
    ['Please deliver to 12 Mill Lane.', 'identifier'],
    ['The mooring ends Sept. 12.', 'identifier'],
    ['Ich wohne in der Hafenstraße 12.', 'identifier'],
  ])('%s', (text, kind) => expect(pinKindOfHumanSentence(text)).toBe(kind));

  test.each([
    ['No problem, that works.'],
    ['No idea what it is called.'],
    ['I have never been to Norway.'],
    ['People never read the manual.'],
    ['If we had a boat I would sail to AB-20417 at 9:30.'],
    ['I will think of you.'],
    ["Haha, don't let me buy another boat."],
    ['Is it AB-20417?'],
    ['We have maybe 3 chairs.'],
    ["I don't use sugar in my tea."],
    ["Don't know yet."],
    ['Can I only eat fish, or is meat fine?'],
    ['Keine Ahnung, vielleicht morgen.'],
  ])('and not: %s', (text) => expect(pinKindOfHumanSentence(text)).toBeUndefined());

  test('in a time that grows with their length', { timeout: 1_000 }, () => {
    expect(pinKindOfHumanSentence(`no ${'a'.repeat(400)}1`)).toBeUndefined();
  });

  test('of a machine, what it arranged, and not what it only repeats', () => {
    expect(pinKindOfReply('Your reference is AB-20417.')).toBe('identifier');
    expect(pinKindOfReply('Noted, nothing before 9:30.')).toBeUndefined();
    expect(pinKindOfReply('The guarantee KW-20417 moves to the new engine.')).toBe('identifier');
    const answered = 'The deadline is 4 May.';
    expect(pinKindOfReply('Deadline 4 May.', { answered })).toBeUndefined();
    expect(pinKindOfReply('Deadline 4 May, at 9:30.', { answered })).toBe('commitment');
    expect(pinKindOfReply("I'll send it by 4 May.", { answered })).toBe('commitment');
    expect(pinKindOfReply('Your refund is £42.', { answered: 'I paid £420.' })).toBe('identifier');
    expect(pinKindOfReply("I'll remind you on 4 May to renew it.")).toBe('commitment');
  });

  test.each([
    'I will order the stand by Tuesday.',
    'I will draft the email to parents by Friday.',
    "I'll check with the harbour master and let you know.",
    'I have booked a table for eight at Luigi for Friday.',
  ])('and what it promised: %s', (text) => expect(pinKindOfReply(text)).toBe('commitment'));

  test.each(["I'll keep that in mind this week.", 'I will note that.', 'If I could I would order it by Tuesday.'])(
    'which is not: %s',
    (text) => expect(pinKindOfReply(text)).toBeUndefined(),
  );
});

const user = (...contents: string[]): CompactionTurn[] =>
  contents.map((content, n) => ({ n, role: 'user', name: null, content }));

const memory = (quote: string, n: number, more: Partial<SpanMemory> = {}): SpanMemory => ({
  id: `${n}/${quote}`,
  type: 'facts',
  category: 'other',
  content: quote,
  status: 'active',
  supersededBy: null,
  isScheduled: false,
  confidence: 0.7,
  isReworded: false,
  quotes: [{ text: quote, turns: [n] }],
  ...more,
});

/** Turns of no consequence, so that a target leaves room for some of them only. */
const idle = Array.from({ length: 30 }, (_, n) => `The boats looked calm again ${'in the light '.repeat(1 + (n % 3))}`);

/** The turns as a compaction reads them. */
const sourcesOf = (turns: CompactionTurn[], memories: SpanMemory[] = []) => ({
  turns,
  memories,
  earlier: { pins: [], memories: [] },
  firstUningestedTurn: null,
  failedTurns: [],
});

const unclassified: SentenceClassifications = () => undefined;
const inFull = { previous: null, classify: async () => unclassified };

const compacted = async (
  said: string[],
  memories: SpanMemory[],
  {
    strategy = 'balanced',
    targetTokens = null,
    classifications = unclassified,
  }: { strategy?: CompactionStrategy; targetTokens?: number | null; classifications?: SentenceClassifications } = {},
) =>
  compactTurns(
    sourcesOf(user(...said, ...idle), memories),
    { strategy, targetTokens },
    { previous: null, classify: async () => classifications },
  );

const none = { fact: 0, preference: 0, instruction: 0, emotion: 0, event: 0 };
/** The model says this of the sentence at the beginning of a turn. */
const judging =
  (n: number, said: Partial<Classification>): SentenceClassifications =>
  ({ turn, start }) =>
    turn.n === n && start === 0
      ? { worth: 0.1, kinds: none, quoted: 0, dependent: 0, span: [0, 1], ...said }
      : undefined;

test('the words that state a memory stay, and not the rest of their turn', async () => {
  const said = 'We sat there for hours. My sister Dana keeps bees, by the way. It rained all day.';
  const made = await compacted([said], [memory('My sister Dana keeps bees', 0)], { targetTokens: 45 });
  expect(made!.pins).toMatchObject([{ kind: 'fact', text: 'My sister Dana keeps bees', turns: [0] }]);
  expect(made!.systemPrompt).toContain('0: My sister Dana keeps bees\n');
});

test('what two memories state of overlapping words stands once', async () => {
  const said = 'My sister Dana keeps bees in Leeds';
  const memories = [memory('My sister Dana keeps bees', 0), memory('Dana keeps bees in Leeds', 0)];
  const made = await compacted([said], memories);
  expect(made!.pins.map(({ text }) => text)).toEqual([said]);
  expect(made!.validationScore).toBe(1);
});

test('passages of one turn stay apart where words between them were left out', async () => {
  const said = 'My sister Dana keeps bees and laughs a lot while Tom has 3 goats';
  const memories = [memory('My sister Dana keeps bees', 0), memory('Tom has 3 goats', 0)];
  const made = await compacted([said], memories, { targetTokens: 30 });
  expect(made!.systemPrompt).toContain('0: My sister Dana keeps bees; Tom has 3 goats\n');
});

test('an answer of a word or two stands with its question', async () => {
  const asked = 'Which harbour do you sail from?';
  const answer = memory('Whitby', 1, { content: `${asked} Whitby`, quotes: [{ text: 'Whitby', turns: [0, 1] }] });
  const made = await compacted([asked, 'Whitby'], [{ ...answer, isScheduled: true }]);
  expect(made!.systemPrompt).toContain(`0,1: ${asked} Whitby\n`);
});

test.each([
  { strategy: 'aggressive', pinned: ['My sister Dana keeps bees'] },
  { strategy: 'balanced', pinned: ['My sister Dana keeps bees', 'My brother Tom keeps goats'] },
  { strategy: 'adaptive', pinned: [] },
] as const)('$strategy keeps facts in any case as sure as its room asks for', async ({ strategy, pinned }) => {
  const memories = [
    memory('My sister Dana keeps bees', 0, { confidence: 0.95 }),
    memory('My brother Tom keeps goats', 1, { confidence: 0.6 }),
  ];
  const made = await compacted(['My sister Dana keeps bees', 'My brother Tom keeps goats'], memories, { strategy });
  expect(made!.pins.map(({ text }) => text)).toEqual(pinned);
});

test('the score counts what was extracted, and not what stands in every text', async () => {
  const limits = Array.from({ length: 20 }, (_, n) => `At most ${n + 2} boats a day.`);
  const facts = ['My cousin keeps goats up on the hill', 'My cousin plays the harp in the evening'];
  const memories = facts.map((fact, n) => memory(fact, limits.length + n, { confidence: 0.4 }));
  const made = await compacted([...limits, ...facts], memories, { targetTokens: 5 });
  expect(made!.pins).toHaveLength(limits.length);
  expect(made!.validationScore).toBe(0);
});

test('adaptive tells the cheapest of what was extracted until the score is reached', async () => {
  const facts = Array.from({ length: 20 }, (_, n) => `My cousin Tom${n} keeps goats${' and sheep'.repeat(n)}`);
  const memories = facts.map((fact, n) => memory(fact, n));
  const made = await compacted(facts, memories, { strategy: 'adaptive' });
  expect(made!.validationScore).toBe(0.95);
  expect(made!.systemPrompt).not.toContain(facts.at(-1));
});

test('a preference binds no less than a limit, also where little room is aimed at', async () => {
  const said = 'would rather have the cabin at the back';
  const made = await compacted([said], [memory(said, 0, { type: 'preferences' })], { targetTokens: 5 });
  expect(made!.pins).toMatchObject([{ kind: 'preference', text: said }]);
  expect(made!.systemPrompt).toContain(said);
});

test('what the model takes for an order, and was not sure enough of to remember, is an order', async () => {
  const said = 'to the office with the parcels';
  const classifications = judging(0, { worth: 0.6, kinds: { ...none, instruction: 0.4 } });
  expect((await compacted([said], [], { classifications }))!.pins).toMatchObject([{ kind: 'instruction', text: said }]);
  expect((await compacted([said], []))!.pins).toEqual([]);
});

describe('of what nothing was extracted, the model tells', () => {
  const kept = async (said: string, judged: Partial<Classification>, strategy: CompactionStrategy = 'balanced') =>
    (await compacted([said], [], { strategy, classifications: judging(0, judged) }))!.pins.map(({ kind }) => kind);

  test('what corrects something, also where it is hardly sure that this is worth keeping', async () => {
    expect(await kept('actually let the harbour master paint it', { worth: 0.3 })).toEqual(['current_value']);
    expect(await kept('no that is all', { worth: 0.05 })).toEqual([]);
  });

  test('what is as sure as a fact that is kept, also where it says nothing without the talk around it', async () => {
    const said = 'and the other one on Thursday already';
    expect(await kept(said, { worth: 0.7 })).toEqual(['fact']);
    expect(await kept(said, { worth: 0.7 }, 'aggressive')).toEqual([]);
    expect(await kept(said, { worth: 0.7 }, 'adaptive')).toEqual(['fact']);
    expect(await kept('and the other one is broken', { worth: 0.7 })).toEqual([]);
    expect(await kept('and I felt awful the whole way', { worth: 0.9, kinds: { ...none, emotion: 0.8 } })).toEqual([]);
  });
});

test('a correction that was remembered stays in little room too, however unsure it is', async () => {
  const said = 'Tom left, ask Ines for the keys instead';
  const made = await compacted([said], [memory(said, 0, { confidence: 0.6 })], { strategy: 'aggressive' });
  expect(made!.pins).toMatchObject([{ kind: 'current_value', text: said }]);
});

test('quoted, played and supposed words are kept for no pattern', async () => {
  const said = '"Always pay me in 20 gold coins" is what the pirate says';
  expect((await compacted([said], []))!.pins).toHaveLength(1);
  expect((await compacted([said], [], { classifications: judging(0, { quoted: 0.9 }) }))!.pins).toEqual([]);
});

test('a narrative tells first what is worth remembering', async () => {
  const said = 'the mast broke last week';
  const how = { targetTokens: 60, strategy: 'balanced' } as const;
  const classifications = judging(3, { worth: 0.65 });
  const around = ['It was calm', 'so we sat there', 'and looked at it', said, 'then we went home', 'and slept'];
  expect((await compacted(around, [], { ...how, classifications }))!.systemPrompt).toContain(said);
});

test('a fact that stands in the same words as what was replaced is not told', async () => {
  const said = 'my sister Dana keeps bees in Leeds';
  const memories = [
    memory(said, 0),
    memory('keeps bees in Leeds', 0, { status: 'superseded' }),
    memory('my brother Tom keeps goats', 1),
  ];
  for (const strategy of ['balanced', 'conservative', 'adaptive'] as const) {
    const made = await compacted([said, 'my brother Tom keeps goats'], memories, { strategy });
    expect(made!.systemPrompt).not.toContain('Leeds');
  }
});

test('what was replaced is not told either where somebody else repeats it word for word', async () => {
  const said = 'my sister Dana keeps bees in Leeds';
  const draft = `The receipt is AB-20417. Dear Tom, ${said} these days.`;
  const memories = [memory(said, 0, { status: 'superseded' }), memory('my brother Tom keeps goats', 1)];
  const made = await compacted([said, 'my brother Tom keeps goats', draft], memories, { strategy: 'conservative' });
  expect(made!.systemPrompt).toContain('The receipt is AB-20417');
  expect(made!.systemPrompt).not.toContain('Leeds');
});

test('and is told again where it was said again since', async () => {
  const said = 'my sister Dana keeps bees in Leeds';
  const memories = [memory(said, 0, { status: 'superseded' }), memory(said, 2)];
  const made = await compacted([said, 'Or is it York?', said], memories, { strategy: 'conservative' });
  expect(made!.systemPrompt).toContain(`2: ${said}`);
});

test('of a sentence that states both, only what still holds is told', async () => {
  const said = 'I want to see all 20 harbours, and have seen 17 of them by now';
  const whole = { quotes: [{ text: said, turns: [0] }] };
  const memories = [
    memory('have seen 17 of them by now', 0, { ...whole, type: 'temporal_events' }),
    memory('I want to see all 20 harbours', 0, { ...whole, status: 'superseded' }),
  ];
  const made = await compacted([said], memories);
  expect(made!.pins.map(({ text }) => text)).toEqual(['have seen 17 of them by now']);
  expect(made!.systemPrompt).not.toContain('I want to see');
});

test('a part that still holds is told by the memory where its words do not stand side by side', async () => {
  const said = 'I live in Leeds with my cat Biscuit and take warfarin and am allergic to nuts';
  const whole = { quotes: [{ text: said, turns: [0] }] };
  const memories = [
    memory('I live in Leeds', 0, { ...whole, status: 'superseded' }),
    memory('I take warfarin', 0, { ...whole, status: 'superseded' }),
    memory('I live with my cat Biscuit', 0, whole),
    memory('I am allergic to nuts', 0, { ...whole, category: 'health' }),
  ];
  for (const strategy of ['aggressive', 'balanced', 'adaptive'] as const) {
    const { systemPrompt } = (await compacted([said], memories, { strategy }))!;
    expect(systemPrompt).toContain('0: I live with my cat Biscuit; !I am allergic to nuts\n');
    expect(systemPrompt).not.toMatch(/Leeds|warfarin/);
  }
});

test('what binds stays where another part of its sentence was replaced', async () => {
  const said = 'Decision: we rent the smaller boat, and my budget is 5000 euros';
  const whole = { quotes: [{ text: said, turns: [0] }] };
  const made = await compacted([said], [memory('my budget is 5000 euros', 0, { ...whole, status: 'superseded' })]);
  expect(made!.pins).toMatchObject([{ kind: 'decision', text: 'Decision: we rent the smaller boat' }]);
  expect(made!.systemPrompt).not.toContain('5000');
});

test('a correction keeps its words, and the values of the answer that was chosen from stay', async () => {
  const answered = 'The 6:38 from Horsforth arrives at 6:52. The sea is calm.';
  const turns: CompactionTurn[] = [
    { n: 0, role: 'user', name: null, content: 'Which train is there in the morning?' },
    { n: 1, role: 'assistant', name: null, content: answered },
    { n: 2, role: 'user', name: null, content: 'ok use the 6:38. Actually no, the 6:22, it is never full' },
    ...user(...idle).map((turn, n) => ({ ...turn, n: n + 3 })),
  ];
  const made = await compactTurns(sourcesOf(turns), { strategy: 'aggressive', targetTokens: 20 }, inFull);
  expect(made!.systemPrompt).toContain('1 assistant: The 6:38 from Horsforth arrives at 6:52.\n');
  expect(made!.systemPrompt).toContain('2: ok use the 6:38. Actually no, the 6:22, it is never full\n');
});

test('an exact value in a long sentence is kept with the clauses that tell of what it is', async () => {
  const said =
    'We were out on the water the whole day and saw nobody at all, so in the end I bought the lantern, it cost £42.50, and then we sat there';
  const made = await compacted([said], [], { targetTokens: 20 });
  expect(made!.pins.map(({ text }) => text)).toEqual(['so in the end I bought the lantern, it cost £42.50']);
});

test('no words are told twice where a memory and a value share them', async () => {
  const said = 'Please invoice the cake stand to order 88-1204, it cost £42.50';
  for (const strategy of ['adaptive', 'aggressive', 'balanced', 'conservative'] as const) {
    const made = await compacted([said], [memory(said, 0)], { strategy });
    expect(made!.systemPrompt).toContain(`0: ${said}\n`);
  }
});

test('what people accept is kept with their consent, which alone tells what it is', async () => {
  const turns: CompactionTurn[] = [
    { n: 0, role: 'user', name: null, content: 'Find us a berth near the old harbour.' },
    { n: 1, role: 'assistant', name: null, content: 'There is one at Quay Seven for 40 euros a night. It has shade.' },
    { n: 2, role: 'user', name: null, content: "Let's take that one." },
    ...user(...idle).map((turn, n) => ({ ...turn, n: n + 3 })),
  ];
  const made = await compactTurns(sourcesOf(turns), { strategy: 'aggressive', targetTokens: 20 }, inFull);
  expect(made!.pins).toMatchObject([
    { kind: 'decision', text: 'There is one at Quay Seven for 40 euros a night.', speaker: 'assistant' },
    { kind: 'decision', text: "Let's take that one." },
  ]);
});

/** People and an assistant in turn, then talk of no consequence, in little room. */
const talked = async (said: string[], memories: SpanMemory[] = []) => {
  const turns = said.map((content, n) => ({ n, role: n % 2 ? 'assistant' : 'user', name: null, content }));
  const after = user(...idle).map((turn) => ({ ...turn, n: turn.n + said.length }));
  const made = await compactTurns(
    sourcesOf([...turns, ...after], memories),
    { strategy: 'aggressive', targetTokens: 5 },
    inFull,
  );
  return made!.systemPrompt.split('\n').slice(1, -2);
};

describe('a question', () => {
  test('that is kept is kept with its answer', async () => {
    const asked = 'Is the dentist free on 12 May?';
    const event = memory(asked, 0, { type: 'temporal_events' });
    expect(await talked([asked, 'No, only on the day after. It is a holiday.'], [event])).toEqual([
      `0: ${asked}`,
      '1 assistant: No, only on the day after.',
    ]);
  });

  test('that is put off is kept, whoever puts it off', async () => {
    const asked = 'Is the guarantee for two years or three?';
    const promised = "I'll check and get back to you by Friday.";
    expect(await talked([asked, promised])).toEqual([`0: ${asked}`, `1 assistant: ${promised}`]);
    const undecided = 'Should the boat stay in the water or on land?';
    expect(await talked([undecided, 'On land is safer.', "I'll ask my brother.", 'Fine.'])).toEqual([
      `0: ${undecided}`,
      "2: I'll ask my brother.",
    ]);
  });

  test('is no longer kept as open once what is kept answers it', async () => {
    const answer = 'The new mast is 9 metres high.';
    const open = ['How high the mast is has to be decided.', 'Tell me.'];
    expect(await talked([...open, 'It rains.'])).toEqual([`0: ${open[0]}`]);
    const said = [...open, answer];
    expect(await talked(said, [memory(answer, 2, { confidence: 0.95 })])).toEqual([`2: ${answer}`]);
  });
});

test('what a machine undertakes is kept with the request that it answers', async () => {
  const [asked, promised] = ["ok let's wait and think about it on Monday", "I'll bring it up on Monday."];
  expect(await talked([asked, promised])).toEqual([`0: ${asked}`, `1 assistant: ${promised}`]);
});

test('an answer of a word or two stands with its question alone, and not with what that is about', async () => {
  const said = ['We bought a new fridge.', 'How wide is it?', '60 cm'];
  const quotes = [{ text: '60 cm', turns: [2, 0, 1] }];
  const width = memory('60 cm', 2, { content: said.join(' '), quotes, isScheduled: true });
  expect(await talked(said, [width])).toEqual(['1,2: How wide is it? 60 cm']);
});
