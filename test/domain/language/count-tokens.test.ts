import { describe, expect, test } from 'vitest';
import { countTokens } from '../../../src/domain/language/count-tokens.ts';

/** As many characters as one message may have, in an order that no word of the vocabulary has. */
const filled = (alphabet: string) =>
  Array.from({ length: 100_000 }, (_, n) => alphabet[(n * 7_919 + ((n * n) % 31)) % alphabet.length]).join('');

describe('tokens', () => {
  test.each([
    { text: '', tokens: 0 },
    { text: 'Ada keeps bees on her roof.', tokens: 7 },
    { text: 'two  blanks\n\nand two lines', tokens: 7 },
  ])('$text: $tokens', ({ text, tokens }) => {
    expect(countTokens(text)).toBe(tokens);
  });

  test.each(['<|endoftext|>', 'what does <|endofprompt|> mean?'])('a model’s own marks are text: %s', (text) => {
    expect(countTokens(text)).toBeGreaterThan(3);
  });

  test.each([
    { case: 'Chinese', alphabet: '的一是不了人我在有他这中大来上国' },
    { case: 'letters', alphabet: 'abcdefghijklmnopqrstuvwxyz' },
    { case: 'marks', alphabet: '!?.,;:-_=+' },
    { case: 'blanks', alphabet: ' ' },
    { case: 'blanks of all kinds', alphabet: ' \t\n\r' },
    { case: 'faces', alphabet: '\u200d\u2060' },
  ])('a message of nothing but $case is counted within two seconds', ({ alphabet }) => {
    const began = performance.now();
    expect(countTokens(filled(alphabet))).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
