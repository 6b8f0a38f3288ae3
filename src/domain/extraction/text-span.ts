/** A stretch of a text, verbatim: `text.slice(start, end)`. */
export interface TextSpan {
  start: number;
  end: number;
}
