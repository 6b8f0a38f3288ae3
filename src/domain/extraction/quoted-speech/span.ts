/** A stretch of a turn: `text.slice(start, end)`. */
export interface TextSpan {
  start: number;
  end: number;
}

/** A line of a text, without its break. */
export interface TextLine extends TextSpan {
  text: string;
}

export function splitLines(text: string): TextLine[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const span = { text: line, start, end: start + line.length };
    start = span.end + 1;
    return span;
  });
}
