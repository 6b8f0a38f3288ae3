import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export { countTokens };

/** Of all of these together. */
export const tokensIn = (counted: readonly { readonly tokens: number }[]): number =>
  counted.reduce((sum, { tokens }) => sum + tokens, 0);
