import { countTokens as countAll } from 'gpt-tokenizer/encoding/o200k_base';

/**
 * The tokenizer takes words, and blanks between them, one by one, each in time that grows with the square of its
 * length. No word is longer than this; a run that is, such as a text in Chinese, is counted in parts of so many
 * characters. A cut adds a token at most.
 */
const longRun = /\S{64}|\s{64}/u;
const part = /\s{1,64}\S{0,64}|\S{1,64}/gu;

/** Marks that control a model, such as `<|endoftext|>`, are counted like any other text. */
const asText = { disallowedSpecial: new Set<string>() };

/** Tokens of a text, in time that grows with its length. */
export function countTokens(text: string): number {
  if (!longRun.test(text)) return countAll(text, asText);
  let tokens = 0;
  for (const [each] of text.matchAll(part)) tokens += countAll(each, asText);
  return tokens;
}

/** The sum of their tokens. */
export const sumTokens = (counted: readonly { readonly tokens: number }[]): number =>
  counted.reduce((sum, { tokens }) => sum + tokens, 0);
