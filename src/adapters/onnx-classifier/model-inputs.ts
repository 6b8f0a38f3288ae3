import type { Tokenizer } from '@huggingface/tokenizers';
import type { Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdatePair } from '../../domain/memories/update-classifier.ts';
import { translateWords } from '../word-translation/translate-words.ts';

/** The model reads what it was trained on: `scripts/train/inputs.py` builds the same. */
export interface ModelInput {
  readonly ids: readonly number[];
  /**
   * For each token: 0 in the text, the older memory or the request, 1 in the later statement or the memory that the request
   * may need, 2 in what was said before.
   */
  readonly segments: readonly number[];
}

const opening = 101;
const closing = 102;
/** In tokens. Of what was said before, the end is kept: that is where its question stands. */
const longest = { statement: 96, older: 64, later: 64, before: 40, request: 48, memory: 96 };
/** In characters: more than the tokens of any ordinary text, so that a hostile one costs no time. */
const maxChars = { text: 1_000, word: 60 };

const wordsOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean);

const tokensOf = (tokenizer: Tokenizer, word: string): number[] =>
  tokenizer.encode(word.slice(0, maxChars.word), { add_special_tokens: false }).ids;

/** Word by word, which gives the tokens of the whole text. */
const textTokens = (tokenizer: Tokenizer, text: string): number[] =>
  wordsOf(text).flatMap((word) => tokensOf(tokenizer, word));

function joined(parts: readonly (readonly [segment: number, tokens: readonly number[]])[]): ModelInput {
  const ids = [opening];
  const segments = [0];
  for (const [segment, tokens] of parts) {
    ids.push(...tokens, closing);
    segments.push(...Array.from({ length: tokens.length + 1 }, () => segment));
  }
  return { ids, segments };
}

function beforePart(tokenizer: Tokenizer, before: string): [number, number[]][] {
  const tokens = textTokens(tokenizer, before.slice(-maxChars.text)).slice(-longest.before);
  return tokens.length ? [[2, tokens]] : [];
}

/** The tokens of a text, each with the place of the word that it belongs to. */
export function statementInput(
  tokenizer: Tokenizer,
  { text, before }: Utterance,
): ModelInput & { readonly words: readonly number[] } {
  const tokens: number[] = [];
  const words: number[] = [];
  for (const [place, word] of wordsOf(text.slice(0, maxChars.text)).entries())
    for (const token of tokensOf(tokenizer, word)) {
      tokens.push(token);
      words.push(place);
    }
  const parts = [[0, tokens.slice(0, longest.statement)], ...beforePart(tokenizer, before)] as const;
  return { ...joined(parts), words: words.slice(0, longest.statement) };
}

const cut = (tokenizer: Tokenizer, text: string, max: number): number[] =>
  textTokens(tokenizer, text.slice(0, maxChars.text)).slice(0, max);

/** A request beside a memory that it may need. */
export function requestInput(tokenizer: Tokenizer, request: string, memory: string): ModelInput {
  return joined([
    [0, cut(tokenizer, request, longest.request)],
    [1, cut(tokenizer, memory, longest.memory)],
  ]);
}

/** An older memory beside a later statement. */
export function updateInput(tokenizer: Tokenizer, { memory, statement, before }: UpdatePair): ModelInput {
  return joined([
    [0, cut(tokenizer, memory, longest.older)],
    [1, cut(tokenizer, statement, longest.later)],
    ...beforePart(tokenizer, before),
  ]);
}

/** A text with its words in English, as far as the model reads it. */
export const textInEnglish = (text: string): string => translateWords(text.slice(0, maxChars.text));

const beforeInEnglish = (before: string): string => translateWords(before.slice(-maxChars.text));

export const utteranceInEnglish = ({ text, before }: Utterance): Utterance => ({
  text: textInEnglish(text),
  before: beforeInEnglish(before),
});

export const pairInEnglish = (pair: UpdatePair): UpdatePair => ({
  ...pair,
  memory: textInEnglish(pair.memory),
  statement: textInEnglish(pair.statement),
  before: beforeInEnglish(pair.before),
});
