/** A sentence or clause as it was said, and what was said right before it. */
export interface Utterance {
  readonly text: string;
  /** The turn before, or the sentence before in the same turn; empty where there is none. */
  readonly before: string;
}

/** The end of the turn before is shown, up to this many characters. */
const shownBefore = 400;
/** The length in characters below which a sentence ("olive.") is shown together with the turn before. */
const tellsEnough = 16;

/**
 * The words right before a sentence: the sentence before in the same turn, or the end of the turn before, with the name
 * of its speaker where that counts.
 */
export function wordsBefore(
  earlier: string | undefined,
  turnBefore: { readonly content: string; readonly name?: string | undefined } | undefined,
): string {
  if (!turnBefore) return earlier ?? '';
  if (earlier !== undefined && earlier.length >= tellsEnough) return earlier;
  const name = turnBefore.name ? `${turnBefore.name}: ` : '';
  return [name + turnBefore.content.slice(-shownBefore), earlier].filter(Boolean).join(' ');
}

/** Kinds of statements that are kept as the speaker's. */
export const statementKinds = ['fact', 'preference', 'instruction', 'emotion', 'event'] as const;
export type StatementKind = (typeof statementKinds)[number];

/** From this probability on, words are taken for quoted, played, supposed or somebody else's. */
export const minQuotedProbability = 0.5;

/** The result of classifying an utterance. Probabilities from 0 to 1, calibrated: of ten at .8, eight are right. */
export interface Classification {
  /** The probability that it holds something worth keeping for weeks and longer. */
  readonly worth: number;
  readonly kinds: Readonly<Record<StatementKind, number>>;
  /** The probability that it is hypothetical, quoted, played or somebody else's claim. */
  readonly quoted: number;
  /** The probability that it cannot be understood without what was said before. */
  readonly dependent: number;
  /** The words to keep: the index of the first one and the index behind the last, words parted by spaces. */
  readonly span: readonly [from: number, to: number];
}

/** Tells which utterances are worth remembering, and as what. */
export interface StatementClassifier {
  /**
   * In order. What is not done when `isLate` first says yes is undefined. Throws `unavailable` where the model cannot
   * be used.
   */
  classify(
    utterances: readonly Utterance[],
    options?: { readonly isLate?: () => boolean },
  ): Promise<(Classification | undefined)[]>;
}
