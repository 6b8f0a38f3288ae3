import { expect, test } from 'vitest';
import { selectSentences, type CandidateSentence } from '../../../src/domain/compaction/select-sentences.ts';
import { countTokens } from '../../../src/domain/language/count-tokens.ts';

const asked = 'Could you please tell me where it was left?';
const requested = 'Could you send the landlord a reminder?';

const candidates = [asked, requested].map((text, n): CandidateSentence => ({
  turn: { n, role: 'user', name: null, content: text },
  start: 0,
  end: text.length,
  text,
  tokens: countTokens(text),
  worth: 0,
  isExtracted: false,
}));

test('a question that asks for something to be done counts as what it asks for, before one that asks for an answer', async () => {
  const budget = Math.max(...candidates.map(({ tokens }) => tokens));
  const chosen = await selectSentences(candidates, { budget, overhead: 0, told: new Set() });
  expect(chosen.map(({ text }) => text)).toEqual([requested]);
});
