import { wordSet } from './word-set.ts';

/** A sentence with its place in the text: `text.slice(start, start + sentence.text.length) === sentence.text`. */
export interface Sentence {
  text: string;
  start: number;
}

// A full stop after these does not end a sentence.
const abbreviations = wordSet(
  'mr mrs ms dr prof st sr jr rev hon gen col lt vs etc e.g i.e eg ie approx no vol fig al inc ltd co corp dept est',
);
// Behind these a name or a number always follows; "etc.", "Inc." and the like may end a sentence before a capital.
const neverFinal = wordSet('mr mrs ms dr prof st rev hon gen col lt vs e.g i.e eg ie approx no vol fig');

const boundary = /[.!?…。！？]+["'”’)\]*_]*(?=\s|$)|\n+/gu;
const listMarker = /^(?:[-*•+>]\s+|#{1,6}\s+|\d{1,3}[.)]\s+|\[[ x]\]\s+)+/u;

/**
 * Splits text into sentences by a small rule rather than by `Intl.Segmenter` or a model: the segmenter breaks after
 * "Mr.", joins bullet lines and keeps wrapped lines apart, and the rule is faster than both. List and heading marks
 * are left out of the sentence, so that it reads as what was said.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith('\n') ? isWrapped(text, end, match[0]) : isAbbreviated(text, from, match.index, end))
      continue;
    push(sentences, text, from, match[0].startsWith('\n') ? match.index : end);
    from = end;
  }
  push(sentences, text, from, text.length);
  return sentences;
}

/** A single line break before a lower-case letter is a wrapped line, not the end of a sentence. */
function isWrapped(text: string, end: number, breaks: string): boolean {
  return breaks.length === 1 && /^[ \t]*\p{Ll}/u.test(text.slice(end, end + 40));
}

function isAbbreviated(text: string, from: number, dot: number, end: number): boolean {
  if (text[dot] !== '.' || end - dot > 1) return false;
  const word = /[\p{L}.]+$/u.exec(text.slice(Math.max(from, dot - 12), dot))?.[0].toLowerCase() ?? '';
  if (neverFinal.has(word)) return true;
  const next = /\S/u.exec(text.slice(end, end + 8))?.[0] ?? '';
  if (/^\p{L}$/u.test(word) && word !== 'i') return /\p{Lu}/u.test(next); // an initial: "J. Smith"
  return abbreviations.has(word) && /\p{Ll}|\d|,/u.test(next);
}

function push(sentences: Sentence[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const indent = /^\s*/u.exec(raw)?.[0].length ?? 0;
  const mark = listMarker.exec(raw.slice(indent))?.[0].length ?? 0;
  const sentence = raw.slice(indent + mark).trim();
  if (/[\p{L}\p{N}]/u.test(sentence))
    sentences.push({ text: sentence, start: from + raw.indexOf(sentence, indent + mark) });
}
