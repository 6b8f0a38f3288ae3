/** An older memory with a later statement of the same owner, and how they lie to each other. */
export interface UpdatePair {
  readonly memory: string;
  readonly statement: string;
  /** The words said right before the statement; empty when unknown. */
  readonly before: string;
  /** The cosine of their meanings, -1 to 1. */
  readonly cosine: number;
  /** The similarity of the statement to this memory, less that to the nearest other of the owner; may be negative. */
  readonly lead: number;
}

/** How a later statement bears on an older memory, as probabilities, 0 to 1. */
export interface UpdateLikelihood {
  /** The statement replaces, ends or takes back the memory or a part of it. */
  readonly update: number;
  /** If it does: that nothing of the memory holds any more. */
  readonly whole: number;
}

/** Tells how later statements bear on older memories. */
export interface UpdateClassifier {
  /** One result for each pair. Throws `unavailable` where the model cannot be used. */
  compare(pairs: readonly UpdatePair[]): Promise<UpdateLikelihood[]>;
}
