const contractions: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b/gu, 'cannot'],
  [/\bwon't\b/gu, 'will not'],
  [/n't\b/gu, ' not'],
  [/'m\b/gu, ' am'],
  [/'re\b/gu, ' are'],
  [/'ve\b/gu, ' have'],
  [/'ll\b/gu, ' will'],
];

/**
 * The text as its duplicates share it: case, punctuation, spacing and contractions do not count, while signs inside
 * numbers and words do ("3.5" is not "35", "C++" is not "C"), and so does a question mark at the end.
 */
export function contentKey(text: string): string {
  let plain = text.normalize('NFKC').toLowerCase().replace(/[‘’]/gu, "'");
  for (const [pattern, full] of contractions) plain = plain.replace(pattern, full);
  const words = plain.match(/[-+]?\p{N}+(?:[.,:/]\p{N}+)*%?|[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}]+)*[+#]*/gu);
  if (!words) return plain.trim();
  return words.join(' ') + (/\?["')\s]*$/u.test(plain) ? ' ?' : '');
}
