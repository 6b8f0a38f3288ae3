import type { TextSpan } from '../../language/text-span.ts';
import type { TextRequest } from './requests.ts';

const addressee = String.raw`(?:[\p{L}'’.-]+[ \t]+){0,4}[\p{L}'’.-]+`;
/** "Dear Ada,", "Hi Mr Smith" on a line of its own, or where the text begins behind a colon. */
const salutation = new RegExp(
  String.raw`(?<=^[ \t]{0,9}|:[ \t]{1,9})(?:(?:my[ \t]+)?dear(?:est)?|hi|hello|hey|good (?:morning|afternoon|evening)|to)[ \t]+${addressee}[ \t]*[,:!]?[ \t]*$`,
  'iu',
);
const signOff =
  /^[ \t]*(?:(?:with|all|much|lots of|all my|many|my|best|kind|kindest|warm|warmest)[ \t]+)*(?:love|regards|wishes|best|cheers|sincerely|faithfully|thanks|thank you|hugs|kisses|greetings|take care|see you(?: soon)?|yours(?:[ \t]+\p{L}+)?|x{2,})(?:[ \t]+(?:sincerely|yours|truly|again|in advance))?[,.!]*(?:[ \t]+(?<name>\p{Lu}[\p{L}'’. -]{0,40}))?[ \t]*x*$/iu;
const signature = /^[ \t]*\p{Lu}[\p{L}'’.-]*(?:[ \t]+\p{Lu}[\p{L}'’.-]*){0,3}[ \t]*x*$/u;

/**
 * The letters in a turn, from "Dear Ada," to the name below "Love". Where the turn asks outside of it for something to
 * be done with a text, or tells who wrote it, a salutation is enough. Else the letter must be whole and stand beside
 * other words: one that is all of its turn, requests and all, is addressed to whoever reads the turn.
 */
export function findLetterSpans(text: string, requests: readonly TextRequest[]): TextSpan[] {
  const lines = splitLines(text);
  const letters: TextSpan[] = [];
  const [first, last] = [requests.at(0)?.start ?? Infinity, requests.at(-1)?.start ?? 0];
  let isUnended = false; // then no later one ends either
  for (let n = 0; n < lines.length; n += 1) {
    const found = salutation.exec(lines[n]!.text);
    if (!found) continue;
    const start = lines[n]!.start + found.index;
    const isBeside = text.slice(0, start).trim() !== '';
    const ending: Ending | undefined = isUnended ? undefined : endingOf(lines, n + 1);
    isUnended ||= ending === undefined;
    const { end } = lines[ending?.at ?? lines.length - 1]!;
    const isHandedOver = first < start || last > end;
    if (ending === undefined && !(isHandedOver && isBeside)) continue;
    if (ending !== undefined && !isHandedOver && !(isBeside && ending.isSigned)) continue;
    letters.push({ start, end });
    n = ending?.at ?? lines.length;
  }
  return letters;
}

/** The line that a letter ends with, and whether that is a name. */
interface Ending {
  at: number;
  isSigned: boolean;
}

function endingOf(lines: readonly TextLine[], from: number): Ending | undefined {
  for (let n = from; n < lines.length; n += 1) {
    const found = signOff.exec(lines[n]!.text);
    if (!found) continue;
    if (found.groups?.['name']) return { at: n, isSigned: true };
    const isSigned = signature.test(lines[n + 1]?.text ?? '');
    return { at: isSigned ? n + 1 : n, isSigned };
  }
  return undefined;
}

/** A line of a text, without its break. */
interface TextLine extends TextSpan {
  text: string;
}

function splitLines(text: string): TextLine[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const span = { text: line, start, end: start + line.length };
    start = span.end + 1;
    return span;
  });
}
