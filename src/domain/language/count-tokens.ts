import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export { countTokens };

/** Of so many tokens, what is left without these. */
export const tokensWithout = (total: number, lost: readonly { readonly content: string }[]): number =>
  lost.reduce((left, { content }) => left - countTokens(content), total);
