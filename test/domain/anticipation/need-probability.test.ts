import { describe, expect, test } from 'vitest';
import { rankByNeedProbability } from '../../../src/domain/anticipation/need-probability.ts';
import { ConversationWindow } from '../../../src/domain/anticipation/conversation-window.ts';
import { baseLevelActivation, type ConversationSituation } from '../../../src/domain/anticipation/features.ts';
import { selectWorthSending } from '../../../src/domain/anticipation/select-worth-sending.ts';
import { createInContextFilter } from '../../../src/domain/anticipation/in-context-filter.ts';
import { associationLikelihoods } from '../../../src/domain/anticipation/learned-associations.ts';
import type { RecalledMemory } from '../../../src/domain/retrieval/recall.ts';

const memory = (id: string, more: Partial<RecalledMemory> = {}): RecalledMemory => ({
  id,
  documentId: id,
  turn: 0,
  passage: 0,
  role: 'user',
  type: 'episodes',
  at: new Date(0),
  opening: `what ${id} says at some length`,
  score: 0,
  ...more,
});
const situation: ConversationSituation = {
  asked: undefined,
  before: [],
  reply: [],
  learned: new Map(),
  ages: () => [],
  accesses: () => undefined,
};
const foreseen = (
  more: Partial<ConversationSituation>,
  extra: RecalledMemory[] = [],
  isInContext: (memory: RecalledMemory) => boolean = () => false,
) => rankByNeedProbability({ ...situation, ...more }, extra, isInContext).map((each) => each.memory.id);

describe('what is likely to be needed', () => {
  test.each<{ case: string; more: Partial<ConversationSituation>; extra?: RecalledMemory[]; first: string }>([
    { case: 'the best of the words that are said', more: { asked: [memory('a'), memory('b')] }, first: 'a' },
    {
      case: 'the words that are said, before those of earlier turns',
      more: { asked: [memory('a')], before: [[memory('b')]] },
      first: 'a',
    },
    {
      case: 'what came up again and again, before what did not',
      more: { before: [[memory('b'), memory('a')]], ages: (id) => (id === 'a' ? [1, 2, 3, 4, 5] : []) },
      first: 'a',
    },
    {
      case: 'what was of use after such words',
      more: { before: [[memory('b'), memory('c'), memory('d')]], learned: new Map([['a', 0.9]]) },
      extra: [memory('a')],
      first: 'a',
    },
    {
      case: 'what people said, before what the agent said',
      more: { before: [[memory('b', { role: 'assistant' }), memory('a')]] },
      first: 'a',
    },
  ])('$case', ({ more, extra, first }) => {
    expect(foreseen(more, extra)[0]).toBe(first);
  });

  test('is a passage or what it states, whichever is likelier: of the same words the statement, not the passage', () => {
    const passage = memory('p', { documentId: 'd' });
    const statement = memory('s', { documentId: 'd', type: 'facts', opening: passage.opening });
    const other = memory('o', { documentId: 'd', passage: 1 });
    expect(foreseen({ before: [[passage, other, statement]] })).toEqual(['s', 'o']);
  });

  test('is each statement of a passage', () => {
    const [peanuts, leeds, passage] = (['facts', 'facts', 'episodes'] as const).map((type, n) =>
      memory(`${n}`, { documentId: 'd', type }),
    );
    expect(foreseen({ before: [[peanuts!, passage!, leeds!]] })).toEqual([peanuts!.id, leeds!.id]);
  });

  test('leaves out what the agent has in its context window, and whatever else was made of that turn', () => {
    const said = memory('said', { documentId: 'd', turn: 3, opening: 'I moved to York, last week.' });
    const made = memory('made', { documentId: 'd', turn: 3, type: 'facts', opening: 'Ada lives in York' });
    const list = [said, made, memory('old')];
    const isInContext = createInContextFilter([{ text: 'You know, I moved to York last week!' }], [list]);
    expect(foreseen({ before: [list] }, [], isInContext)).toEqual(['old']);
  });

  test('keeps the rest of a long text, of which one passage was said', () => {
    const said = memory('said', { documentId: 'd', opening: 'I moved to York, last week.' });
    const stated = memory('stated', { documentId: 'd', type: 'facts', opening: 'Ada lives in York' });
    const rest = memory('rest', { documentId: 'd', passage: 1 });
    const list = [said, stated, rest];
    const isInContext = createInContextFilter([{ text: 'I moved to York last week.' }], [list]);
    expect(foreseen({ before: [list] }, [], isInContext)).toEqual(['rest']);
  });

  test('fades with time and grows with use', () => {
    expect(baseLevelActivation([1], undefined)).toBeGreaterThan(baseLevelActivation([9], undefined));
    expect(baseLevelActivation([1, 2], undefined)).toBeGreaterThan(baseLevelActivation([1], undefined));
    expect(baseLevelActivation([], { count: 5, days: 1 })).toBeGreaterThan(
      baseLevelActivation([], { count: 5, days: 100 }),
    );
    expect(baseLevelActivation([], undefined)).toBe(0);
  });
});

describe('what was of use', () => {
  const known = (ownerNo: number, memoryId: string, used: number, total: number) => ({
    ownerNo,
    context: 1n,
    memoryId,
    used,
    total,
  });

  test('by the own user counts before what others found', () => {
    const likely = associationLikelihoods([known(1, 'mine', 9, 9), known(2, 'theirs', 9, 9)], [1, 2], [1n]);
    expect(likely.get('mine')).toBeGreaterThan(likely.get('theirs')!);
  });

  test('by others counts where the own user has none, and never to more than certainty', () => {
    const likely = associationLikelihoods([known(1, 'm', 1, 2), known(2, 'm', 50, 50)], [1, 2], [1n, 2n]);
    expect(likely.get('m')).toBeGreaterThan(0.3);
    expect(likely.get('m')).toBeLessThan(1);
  });
});

describe('the gate', () => {
  const offer = (id: string, tokens: number, more = {}) => ({
    id,
    tokens,
    score: 0.5,
    possiblyOutdatedBy: null as string | null,
    ...more,
  });
  const sent = (offers: ReturnType<typeof offer>[], tokenBudget: number, isStanding = false) =>
    selectWorthSending(offers, { tokenBudget, isStanding: () => isStanding }).map(({ id }) => id);

  test('leaves out what costs more than it may be worth', () => {
    expect(sent([offer('short', 100), offer('long', 400, { score: 0.001 })], 1_000)).toEqual(['short']);
  });

  test('keeps to the budget, and fills what a large one leaves with smaller ones', () => {
    expect(sent([offer('a', 60), offer('b', 60), offer('c', 30)], 100)).toEqual(['a', 'c']);
  });

  test('leaves half of the budget to what is not standing', () => {
    expect(sent([offer('a', 40), offer('b', 40)], 100, true)).toEqual(['a']);
  });

  test('sends ten others, and none that may be outdated without what may have replaced it', () => {
    const first = Array.from({ length: 9 }, (_, n) => offer(`m${n}`, 1));
    const pair = [offer('newer', 1), offer('older', 1, { possiblyOutdatedBy: 'newer' })];
    expect(sent([...first, ...pair], 100).slice(9)).toEqual(['newer']);
    expect(sent([...first, offer('m9', 1), ...pair], 100).slice(9)).toEqual(['m9']);
    expect(sent([offer('newer', 90), offer('older', 1, { possiblyOutdatedBy: 'newer' })], 50)).toEqual([]);
  });
});

describe('conversation window', () => {
  test('keeps six turns of people, and what was said between them', () => {
    const window = new ConversationWindow();
    for (let n = 1; n <= 9; n += 1) {
      window.hear('people', `question ${n}`);
      window.hear('agent', `answer ${n}`);
    }
    expect(window.heard[0]?.text).toBe('question 4');
    expect(window.asked).toBeUndefined();
    expect(window.before.map(({ text }) => text)).toEqual(['question 9', 'question 8', 'question 7', 'question 6']);
    expect(window.reply?.text).toBe('answer 9');
  });

  test('does not look up again what was being said when it is complete', () => {
    const window = new ConversationWindow();
    window.speaking('where do I live?');
    window.asked!.recall = { found: [memory('a')], terms: [] };
    window.hear('people', 'where do I live?');
    expect(window.asked?.recall?.found).toHaveLength(1);
  });

  test('stays within bounds however long a session lasts', () => {
    const window = new ConversationWindow();
    for (let n = 0; n < 3_000; n += 1) {
      window.hear('agent', 'x'.repeat(100));
      window.recordPresentation({ text: '', by: 'people', recall: { found: [memory(`m${n}`)], terms: [] } });
    }
    expect(window.heard.length).toBeLessThan(30);
    expect(window.presentationAges('m0')).toEqual([]);
    expect(window.presentationAges('m2999')).toEqual([1]);
  });
});
