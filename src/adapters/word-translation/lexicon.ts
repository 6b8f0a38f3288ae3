import { groupBy } from '../../domain/flow/group-by.ts';
import { withoutAccents } from '../../domain/language/accents.ts';
import type { WordForms } from './word-forms.ts';

/** The most words of an expression. */
export const longestExpression = 3;

/** Matches a single word. Longer runs of letters are no words, and trying where a compound may be parted takes time. */
const isOneWord = /^[\p{L}\p{M}]{1,40}$/u;

interface Entry {
  readonly form: string;
  readonly english: string;
}

/** The English of the words and fixed expressions of one language. */
export class Lexicon {
  readonly #forms: WordForms;
  /** English by expression: as written, in small letters, and without accents. The first one listed wins. */
  readonly #expressions = new Map<string, string>();
  /** English by what may be the first part of a compound, in small letters and without accents. */
  readonly #modifiers = new Map<string, string>();
  readonly #byStem: ReadonlyMap<string, readonly Entry[]>;

  /** `entries`: lines of `form, form, ... = English`, with comments behind `#`. */
  constructor(entries: string, forms: WordForms) {
    this.#forms = forms;
    const listed = entries.split('\n').flatMap((line): Entry[] => {
      const [left, english] = line.replace(/#.*/u, '').split(' = ');
      return english ? left!.split(',').map((form) => ({ form: form.trim(), english: english.trim() })) : [];
    });
    const words = listed
      .filter(({ form }) => isOneWord.test(form))
      .toSorted((one, other) => one.form.length - other.form.length);
    for (const { form, english } of words) addOnce(this.#modifiers, withoutCaseAndAccents(form), english);
    const stems = words.flatMap((entry) => this.#stems(entry.form).map((stem) => ({ stem, entry })));
    this.#byStem = groupBy(
      stems,
      ({ stem }) => stem,
      ({ entry }) => entry,
    );
    const expressions = listed.filter(({ form }) => !isOneWord.test(form));
    for (const spell of spellings)
      for (const { form, english } of expressions) addOnce(this.#expressions, spell(form), english);
  }

  /** The English of a word or of an expression of up to `longestExpression` words; undefined for one that is unknown. */
  english(words: string): string | undefined {
    return isOneWord.test(words)
      ? this.#derived(words)
      : firstOf(spellings, (spell) => this.#expressions.get(spell(words)));
  }

  #derived(word: string): string | undefined {
    return (
      this.#inflected(word) ??
      firstOf(this.#forms.baseForms(lowerCase(word)), (form) => this.#inflected(form)) ??
      firstOf(this.#forms.compounds(withoutCaseAndAccents(word)), ([first, second]) =>
        this.#compound(first, hasCapital(word) ? capitalized(second) : second),
      )
    );
  }

  #inflected(word: string): string | undefined {
    return nearest(
      word,
      this.#stems(word).flatMap((stem) => this.#byStem.get(stem) ?? []),
    );
  }

  /** With and without accents, as many write. */
  #stems(word: string): string[] {
    return [...new Set([lowerCase(word), withoutCaseAndAccents(word)])].map((spelling) => this.#forms.stem(spelling));
  }

  #compound(first: string, last: string): string | undefined {
    const modifier = this.#modifiers.get(first);
    const head = modifier && this.#inflected(last);
    return head && `${modifier} ${head}`;
  }
}

const capitalized = (word: string): string => word[0]!.toUpperCase() + word.slice(1);
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

/**
 * The English of the entry whose form differs in the fewest letters of its ending, and of two such of the shorter:
 * unlike words share stems, such as "Stunde" (hour) and "stünde" (would stand).
 */
function nearest(word: string, entries: readonly Entry[]): string | undefined {
  const distance = ({ form }: Entry): number =>
    spellingDistance(lowerCase(word), lowerCase(form)) + (hasCapital(word) === hasCapital(form) ? 0 : capitalDistance);
  return entries.toSorted((one, other) => distance(one) - distance(other))[0]?.english;
}

/** Less than a letter: many write nouns without, and a capital may begin a line. */
const capitalDistance = 0.9;
/** Less than a letter, as many leave them out: "mere" is "mère" and not "mer" (sea). */
const accentDistance = 0.95;

const spellingDistance = (word: string, form: string): number =>
  word !== form && withoutAccents(word) === withoutAccents(form) ? accentDistance : endingDistance(word, form);

const hasCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

function endingDistance(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return one.length + other.length - 2 * shared;
}

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
