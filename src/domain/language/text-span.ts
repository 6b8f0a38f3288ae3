/** A stretch of a text, verbatim: `text.slice(start, end)`. */
export interface TextSpan {
  start: number;
  end: number;
}

/** Whether two stretches of one text have words in common. */
export const spansOverlap = (one: Readonly<TextSpan>, other: Readonly<TextSpan>): boolean =>
  one.start < other.end && other.start < one.end;
