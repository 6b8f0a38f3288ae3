import { readFileSync } from 'node:fs';
import { languageOf } from '../../domain/language/sentence-language.ts';
import type { TextSpan } from '../../domain/language/text-span.ts';
import { Lexicon, longestExpression } from './lexicon.ts';
import { wordForms } from './word-forms.ts';

type TranslatedLanguage = keyof typeof wordForms;

const lexicons = new Map<TranslatedLanguage, Lexicon>();

/** Reads the lexicon of a language when the first text in it comes: most processes meet one language or two. */
function lexiconOf(language: TranslatedLanguage): Lexicon {
  const existing = lexicons.get(language);
  if (existing) return existing;
  const file = new URL(`../../../models/lexicons/${language}.txt`, import.meta.url);
  const lexicon = new Lexicon(readFileSync(file, 'utf8'), wordForms[language]);
  lexicons.set(language, lexicon);
  return lexicon;
}

const word = /[\p{L}\p{M}]+/gu;
/** Matches the capital of a sentence, which does not tell that a German word is a noun. */
const capitalOfSentence = /(?<=^|[.!?]\s+)\p{Lu}/gu;
/** Matches the first letters of a word that has a capital though a sentence goes on. */
const capitalWithinSentence = /(?<=[\p{Ll}\d,;][ '’])\p{Lu}\p{Ll}/gu;
const hasCapital = /\p{Lu}/u;

/**
 * A text in German, Spanish or French with its words in English, one by one (dictionary-based cross-language retrieval,
 * Pirkola 1998), for models that know English and no capitals: "Ich bin allergisch gegen Erdnüsse" is "I am allergic
 * against peanut". Unknown words and names stay, and so do texts in other languages: one of which fewer than half of the
 * words are known is not in the language that its few small words tell, such as code or a list of names.
 */
export function translateWords(text: string): string {
  const language = languageOf(text);
  if (language === 'en') return text;
  const { translated, share } = translate(text.replaceAll(capitalOfSentence, lowerCase), language);
  return share < 0.5 ? text : translated;
}

const lowerCase = (capital: string): string => capital.toLowerCase();

/** `share`: of the words, those that are known. */
function translate(text: string, language: TranslatedLanguage): { translated: string; share: number } {
  const lexicon = lexiconOf(language);
  const names = wordForms[language].nounsHaveCapitals ? new Set<number>() : startsOf(capitalWithinSentence, text);
  const words = [...text.matchAll(word)].map(({ 0: letters, index }) => ({
    start: index,
    end: index + letters.length,
    isName: names.has(index),
  }));
  let translated = '';
  let end = 0;
  let known = 0;
  for (let n = 0; n < words.length;) {
    const expression = translateExpression(lexicon, text, words.slice(n, n + longestExpression));
    const count = expression?.count ?? 1;
    if (expression) {
      translated += text.slice(end, words[n]!.start) + expression.english;
      end = words[n + count - 1]!.end;
      known += count;
    }
    n += count;
  }
  return { translated: translated + text.slice(end), share: known / words.length };
}

const startsOf = (pattern: RegExp, text: string): ReadonlySet<number> =>
  new Set(Array.from(text.matchAll(pattern), ({ index }) => index));

/** The English of the longest known expression that the words begin with; undefined where none is known. */
function translateExpression(
  lexicon: Lexicon,
  text: string,
  words: readonly (TextSpan & { readonly isName: boolean })[],
): { english: string; count: number } | undefined {
  const [first] = words;
  for (let count = words.length; count > 0; count--) {
    const english = lexicon.english(text.slice(first!.start, words[count - 1]!.end));
    if (english === undefined) continue;
    // "Inglaterra" is a name that has an English one.
    if (count > 1 || !first!.isName || hasCapital.test(english)) return { english, count };
  }
  return undefined;
}
