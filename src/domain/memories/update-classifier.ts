/** An older memory with a later statement of the same owner, and how they lie to each other. */
export interface UpdatePair {
  readonly memory: string;
  readonly statement: string;
  /** What was said right before the statement; empty: nothing is known of it. */
  readonly before: string;
  /** How alike the two are in meaning, -1 to 1. */
  readonly cosine: number;
  /** By how much the statement is more like this memory than like any other of the owner; negative: it is less. */
  readonly lead: number;
}

/** Tells how surely a later statement replaces, ends or takes back an older memory. */
export interface UpdateClassifier {
  /** For each pair the probability, 0 to 1. Throws `unavailable` where the model cannot be used. */
  compare(pairs: readonly UpdatePair[]): Promise<number[]>;
}
