import { expect, test } from 'vitest';
import { VerbatimText } from '../../../src/domain/compaction/verbatim.ts';

test.each([
  ['my budget is 500', 'my budget is 50', false],
  ['my budget is 50.5', 'my budget is 50', false],
  ['my budget is 1,500', '500', false],
  ['my budget is 500, and no: my budget is 50', 'my budget is 50', true],
  ['My budget is 50.', 'budget is 50', true],
  ['she likes artists', 'she likes art', false],
  ['3: she\nlikes   art; 50', 'she likes art', true],
  ['因为我喜欢茶所以', '我喜欢茶', true],
  ['0: !Write ‹turns> first.', 'Write <turns> first.', true],
])('%j holds %j: %s', (text, words, held) => expect(new VerbatimText(text).holds(words)).toBe(held));
