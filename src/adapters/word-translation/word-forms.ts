import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as spanish } from '@orama/stemmers/spanish';

/** How the words of a language are built. */
export interface WordForms {
  /** The Snowball stem. */
  readonly stem: (word: string) => string;
  /** Words that this one may be a form of, and that have another stem. */
  readonly baseForms: (word: string) => readonly string[];
  /** The pairs of words that may make up this one, likeliest first. */
  readonly compounds: (word: string) => Iterable<readonly [string, string]>;
  /** Where they have none, a word with a capital within a sentence is a name. */
  readonly nounsHaveCapitals: boolean;
}

const romance = { baseForms: () => [], compounds: () => [], nounsHaveCapitals: false };

export const wordForms: Readonly<Record<'de' | 'es' | 'fr', WordForms>> = {
  de: { stem: german, baseForms: germanBaseForms, compounds: germanCompounds, nounsHaveCapitals: true },
  es: { stem: spanish, ...romance },
  fr: { stem: french, ...romance },
};

/** Leaves out the "ge" or "zu" of "gekocht" and "anzurufen", and the "e" of "fuer", which stands for "für". */
function germanBaseForms(word: string): string[] {
  const participle = /^(\p{L}{0,5}?)(?:ge|zu)(\p{L}{3,})$/u.exec(word);
  const plain = word.replaceAll(/([aou])e/gu, '$1');
  return [...(participle ? [participle[1]! + participle[2]!] : []), ...(plain === word ? [] : [plain])];
}

const shortestPart = 3;
const linkingElements = /(?:es|en|er|s|n|e)$/u;

/** Divides "Erdnussallergie" into "Erdnuss" and "Allergie"; from "Arbeitszimmer" the linking "s" is left out, too. */
function* germanCompounds(word: string): Generator<readonly [string, string]> {
  for (let at = word.length - shortestPart; at >= shortestPart; at--) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    yield [first, second];
    const bare = first.replace(linkingElements, '');
    if (bare !== first && bare.length >= shortestPart) yield [bare, second];
  }
}
