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

/**
 * A text in German, Spanish or French with its words in English, one by one (dictionary-based cross-language retrieval,
 * Pirkola 1998), for models that know English and no capitals: "Ich bin allergisch gegen Erdnüsse" is "I am allergic
 * against peanut". Unknown words, such as names, and texts in other languages stay.
 */
export function translateWords(text: string): string {
  const language = languageOf(text);
  return language === 'en' ? text : translate(text.replaceAll(capitalOfSentence, lowerCase), lexiconOf(language));
}

const lowerCase = (capital: string): string => capital.toLowerCase();

function translate(text: string, lexicon: Lexicon): string {
  const words = [...text.matchAll(word)].map(({ 0: letters, index }) => ({
    start: index,
    end: index + letters.length,
  }));
  let translated = '';
  let end = 0;
  for (let n = 0; n < words.length;) {
    const { english, count } = translateExpression(lexicon, text, words.slice(n, n + longestExpression));
    translated += text.slice(end, words[n]!.start) + english;
    n += count;
    end = words[n - 1]!.end;
  }
  return translated + text.slice(end);
}

/** The English of the longest known expression that the words begin with, or else of the first word. */
function translateExpression(lexicon: Lexicon, text: string, words: readonly TextSpan[]) {
  for (let count = words.length; count > 1; count--) {
    const english = lexicon.english(text.slice(words[0]!.start, words[count - 1]!.end));
    if (english !== undefined) return { english, count };
  }
  const first = text.slice(words[0]!.start, words[0]!.end);
  return { english: lexicon.english(first) ?? first, count: 1 };
}
