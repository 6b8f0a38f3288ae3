/** A text with its blanks made alike: wrapped lines are the words they wrap. */
export const normaliseWhitespace = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** A text in which others are looked for, word for word. */
export class VerbatimText {
  readonly #text: string;

  constructor(...parts: readonly string[]) {
    this.#text = normaliseWhitespace(parts.join('\n'));
  }

  holds(text: string): boolean {
    return this.#text.includes(normaliseWhitespace(text));
  }
}
