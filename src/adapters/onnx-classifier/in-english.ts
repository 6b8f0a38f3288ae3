import type { Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdatePair } from '../../domain/memories/update-classifier.ts';
import { translateWords } from '../word-translation/translate-words.ts';
import { maxChars } from './model-inputs.ts';

/** A text with its words in English, as far as the model reads it. */
export const textInEnglish = (text: string): string => translateWords(text.slice(0, maxChars.text));

export const utteranceInEnglish = ({ text, before }: Utterance): Utterance => ({
  text: textInEnglish(text),
  before: translateWords(before.slice(-maxChars.text)),
});

export const pairInEnglish = (pair: UpdatePair): UpdatePair => ({
  ...pair,
  memory: textInEnglish(pair.memory),
  statement: textInEnglish(pair.statement),
  before: translateWords(pair.before.slice(-maxChars.text)),
});
