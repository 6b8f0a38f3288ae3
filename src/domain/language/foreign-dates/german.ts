import { calendarNames } from '../calendar-names.ts';
import {
  inEnglish,
  englishTime,
  englishNumericDate,
  numericDates,
  phraseBook,
  type DatePhrase,
} from './date-phrase.ts';

const { tables, phrase, range, date, ago, ahead, thirdOfMonth, inMonth } = phraseBook(calendarNames.de, {
  unit: 'day: tag tage tagen; week: woche wochen; month: monat monate monaten; year: jahr jahre jahren',
  third: 'early: anfang; mid: mitte; late: ende',
  span: 'week: woche; weekend: wochenende; month: monat; year: jahr; spring: frühling; summer: sommer; autumn: herbst; winter: winter',
});
const { month, weekday, number, span } = tables;
const part = '(?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)';
const next = String.raw`(?:nächste|nächster|nächsten|nächstes|nächstem|kommende|kommender|kommenden|kommendes|kommendem)`;
const last = String.raw`(?:letzte|letzter|letzten|letztes|letztem|vorige|voriger|vorigen|voriges|vergangene|vergangener|vergangenen|vergangenes)`;
const these = String.raw`(?:diese|dieser|diesen|dieses|diesem)`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /^(?:nach|ab)/iu.test(said) ? 'pm' : /^(?:m|v|f|n)/iu.test(said) ? 'am' : undefined;

export const germanDates: readonly DatePhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:jede|jeder|jeden|jedes|immer|alle) (?:\p{L}+ )?{weekday}|{weekday}s|(?:von )?{weekday} bis {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(
      String.raw`(?:vom |von )?(\d{1,2})\.? ?{month}? ?(?:bis(?: zum)?|-|–) ?(\d{1,2})\.? ?{month}(?:\.? (\d{4}))?`,
    ),
    english: range,
  },
  {
    pattern: phrase(String.raw`(?:{weekday},? )?(?:(?:am|den|der|dem) )?(\d{1,2})\.? ?{month}(?:\.? (\d{4}))?`),
    english: date,
  },
  {
    pattern: phrase(String.raw`(?:am |den |der |dem )?ersten {month}(?: (\d{4}))?`),
    english: ([, name, year]) => `1 ${inEnglish(month, name)}${year ? ` ${year}` : ''}`,
  },
  ...numericDates,
  {
    pattern: /(?<![\p{L}\d.,])(?:am |den |der )?(\d{1,2})\.(\d{1,2})(?:\.(?:(\d{4}|\d{2})(?![\d.]))?(?!\d)|$)/giu,
    english: ([, day, name, year]) => englishNumericDate(day, name, year),
  },
  {
    // A noun behind an ordinal is counted by it ("der 5. Versuch"); German writes nouns with a capital.
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(?:[Aa]m|[Zz]um|[Vv]om|dem|(?:auf|für|ab) den|(?:[Dd]er|den)(?=\s\d{1,2}\.?\s*(?:[,;!?)]|$)))\s(\d{1,2})(?:\.(?=\s*(?:[,;!?)]|$)|\s\p{Ll})|$)`,
      'gu',
    ),
    english: ([, day]) => (Number(day) < 32 ? `on the ${Number(day)}th` : undefined),
  },
  { pattern: phrase('vorgestern'), english: (_, inDays) => inDays(-2) },
  { pattern: phrase('übermorgen'), english: (_, inDays) => inDays(2) },
  {
    pattern: phrase(`(heute|gestern)(?: (${part}))?`),
    english: ([, day = '', time], inDays) => inDays(/^h/iu.test(day) ? 0 : -1) + timeOfDay(time),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(?<!(?:[Gg]uten|[Aa]m|diesem|jeden|schönen) )morgen(?: (früh|[Vv]ormittag|[Mm]ittag|[Nn]achmittag|[Aa]bend))?(?!\p{L})`,
      'gu',
    ),
    english: ([, time], inDays) => inDays(1) + timeOfDay(time),
  },
  {
    // "Morgen um zwei", "Morgen habe ich": where a noun begins a sentence, a greeting is not followed by a verb.
    pattern:
      /(?<=^|[.!?]\s+)Morgen(?=\s(?:um|früh|[Vv]ormittag|[Mm]ittag|[Nn]achmittag|[Aa]bend|(?:hab|geh|fahr|flieg|komm|treff|muss|kann|will|werd|soll|ist|bin|sind|wird|kommt|fährt|findet|beginnt|steht|arbeit|bring|hol|ruf)\p{Ll}*)(?!\p{L}))(?: (früh|[Vv]ormittag|[Mm]ittag|[Nn]achmittag|[Aa]bend))?/gu,
    english: ([, time], inDays) => inDays(1) + timeOfDay(time),
  },
  {
    pattern: phrase(String.raw`(?:am )?${last} {weekday}${part}?`),
    english: ([, day]) => `last ${inEnglish(weekday, day)}`,
  },
  {
    pattern: phrase(String.raw`(?:am )?(?:${next}|${these}) {weekday}(?: ?(${part}))?`),
    english: ([, day, time]) => inEnglish(weekday, day) + timeOfDay(time),
    leaning: 'future',
  },
  {
    pattern: phrase(`{weekday}(?: ?(${part}))?`),
    english: ([, day, time]) => inEnglish(weekday, day) + timeOfDay(time),
  },
  ...(
    [
      ['next', next],
      ['last', last],
      ['this', these],
    ] as const
  ).map(([which, source]) => ({
    pattern: phrase(String.raw`(?:am )?${source} {span}(?:s|es)?`),
    english: ([, name]: RegExpMatchArray) => `${which} ${inEnglish(span, name)}`,
  })),
  { pattern: phrase('übernächste[rn]? (woche)'), english: () => 'the week after next' },
  { pattern: phrase('(?:am|übers) wochenende'), english: () => 'this weekend' },
  { pattern: phrase(String.raw`vor (?:{number}|(\d{1,2})) {unit}`), english: ago },
  { pattern: phrase(String.raw`in (?:{number}|(\d{1,2})) {unit}`), english: ahead },
  { pattern: phrase(String.raw`{third} {month}(?: (\d{4}))?`), english: thirdOfMonth },
  { pattern: phrase(String.raw`(?:im|in|seit|ab|bis) {month}(?: (\d{4}))?`), english: inMonth },
  {
    pattern: phrase(String.raw`(?:(?:um|gegen|ab|vor|nach) )?halb {number}`),
    english: ([, hour]) => englishTime(String((Number(inEnglish(number, hour)) + 11) % 12 || 12), '30'),
  },
  {
    pattern: phrase('(?:(?:um|gegen|ab) )?{number} uhr'),
    english: ([, hour]) => englishTime(inEnglish(number, hour), undefined),
  },
  {
    pattern: phrase(
      String.raw`(?:um|gegen|ab|bis|von) (\d{1,2})(?:[:.](\d\d))?(?:(?: ?(?:-|–|bis) ?\d{1,2}(?:[:.]\d\d)?)? ?(?:uhr|h)(?: (\d\d))?)?(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?(?! ?(?:%|€|euro|km|kg|grad|jahre?n?|tage?n?|wochen?|monate?n?|personen|leute))`,
    ),
    english: ([whole, hour, minute, minutes, when]) =>
      /^(?:um|gegen)/iu.test(whole) || minute || /uhr|h\b/iu.test(whole)
        ? englishTime(hour, minute ?? minutes, half(when))
        : undefined,
  },
  {
    pattern: phrase(
      String.raw`(\d{1,2})(?:[:.](\d\d))? ?uhr(?: (\d\d))?(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?|(\d{1,2}):(\d\d)`,
    ),
    english: ([, hour, minute, minutes, when, alone, aloneMinute]) =>
      englishTime(hour ?? alone, minute ?? minutes ?? aloneMinute, half(when)),
  },
];

/** Behind its day, a part of it does not move the date; noon is an hour. */
const timeOfDay = (said?: string): string => (/^mittag$/iu.test(said ?? '') ? ' at 12:00' : '');
