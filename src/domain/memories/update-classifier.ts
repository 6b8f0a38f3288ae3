/** How a later statement bears on an older memory; each from 0 to 1, together 1. */
export interface UpdateProbabilities {
  /** It gives the same thing a new value. */
  readonly replaces: number;
  /** It ends the memory, or takes it back, without a new value. */
  readonly ends: number;
  /** It says the same again. */
  readonly repeats: number;
  /** It adds to it: both hold. */
  readonly adds: number;
  readonly unrelated: number;
}

/** An older memory with a later statement and what was said right before that. */
export interface UpdatePair {
  readonly memory: string;
  readonly statement: string;
  readonly before: string;
}

/** Tells how later statements bear on older memories. */
export interface UpdateClassifier {
  /** In order. Throws `unavailable` where the model cannot be used. */
  compare(pairs: readonly UpdatePair[]): Promise<UpdateProbabilities[]>;
}
