import { logit, sigmoid } from '../../domain/language/log-odds.ts';

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
