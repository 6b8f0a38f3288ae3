/** A text with its blanks made alike: wrapped lines are the words they wrap. */
export const normaliseWhitespace = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** The tag of the block that a compaction is for a prompt. */
export const blockTag = 'turns';

/** Words that can end no block. */
export const escapeBlockTag = (text: string): string =>
  text.replaceAll(new RegExp(`<(/?)(?=${blockTag}\\b)`, 'giu'), '‹$1');

/** A place within a word or number. Scripts that know no case may have no blank between words. */
const withinWord = /(?<=[\p{Cased}\p{N}])(?=[\p{Cased}\p{N}])|(?<=\p{N})(?=[.,]\p{N})|(?<=\p{N}[.,])(?=\p{N})/uy;

function isWithinWord(text: string, at: number): boolean {
  withinWord.lastIndex = at;
  return withinWord.test(text);
}

/** A text in which others are looked for, word for word. */
export class VerbatimText {
  readonly #text: string;

  constructor(...parts: readonly string[]) {
    this.#text = comparable(parts.join('\n'));
  }

  /** Whether it holds these words, and not as a part of longer ones: 50 is not in 500. */
  holds(text: string): boolean {
    const words = comparable(text);
    for (let at = this.#text.indexOf(words); at >= 0; at = this.#text.indexOf(words, at + 1))
      if (!isWithinWord(this.#text, at) && !isWithinWord(this.#text, at + words.length)) return true;
    return false;
  }
}

const comparable = (text: string): string => normaliseWhitespace(escapeBlockTag(text));
