import { anyMonthSource, anyWeekdaySource } from '../language/calendar-names.ts';
import { addToDate, type SaidAt, type TenseHint } from './calendar.ts';
import { germanDates } from './translations/german.ts';
import { spanishDates } from './translations/spanish.ts';
import { frenchDates } from './translations/french.ts';
import type { TranslatedPhrase } from './translations/phrase-book.ts';
import type { Language } from '../language/sentence-language.ts';
import { spansOverlap, type TextSpan } from '../language/text-span.ts';

const phrases: Readonly<Record<Exclude<Language, 'en'>, readonly TranslatedPhrase[]>> = {
  de: germanDates,
  es: spanishDates,
  fr: frenchDates,
};

/** A sentence without one of these, or a digit, names no date in German, Spanish or French. */
export const foreignHint = new RegExp(
  String.raw`(?<!\p{L})(?:${anyMonthSource}|${anyWeekdaySource}|heute|(?:über)?morgen|(?:vor)?gestern|wochen?(?:ende)?|(?:monat|jahr|tag)e?n?|uhr|um|viertel|halb|kw|kalenderwoche|sommer|herbst|winter|frühling|hoy|mañana|ayer|antea|anoche|semana|finde?|mes|año|días|las|noche|mediodía|verano|invierno|otoño|primavera|demain|après-demain|hier|avant-hier|aujourd|semaine|mois|jours?|ans?|week-?end|heures?|soir|matin|midi|nuit|été|hiver|tarde)`,
  'iu',
);

interface Segment extends Readonly<TextSpan> {
  readonly english: string;
  readonly tense: TenseHint | undefined;
}

/** The dates of a sentence in English, and the place of each in the sentence. */
export interface EnglishDates {
  readonly text: string;
  /** The words of the sentence that a part of the English text stands for. */
  wordsOf(english: TextSpan): TextSpan;
  /** Undefined where the words do not tell it: "nächsten Dienstag" does. */
  tenseAt(index: number): TenseHint | undefined;
}

/**
 * Translates the dates of a German, Spanish or French sentence into English, so that one reader reads all. The parsers
 * of chrono for these languages miss "am 20.", "el 20", "in zwei Tagen" and "la semana que viene", and read "früh" as
 * Friday. All other words are left out, since some would be read as English ones.
 */
export function translateDates(sentence: string, language: Exclude<Language, 'en'>, said: SaidAt): EnglishDates {
  const segments = segmentsOf(sentence, language, said);
  const places: (Segment & { at: number })[] = [];
  let text = '';
  let from = 0;
  for (const segment of segments) {
    const between = sentence.slice(from, segment.start);
    text += places.length === 0 ? '' : /^[\s,]*$/u.test(between) ? ' ' : ' | ';
    places.push({ ...segment, at: text.length });
    text += segment.english;
    from = segment.end;
  }
  const overlapping = (part: TextSpan) =>
    places.filter(({ at, english }) => spansOverlap(part, { start: at, end: at + english.length }));
  return {
    text,
    wordsOf: (part) => {
      const found = overlapping(part);
      return { start: found[0]?.start ?? 0, end: found.at(-1)?.end ?? 0 };
    },
    tenseAt: (index) => overlapping({ start: index, end: index + 1 })[0]?.tense,
  };
}

function segmentsOf(sentence: string, language: Exclude<Language, 'en'>, { at, dateOrder }: SaidAt): Segment[] {
  const segments: Segment[] = [];
  const inDays = (days: number) => addToDate(at, { days }).toISOString().slice(0, 10);
  for (const { pattern, english, tense } of phrases[language]) {
    for (const match of sentence.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (segments.some((other) => spansOverlap(other, { start, end }))) continue;
      const said = english(match, inDays, dateOrder);
      if (said !== undefined) segments.push({ start, end, english: said, tense });
    }
  }
  // A phrase that is translated by nothing ("jeden Dienstag") only keeps others from its words.
  return segments.filter((segment) => segment.english).toSorted((a, b) => a.start - b.start);
}
