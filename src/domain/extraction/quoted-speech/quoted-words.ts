import { findLetterSpans } from './letters.ts';
import { firstPersonPattern, findQuotations, findQuotedPeople } from './quotations.ts';
import { findTextRequests, type TextRequest } from './requests.ts';
import type { TextSpan } from '../../language/text-span.ts';

/**
 * Creates a test of whether the words at an offset of the turn are quoted, in a letter, or in a text that the turn
 * hands over or asks for. There an "I" is not the one who speaks, so that no statement may rest on it.
 */
export function createQuotedTest(turn: string): (at: number) => boolean {
  const text = turn.replaceAll('\r', ' ');
  const requests = findTextRequests(text);
  const quotations = findQuotations(text);
  const letters = findLetterSpans(text, requests);
  const delimited = [...quotations, ...letters];
  const spans = [...findQuotedPeople(text, quotations), ...letters];
  let until = 0;
  for (const request of requests) {
    if (request.start < until) continue; // it is part of a text
    const input = handedOver(text, request, delimited);
    if (input) spans.push(input);
    until = input?.end ?? until;
  }
  const marks = new Uint8Array(text.length);
  for (const { start, end } of spans) marks.fill(1, start, end);
  return (at) => marks[at] === 1;
}

/** Whether the words are an "I" wherever the turn has them, and each time somebody else's. */
export function isQuotedFirstPerson(words: string, turn: string): boolean {
  if (!firstPersonPattern.test(words)) return false;
  const isQuoted = createQuotedTest(turn);
  for (let at = turn.indexOf(words); at >= 0; at = turn.indexOf(words, at + 1)) if (!isQuoted(at)) return false;
  return true;
}

/** The text that a request is about, with the words that ask for it where they stand together. */
function handedOver(
  text: string,
  { start, end, place }: TextRequest,
  delimited: readonly TextSpan[],
): TextSpan | undefined {
  const line = lineEnd(text, end);
  // "Write me an email. It must say:"
  if (text.slice(end, line).trimEnd().endsWith(':')) return { start, end: endOf(text, line, delimited) };
  if (place === 'nowhere') return undefined;
  if (place === 'sentence') return { start, end: end + sentenceEnd.exec(text.slice(end))!.index };
  if (place === 'spoken' && /\S/u.test(text.slice(end, line)))
    return { start, end: Math.min(endOf(text, end, delimited), line) };
  if (place === 'behind' || place === 'spoken') return { start, end: endOf(text, end, delimited) };
  if (/\S/u.test(text.slice(line))) return { start: line, end: endOf(text, line, delimited) };
  const isAbove = place === 'around' && pointsBack.test(text.slice(start, end).split(',')[0]!);
  return isAbove ? { start: 0, end: text.lastIndexOf('\n', start) + 1 } : undefined;
}

const sentenceEnd = /[.!?](?=\s|$)|\n|$/u;
const pointsBack = /\b(?:this|these|above|(?:translate|re-?write|re-?phrase|proof-?read|summari[sz]e) (?:it|that))\b/iu;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** A paragraph that speaks to the reader again. */
const resumption =
  /(?<=\n[ \t]{0,9}\n)[ \t]{0,9}(?:also|btw|by the way|anyway|p\.?s\b|thanks|thank you|oh|please|unrelated|on another note|that['’]?s (?:it|all)|can you|could you|would you)\b/iu;

/**
 * Code, which is blank already, a quotation and a letter show where they end; else all that follows is the text, until
 * its speaker turns to us again.
 */
function endOf(text: string, from: number, delimited: readonly TextSpan[]): number {
  const first = from + /\S|$/u.exec(text.slice(from))!.index;
  const own = delimited.find(({ start }) => start === first);
  if (own) return own.end;
  const code = /^\0+/u.exec(text.slice(first));
  if (code) return first + code[0].length;
  return from + (resumption.exec(text.slice(from))?.index ?? text.length - from);
}
