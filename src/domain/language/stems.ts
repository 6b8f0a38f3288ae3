import { stemmer } from 'stemmer';
import { unindexedWords } from './stop-words.ts';
import { tokensOf } from './tokens.ts';

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
export function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const token of tokensOf(text)) if (!unindexedWords.has(token)) stems.push(stemToken(token));
  return stems;
}

/** How often each stem occurs: what the postings table and the sketch are made from. */
export function countStems(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}
