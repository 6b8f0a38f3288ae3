import { calendarNames } from './calendar-names.ts';
import { languageOf, type Language } from './sentence-language.ts';
import { wordSet } from './word-set.ts';

/** A sentence with its place in the text: `text.slice(start, start + sentence.text.length) === sentence.text`. */
export interface Sentence {
  text: string;
  start: number;
}

/** Abbreviations in any of the languages whose full stop never ends a sentence: a name or a number follows. */
const neverFinal = wordSet(`
  mr mrs ms dr prof st rev hon gen col lt vs e.g i.e eg ie approx no vol fig z.b d.h u.a o.ä z.t p.ej p.ex nr bzw ca vgl
  inkl zzgl evtl ggf sog dra sra srta sres núm pág av avda mme mlle
`);
/** Abbreviations whose full stop may end a sentence: it does before a capital. */
const sometimesFinal = wordSet('sr jr etc al inc ltd co corp dept est');
/** Titles that are other words in other languages. */
const foreignTitles: Partial<Record<Language, RegExp>> = { es: /^srs?$/u, de: /^(?:hr|fr)$/u };
/** Abbreviations of two letters, of which neither stop ends a sentence: "z. B.", "d. h.", "p. ej.". */
const twoLetters = /(?<!\p{L})(?:z\. (?:B|T)|d\. h|u\. a|o\. ä|s\. o|p\. (?:ej|ex))\.$/iu;
const isEnglish = (month: string): boolean => month in calendarNames.en.month;
const allGermanMonths = Object.keys(calendarNames.de.month);
const germanMonths = allGermanMonths.filter((month) => !isEnglish(month)).join('|');
const sharedMonths = allGermanMonths.filter(isEnglish).join('|');
const germanMonth = new RegExp(String.raw`^\s+(?:${germanMonths})(?!\p{L})`, 'iu');
const sharedMonth = new RegExp(String.raw`^\s+(?:${sharedMonths})(?!\p{L})`, 'iu');
/** Matches words before a German ordinal, of a day or of anything: "der 2. Versuch", "im 3. Stock". */
const beforeOrdinal =
  /(?<!\p{L})(?:am|an dem|vom|zum|zur|bis|ab|de[rnms]|die|das|im|beim|und|oder|(?:mein|dein|sein|ihr|unser|jed|kein)\p{Ll}*|\p{L}+tag,?)\s\d{1,3}$/iu;
const germanOpener =
  /^\s+(?:Ich|Du|Er|Sie|Es|Wir|Ihr|Man|Der|Die|Das|Den|Dem|Ein|Eine|Mein|Meine|Und|Aber|Oder|Also|Dann|Danach|Davor|Da|Dort|Hier|Bitte|Kannst|Kann|Was|Wann|Wie|Wo|Wer|Ja|Nein|Danke|Am|Im|In|Um|Ab|Bis|Vorher|Vielleicht|Leider|Außerdem|Jetzt|Heute|Morgen|Übrigens)(?!\p{L})/u;

const boundary = /(?<![.!?…。！？])[.!?…。！？]+["'”’)\]*_]*(?=\s|$)|\n+/gu;
// "12. Dezember" at the beginning of a line is a date.
const listMarker = new RegExp(
  String.raw`^(?:[-*•+>]\s+|#{1,6}\s+|\d{1,3}[.)]\s+(?!(?:${germanMonths})(?!\p{L})|(?:${sharedMonths})\s*(?:$|[:,–-]|um\s|\d))|\[[ x]\]\s+)+`,
  'iu',
);

/** Whether a text ends with a question mark, whatever it asks or tells. */
export const endsWithQuestionMark = (text: string): boolean => text.trimEnd().endsWith('?');

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
  const rest = text.slice(end, end + 40);
  const next = /\S/u.exec(rest.slice(0, 8))?.[0] ?? '';
  if (twoLetters.test(text.slice(Math.max(from, dot - 5), end)) || isFirstStopOfTwo(text, dot)) return true;
  const language = () => languageOf(text.slice(from, end + 60));
  if (/\d/u.test(text[dot - 1] ?? '')) return isOrdinal(text.slice(Math.max(from, dot - 24), dot), rest, language);
  if (/^(?:srs?|hr|fr)$/u.test(word) && /\p{Lu}/u.test(next)) return foreignTitles[language()]?.test(word) ?? false;
  if (/^\p{L}$/u.test(word) && word !== 'i') return /\p{Lu}/u.test(next); // an initial: "J. Smith"
  return sometimesFinal.has(word) && /\p{Ll}|\d|,/u.test(next);
}

const isFirstStopOfTwo = (text: string, dot: number): boolean => {
  const end = /^\s?\p{L}{1,2}\./u.exec(text.slice(dot + 1, dot + 6))?.[0];
  return end !== undefined && twoLetters.test(text.slice(Math.max(0, dot - 2), dot + 1) + end);
};

/** "Der 12. Dezember", "am 26. um neun", "der 2. Versuch"; "I am 26. My dog ..." ends. */
function isOrdinal(before: string, rest: string, language: () => Language): boolean {
  if (/(?<![\p{L}\d.,])\d{1,2}\.\d{1,2}$/u.test(before)) return /^\s+\p{Ll}/u.test(rest) && language() === 'de';
  if (!/(?<![\p{L}\d.,])\d{1,3}$/u.test(before)) return false;
  if (germanMonth.test(rest)) return true;
  if (!sharedMonth.test(rest) && !beforeOrdinal.test(before) && !/^\s+[-–]\s*\d/u.test(rest)) return false;
  if (/\bI (?:am|was) \d+$/u.test(before) || language() !== 'de') return false;
  return /^\s+[\p{L}\d–-]/u.test(rest) && !germanOpener.test(rest);
}

function push(sentences: Sentence[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to);
  const indent = /^\s*/u.exec(raw)?.[0].length ?? 0;
  const mark = listMarker.exec(raw.slice(indent))?.[0].length ?? 0;
  const sentence = raw.slice(indent + mark).trim();
  if (/[\p{L}\p{N}]/u.test(sentence))
    sentences.push({ text: sentence, start: from + raw.indexOf(sentence, indent + mark) });
}
