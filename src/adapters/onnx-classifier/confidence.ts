import { logit, sigmoid } from '../../domain/language/log-odds.ts';

/** Fitted by `scripts/train/confidence.py` on sections of the corpus that the model was not trained on. */
export interface ConfidenceCoefficients {
  readonly worth: number;
  readonly ofSomeKind: number;
  readonly borrowed: number;
  readonly words: number;
  readonly constant: number;
}

/** What the model makes of a statement, as probabilities, and how many words it has. */
interface Outputs {
  readonly worth: number;
  readonly kinds: readonly number[];
  readonly borrowed: number;
  readonly words: number;
}

/** How often statements with such outputs are worth keeping: the model is less sure of short ones than it may be. */
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
  readonly constant: number;
}

/** What the model makes of a pair, as the probability of the labels `R` and `E` together, and how the two lie. */
interface Compared {
  readonly update: number;
  readonly cosine: number;
  readonly lead: number;
}

/** How often pairs like this are an update: most statements that announce one mean what they are nearest to. */
export function updateConfidenceOf(fitted: UpdateCoefficients, { update, cosine, lead }: Compared): number {
  const sum = fitted.constant + fitted.update * logit(update) + fitted.cosine * cosine + fitted.lead * lead;
  return sigmoid(sum);
}
