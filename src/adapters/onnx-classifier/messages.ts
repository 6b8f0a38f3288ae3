import type { Classification, Utterance } from '../../domain/extraction/statement-classifier.ts';

/** Where the files of the model are. */
export interface ClassifierSettings {
  readonly model: string;
  readonly confidence: string;
  readonly tokenizer: string;
}

export type ClassifierInput = readonly Utterance[];

/** One element for each of the input. */
export type ClassifierResult = readonly Classification[];

/** What the classifier's thread is given and gives. */
export interface ClassifierContract {
  readonly settings: ClassifierSettings;
  readonly input: ClassifierInput;
  readonly result: ClassifierResult;
}
