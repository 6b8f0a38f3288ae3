import type { Classification, Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdateLikelihood, UpdatePair } from '../../domain/memories/update-classifier.ts';

export interface ClassifierSettings {
  readonly model: string;
  readonly confidence: string;
  readonly updateConfidence: string;
  readonly tokenizer: string;
}

export type ClassifierInput =
  | { readonly kind: 'statements'; readonly utterances: readonly Utterance[] }
  | { readonly kind: 'updates'; readonly pairs: readonly UpdatePair[] }
  | { readonly kind: 'needs'; readonly request: string; readonly texts: readonly string[] };

/** One element for each utterance, pair or text. */
export type ClassifierResult = readonly (Classification | UpdateLikelihood | number)[];

/** The settings, inputs and results that the classifier's thread exchanges with its caller. */
export interface ClassifierContract {
  readonly settings: ClassifierSettings;
  readonly input: ClassifierInput;
  readonly result: ClassifierResult;
}
