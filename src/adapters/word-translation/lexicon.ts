import { withoutAccents } from '../../domain/language/accents.ts';
import type { WordForms } from './word-forms.ts';

/** The most words of an expression. */
export const longestExpression = 3;

/** Matches a single word. Longer runs of letters are no words, and trying where a compound may be parted takes time. */
const isOneWord = /^[\p{L}\p{M}]{1,40}$/u;

/** The English of the words and fixed expressions of one language. */
export class Lexicon {
  readonly #forms: WordForms;
  /** English by each listed form: as written, in small letters, and without accents. The first one listed wins. */
  readonly #byForm = new Map<string, string>();
  /** English by stem. The shortest word of a stem wins: "chats" is of "chat", and not of "châtiment". */
  readonly #byStem = new Map<string, string>();

  /** `entries`: lines of `form, form, ... = English`, with comments behind `#`. */
  constructor(entries: string, forms: WordForms) {
    this.#forms = forms;
    const listed = entries.split('\n').flatMap((line) => {
      const [left, english] = line.replace(/#.*/u, '').split(' = ');
      return english ? left!.split(',').map((form) => [form.trim(), english.trim()] as const) : [];
    });
    for (const spell of spellings) for (const [form, english] of listed) addOnce(this.#byForm, spell(form), english);
    const words = listed
      .filter(([form]) => isOneWord.test(form))
      .toSorted(([one], [other]) => one.length - other.length);
    for (const spell of [lowerCase, withoutCaseAndAccents])
      for (const [form, english] of words) addOnce(this.#byStem, forms.stem(spell(form)), english);
  }

  /** The English of a word or of an expression of up to `longestExpression` words; undefined for one that is unknown. */
  english(words: string): string | undefined {
    return this.#listed(words) ?? (isOneWord.test(words) ? this.#derived(words.toLowerCase()) : undefined);
  }

  #listed(words: string): string | undefined {
    return firstOf(spellings, (spell) => this.#byForm.get(spell(words)));
  }

  #derived(word: string): string | undefined {
    return (
      this.#inflected(word) ??
      firstOf(this.#forms.baseForms(word), (form) => this.#inflected(form)) ??
      firstOf(this.#forms.compounds(withoutAccents(word)), (parts) => this.#compound(parts))
    );
  }

  #inflected(word: string): string | undefined {
    return (
      this.#listed(word) ?? firstOf([word, withoutAccents(word)], (each) => this.#byStem.get(this.#forms.stem(each)))
    );
  }

  #compound([first, second]: readonly [string, string]): string | undefined {
    const modifier = this.#byForm.get(first);
    const head = modifier && this.#inflected(second);
    return head && `${modifier} ${head}`;
  }
}

const lowerCase = (text: string): string => text.toLowerCase();
const withoutCaseAndAccents = (text: string): string => withoutAccents(text.toLowerCase());
/** Makes "aujourd'hui" an expression of two words, whichever apostrophe it is written with. */
const withoutApostrophes = (text: string): string => text.replaceAll(/['’]/gu, ' ');

/** The spellings by which forms are compared, strictest first: "schön" is not "schon", but many write "manana". */
const spellings: readonly ((text: string) => string)[] = [
  withoutApostrophes,
  (text) => withoutApostrophes(lowerCase(text)),
  (text) => withoutApostrophes(withoutCaseAndAccents(text)),
];

function addOnce(entries: Map<string, string>, key: string, english: string): void {
  if (!entries.has(key)) entries.set(key, english);
}

function firstOf<Each, Found>(all: Iterable<Each>, find: (each: Each) => Found | undefined): Found | undefined {
  for (const each of all) {
    const found = find(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
