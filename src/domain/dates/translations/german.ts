import { anyWordOf, calendarNames, wordTable } from '../../language/calendar-names.ts';
import {
  englishClock,
  inEnglish,
  englishTime,
  englishNumericDate,
  numericDates,
  phraseBook,
  type TranslatedPhrase,
} from './phrase-book.ts';

const book = phraseBook(calendarNames.de, {
  unit: 'day: tag tage tagen; week: woche wochen; month: monat monate monaten; year: jahr jahre jahren',
  third: 'early: anfang; mid: mitte; late: ende',
  place:
    'first: erster ersten; second: zweiter zweiten; third: dritter dritten; fourth: vierter vierten; last: letzter letzten',
  minute: '5: fünf; 10: zehn; 15: viertel; 20: zwanzig',
  span: 'week: woche; weekend: wochenende; month: monat monats; year: jahr jahres; spring: frühling; summer: sommer; autumn: herbst; winter: winter',
});
const { phrase } = book;
const { month, weekday, number, minute, span } = book.tables;
const ordinal = wordTable(
  '1: ersten; 2: zweiten; 3: dritten; 4: vierten; 5: fünften; 6: sechsten; 7: siebten; 8: achten; 9: neunten; 10: zehnten; 11: elften; 12: zwölften; 13: dreizehnten; 14: vierzehnten; 15: fünfzehnten; 16: sechzehnten; 17: siebzehnten; 18: achtzehnten; 19: neunzehnten; 20: zwanzigsten; 24: vierundzwanzigsten; 31: einunddreißigsten',
);
const part = '(?:früh|morgen|vormittag|mittag|nachmittag|abend|nacht)';
const next = String.raw`(?:nächste|nächster|nächsten|nächstes|nächstem|kommende|kommender|kommenden|kommendes|kommendem)`;
const last = String.raw`(?:letzte|letzter|letzten|letztes|letztem|vorige|voriger|vorigen|voriges|vergangene|vergangener|vergangenen|vergangenes)`;
const these = String.raw`(?:diese|dieser|diesen|dieses|diesem)`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /^(?:nach|ab)/iu.test(said) ? 'pm' : /^(?:m|v|f|n)/iu.test(said) ? 'am' : undefined;

export const germanDates: readonly TranslatedPhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:jede|jeder|jeden|jedes|immer|alle) (?:\p{L}+ )?{weekday}|{weekday}s|(?:von )?{weekday} bis {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(
      String.raw`alle (?:{number}|\d{1,2}) (?:tage|wochen|monate)(?:,? (?:am |immer )*{weekday}s?)?|{weekday}s?,? alle (?:{number}|\d{1,2}) (?:wochen|monate)|(?:am |der |den |jeden )?{place} {weekday} (?:im|des|jedes|eines jeden) monats?|(?:immer )?(?:am|zum) \d{1,2}\. (?:des|jedes|jeden|eines jeden) monats`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(String.raw`(?:am |der |den )?{place} {weekday} (?:im|des) {month}(?: (\d{4}))?`),
    english: book.weekdayOfMonth,
  },
  { pattern: phrase(String.raw`(?:am|zum|den|der) (\d{1,2})\. ${next} monats`), english: book.dayOfOtherMonth('next') },
  { pattern: phrase(String.raw`(?:am|zum|den|der) (\d{1,2})\. ${last} monats`), english: book.dayOfOtherMonth('last') },
  {
    pattern: phrase(String.raw`(?:am )?(?:{weekday} (?:der )?${next} woche|${next} woche,? (?:am )?{weekday})`),
    english: book.inWeek('next'),
  },
  {
    pattern: phrase(String.raw`(?:am )?(?:{weekday} (?:der )?${last} woche|${last} woche,? (?:am )?{weekday})`),
    english: book.inWeek('last'),
  },
  { pattern: phrase(String.raw`{third} (?:dieser|dieses|diesen) {span}`), english: book.thirdOfSpan('this') },
  { pattern: phrase(String.raw`(ende) (?:der|des) {span}`), english: book.thirdOfSpan('this') },
  { pattern: phrase(String.raw`{third} ${next} {span}`), english: book.thirdOfSpan('next') },
  { pattern: phrase(String.raw`{third} ${last} {span}`), english: book.thirdOfSpan('last') },
  {
    pattern: phrase(String.raw`(?:am )?(?:übernächste[rn]? {weekday}|{weekday} in (?:einer woche|acht tagen))`),
    english: book.after('week'),
  },
  {
    pattern: phrase(String.raw`(?:am )?{weekday} in (?:zwei wochen|vierzehn tagen)`),
    english: book.after('fortnight'),
  },
  { pattern: phrase('heute in (?:einer woche|acht tagen)'), english: (_, inDays) => inDays(7) },
  { pattern: phrase('heute in (?:zwei wochen|vierzehn tagen)'), english: (_, inDays) => inDays(14) },
  { pattern: phrase('(?:am )?{weekday},? (?:den|dem|der) (\\d{1,2})\\.'), english: book.dayOfMonth },
  {
    pattern: phrase(
      String.raw`(?:vom |von )?(\d{1,2})\.? ?{month}? ?(?:bis(?: zum)?|-|–) ?(\d{1,2})\.? ?{month}(?:\.? (\d{4}))?`,
    ),
    english: book.range,
  },
  {
    pattern: phrase(String.raw`(?:{weekday},? )?(?:(?:am|den|der|dem) )?(\d{1,2})\.? ?{month}(?:\.? (\d{4}))?`),
    english: book.date,
  },
  {
    pattern: phrase(
      String.raw`(?:{weekday},? )?(?:(?:am|den|der|dem|zum|vom) )?(${anyWordOf(ordinal)}) {month}(?: (\d{4}))?`,
    ),
    english: ([, , day, name, year]) => `${inEnglish(ordinal, day)} ${inEnglish(month, name)}${year ? ` ${year}` : ''}`,
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
    tense: 'future',
  },
  {
    pattern: phrase(`{weekday}(?: ?(${part}))?`),
    english: (match) => book.onWeekday(match) + timeOfDay(match[2]),
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
  {
    pattern: phrase('(?:am )?(übernächste|vorletzte)[rns]? {span}'),
    english: ([, which = '', name]) =>
      `the ${inEnglish(span, name)} ${/^v/iu.test(which) ? 'before last' : 'after next'}`,
  },
  {
    pattern: phrase(
      String.raw`(?<!\d )(?:(?:in|bis|ab|seit) )?(?:der )?(?:kw|kalenderwoche) ?(\d{1,2})(?:[ /](\d{4}))?`,
    ),
    english: ([, week, year]) => `CW ${week}${year ? ` ${year}` : ''}`,
  },
  { pattern: phrase('vor einem halben jahr'), english: () => '6 months ago' },
  { pattern: phrase('in einem halben jahr'), english: () => 'in 6 months' },
  { pattern: phrase('(?:am|übers) wochenende'), english: () => 'this weekend' },
  { pattern: phrase(String.raw`vor (?:{number}|(\d{1,2})) {unit}`), english: book.ago },
  { pattern: phrase(String.raw`in (?:{number}|(\d{1,2})) {unit}`), english: book.ahead },
  { pattern: phrase(String.raw`{third} {month}(?: (\d{4}))?`), english: book.thirdOfMonth },
  { pattern: phrase(String.raw`(?:im|in|seit|ab|bis) {month}(?: (\d{4}))?`), english: book.inMonth },
  {
    pattern: phrase(
      String.raw`(?:(?:um|gegen|ab|bis) )?{minute} (vor|nach) (halb )?(?:{number}|(\d{1,2}))(?: uhr)?(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?`,
    ),
    english: ([, minutes, side, isHalf, named, digits, when]) =>
      englishClock(
        Number(digits ?? inEnglish(number, named)),
        (/^v/iu.test(side ?? '') ? -1 : 1) * Number(inEnglish(minute, minutes)) - (isHalf ? 30 : 0),
        half(when),
      ),
  },
  {
    pattern: phrase(String.raw`(?:um|gegen|ab|bis) (drei)?viertel {number}`),
    english: ([, isThree, hour]) => englishClock(Number(inEnglish(number, hour)), isThree ? -15 : -45),
  },
  {
    // A noun behind the number is counted by it ("um zwei Euro"); German writes nouns with a capital.
    pattern: new RegExp(
      String.raw`(?<![\p{L}\d])(?:[Uu]m|[Gg]egen) (${anyWordOf(number)})(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?(?=\s*(?:[.,;!?)]|$)|\s(?!uhr|mal|weitere|viertel)\p{Ll})`,
      'gu',
    ),
    english: ([, hour, when]) => englishClock(Number(inEnglish(number, hour)), 0, half(when)),
  },
  {
    pattern: phrase(String.raw`(?:(?:um|gegen|ab|vor|nach) )?halb {number}`),
    english: ([, hour]) => englishClock(Number(inEnglish(number, hour)), -30),
  },
  {
    pattern: phrase('(?:(?:um|gegen|ab) )?{number} uhr'),
    english: ([, hour]) => englishTime(inEnglish(number, hour), undefined),
  },
  {
    pattern: phrase(
      String.raw`(?:um|gegen|ab|bis|von) (\d{1,2})(?:[:.](\d\d))?(?:(?: ?(?:-|–|bis) ?\d{1,2}(?:[:.]\d\d)?)? ?(?:uhr|h)(?: (\d\d))?)?(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?(?! ?(?:%|€|euro|km|kg|grad|jahre?n?|tage?n?|wochen?|monate?n?|personen|leute))`,
    ),
    english: ([whole, hour, past, minutes, when]) =>
      /^(?:um|gegen)/iu.test(whole) || past || /uhr|h\b/iu.test(whole)
        ? englishTime(hour, past ?? minutes, half(when))
        : undefined,
  },
  {
    pattern: phrase(
      String.raw`(\d{1,2})(?:[:.](\d\d))? ?uhr(?: (\d\d))?(?: (morgens|vormittags|nachmittags|abends|nachts|früh))?|(\d{1,2}):(\d\d)`,
    ),
    english: ([, hour, past, minutes, when, alone, aloneMinute]) =>
      englishTime(hour ?? alone, past ?? minutes ?? aloneMinute, half(when)),
  },
];

/** English for a part of the day. Only noon is an hour. */
const timeOfDay = (said?: string): string => (/^mittag$/iu.test(said ?? '') ? ' at 12:00' : '');
