/** A stretch of a turn: `text.slice(start, end)`. */
export interface Span {
  start: number;
  end: number;
}

/** A line of a text, without its break. */
export interface Line extends Span {
  text: string;
}

export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const span = { text: line, start, end: start + line.length };
    start = span.end + 1;
    return span;
  });
}
