import { stemmer } from 'stemmer';
import { withoutAccents } from './accents.ts';
import { languageOf } from './sentence-language.ts';
import { queryStopWords, unindexedWords } from './stop-words.ts';

/** Letters, digits and combining marks; a decimal or thousands number stays one token; apostrophes join ("don't"). */
const tokenPattern = /\p{N}+(?:[.,]\p{N}+)+|[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** Scripts written without spaces: a run of these is no word, so its characters and pairs are the tokens. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;
const hasUnspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const plainToken = /^[a-z0-9]+$/;

/** A token longer than this is a hash, a key or base64: no one asks for it by its exact end. */
const longestToken = 64;

/** The words of a text in order: lower case, accents and possessive endings removed, no stop words removed yet. */
export function tokensOf(text: string): string[] {
  const found: string[] = [];
  for (const [raw] of text.normalize('NFKC').toLowerCase().matchAll(tokenPattern)) {
    const word = plainToken.test(raw) ? raw : simplify(raw);
    if (hasUnspaced.test(word)) found.push(...charactersAndPairs(word));
    else if (word !== '') found.push(word.slice(0, longestToken));
  }
  return found;
}

function simplify(raw: string): string {
  if (/^\p{N}/u.test(raw)) return raw.replaceAll(',', '');
  const word = raw.replaceAll('’', "'").replace(/'s$/, '').replaceAll("'", '');
  // Accents are folded in Latin script only: elsewhere a mark may be a vowel.
  return /\p{sc=Latin}/u.test(word) ? withoutAccents(word) : word;
}

/** 東京都 -> 東 京 都 東京 京都; what stands between such runs (Latin letters, digits) stays whole. */
function charactersAndPairs(word: string): string[] {
  const found = word.split(unspaced).filter((part) => part !== '');
  for (const [run] of word.matchAll(unspaced)) {
    const characters = Array.from(run);
    found.push(...characters);
    for (let at = 1; at < characters.length; at++) found.push(`${characters[at - 1]}${characters[at]}`);
  }
  return found;
}

/** Stemming costs ~1 µs a word and conversations repeat theirs; the cache is emptied when full, which bounds it. */
const cache = new Map<string, string>();
const cachedStems = 50_000;

/** The Porter stem of one token of `tokensOf`; what is not plain English letters stays as it is. */
export function stemToken(token: string): string {
  const existing = cache.get(token);
  if (existing !== undefined) return existing;
  const stem = /^[a-z]{3,}$/.test(token) ? stemmer(token) : token;
  if (cache.size >= cachedStems) cache.clear();
  cache.set(token, stem);
  return stem;
}

/** The stems of a text in order, without stop words. */
export const stemsOf = (text: string): string[] => stemsWithout([unindexedWords], text);

/** The stems of a query: of its text, without the words that only build a question in its language either. */
export function queryStemsOf(text: string): string[] {
  const language = languageOf(text);
  return stemsWithout(language === 'en' ? [unindexedWords] : [unindexedWords, queryStopWords[language]], text);
}

function stemsWithout(leftOut: readonly ReadonlySet<string>[], text: string): string[] {
  const stems: string[] = [];
  for (const token of tokensOf(text)) if (!leftOut.some((words) => words.has(token))) stems.push(stemToken(token));
  return stems;
}

/** How often each stem occurs: what the postings table and the sketch are made from. */
export function countStems(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
