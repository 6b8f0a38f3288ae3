import { capitalisePlaces } from '../language/known-places.ts';
import { isGermanBesideIm } from '../language/sentence-language.ts';
import { sentenceOpeners, stopWords } from '../language/stop-words.ts';

/** "Im" is typed in haste for "I'm", but in German it is "in the". */
const hastyIam = /\b[Ii]m\b/gu;
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/[‘’]/gu, "'"],
  [/\bi\b(?=['\s])/gu, 'I'],
  [/\bI'm\b/giu, 'I am'],
  // Contractions typed in haste. "Id" and "ill" are words, so what follows has to tell.
  [hastyIam, 'I am'],
  [/\b[Ii]ve\b/gu, 'I have'],
  [/\b[Ii]d (?=(?:like|love|prefer|rather)\b)/gu, 'I would '],
  [/\b[Ii]ll (?=(?:be|send|call|go|take|get|bring|finish|pay|book|come|make|meet|write)\b)/gu, 'I will '],
  [/\b(we|you|they)(ve|re)\b(?<!were)/giu, "$1'$2"],
  [/\b(do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt\b/giu, "$1n't"],
  [/\b(I|we|you|they)'ve\b/giu, '$1 have'],
  [/\b(we|you|they)'re\b/giu, '$1 are'],
  [/\b(I|we|you|she|he|they|it)'ll\b/giu, '$1 will'],
  [/\b(I|we|you|they)'d (better|been)\b/giu, '$1 had $2'],
  [/\b(I|we|you|she|he|they)'d\b/giu, '$1 would'],
  [/\b(she|he|it|that|there|who|what|name)'s\b/giu, '$1 is'],
  [/\bcan't\b/giu, 'cannot'],
  [/\bwon't\b/giu, 'will not'],
  [/n't\b/giu, ' not'],
  [/\bgonna\b/giu, 'going to'],
  [/\bwanna\b/giu, 'want to'],
  [/\bfavorite/giu, 'favourite'],
  [/\bcolor\b/giu, 'colour'],
  [/\s+/gu, ' '],
];
const filler =
  /(?<=^|\s)(?:just|actually|really|finally|recently|currently|(?<!from )now(?! that)|still|basically|simply|literally|presently|absolutely|definitely|officially|then|nowadays|these days|right now|at the moment|at present|at last|by the way|btw|again|as of today|as of now)(?=$|[\s,.!])[,]?\s*/gu;

/**
 * A clause as patterns match it: contractions spelled out, fillers ("just", "really") and final marks gone, "I" always
 * a capital, and the first word in lower case unless it may be a name.
 */
export function normalizeClause(text: string): string {
  let normalized = capitalisePlaces(text);
  const isGerman = isGermanBesideIm(text);
  for (const [pattern, full] of spelledOut)
    if (!(isGerman && pattern === hastyIam)) normalized = normalized.replace(pattern, full);
  normalized = normalized.replace(/^(\p{Lu})(\p{Ll}*)(?=\W|$)/u, (word) =>
    isFunctionWord(word) ? word.toLowerCase() : word,
  );
  return normalized
    .replace(filler, '')
    .replace(/[\s,.!?;:"”)\p{Extended_Pictographic}\u{FE0F}]+$/u, '')
    .replace(/^["“(]+/u, '');
}

function isFunctionWord(word: string): boolean {
  const lower = word.toLowerCase();
  return word !== 'I' && (stopWords.has(lower) || sentenceOpeners.has(lower) || /(?:ing|ly)$/u.test(lower));
}
