import type { Classification, Utterance } from '../../domain/extraction/statement-classifier.ts';
import type { UpdatePair, UpdateProbabilities } from '../../domain/memories/update-classifier.ts';

/** Where the files of the model are. */
export interface ClassifierSettings {
  readonly model: string;
  readonly confidence: string;
  readonly tokenizer: string;
}

/** Some utterances to classify, or pairs to compare. */
export type ClassifierInput =
  | { readonly kind: 'statements'; readonly utterances: readonly Utterance[] }
  | { readonly kind: 'updates'; readonly pairs: readonly UpdatePair[] };

/** One element for each of the input, of its kind. */
export type ClassifierResult = readonly Classification[] | readonly UpdateProbabilities[];

/** What the classifier's thread is given and gives. */
export interface ClassifierContract {
  readonly settings: ClassifierSettings;
  readonly input: ClassifierInput;
  readonly result: ClassifierResult;
}
