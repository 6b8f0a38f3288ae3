import { logit, sigmoid } from '../../domain/memories/log-odds.ts';
import type { UpdatePair } from '../../domain/memories/update-classifier.ts';

/** Fitted by `scripts/train/confidence.py` on sections of the corpus that the model was not trained on. */
export interface ConfidenceCoefficients {
  readonly worth: number;
  readonly ofSomeKind: number;
  readonly borrowed: number;
  readonly words: number;
  readonly constant: number;
}

/** The model's outputs for a statement, as probabilities, and the statement's number of words. */
interface Outputs {
  readonly worth: number;
  readonly kinds: readonly number[];
  readonly borrowed: number;
  readonly words: number;
}

/** The calibrated probability that a statement is worth keeping: the model is too unsure of short ones. */
export function confidenceOf(fitted: ConfidenceCoefficients, { worth, kinds, borrowed, words }: Outputs): number {
  const ofNoKind = kinds.reduce((product, kind) => product * (1 - kind), 1);
  const sum =
    fitted.constant +
    fitted.worth * logit(worth) +
    fitted.ofSomeKind * logit(1 - ofNoKind) +
    fitted.borrowed * logit(borrowed) +
    fitted.words * Math.log(Math.max(1, words));
  return sigmoid(sum);
}

/** Fitted by `scripts/train/update_confidence.py` on sections of the corpus that the model was not trained on. */
export interface UpdateCoefficients {
  readonly update: number;
  readonly cosine: number;
  readonly lead: number;
  readonly sharedWords: number;
  readonly wordsBefore: number;
  readonly statementWords: number;
  readonly memoryWords: number;
  readonly constant: number;
}

/**
 * The probability that a pair is an update, which the model's probability `update` of the labels `R` and `E` alone does
 * not tell: most statements that announce one mean what they are nearest to, or what the turn before was about.
 */
export function updateConfidenceOf(
  fitted: UpdateCoefficients,
  update: number,
  { memory, statement, before, cosine, lead }: UpdatePair,
): number {
  const [older, newer, asked] = [memory, statement, before].map(wordsOf) as [Set<string>, Set<string>, Set<string>];
  const sum =
    fitted.constant +
    fitted.update * logit(update) +
    fitted.cosine * cosine +
    fitted.lead * lead +
    fitted.sharedWords * (countShared(older, newer) / Math.max(1, Math.min(older.size, newer.size))) +
    fitted.wordsBefore * (countShared(older, asked) / Math.max(1, older.size)) +
    fitted.statementWords * Math.log1p(newer.size) +
    fitted.memoryWords * Math.log1p(older.size);
  return sigmoid(sum);
}

/** Words of three letters or digits and more: shorter ones are shared by texts about anything. */
const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

const countShared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;
