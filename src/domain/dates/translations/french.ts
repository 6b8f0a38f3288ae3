import { anyWordOf, calendarNames } from '../../language/calendar-names.ts';
import {
  inEnglish,
  englishClock,
  englishTime,
  numericDates,
  phraseBook,
  type TranslatedPhrase,
} from './phrase-book.ts';

const book = phraseBook(calendarNames.fr, {
  unit: 'day: jour jours; week: semaine semaines; month: mois; year: an ans année années',
  third: 'early: début; mid: mi- mi_ milieu; late: fin',
  place: 'first: premier; second: deuxième second; third: troisième; fourth: quatrième; last: dernier',
  minute:
    '5: cinq; 10: dix; 15: quart; 20: vingt; 25: vingt-cinq; 30: demi demie trente; 40: quarante; 45: quarante-cinq',
  span: 'week: semaine; weekend: week-end weekend; month: mois; year: année an; summer: été; autumn: automne; winter: hiver; spring: printemps',
});
const { phrase } = book;
const { month, weekday, number, minute, span } = book.tables;
const year = String.raw`(?: (\d{4}))?`;
const part = String.raw`(?: (?:matin|midi|après-midi|soir))?`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /soir|midi/iu.test(said) ? 'pm' : /matin/iu.test(said) ? 'am' : undefined;
const clock = String.raw`(?:(\d{1,2})(?: ?h(?:eures?)? ?(\d\d)?|:(\d\d))|{number} heures?(?! d(?:e (?!l['’]après|la nuit)|['’])))(?: (moins|et)?(?: le)? ?{minute})?(?: (du matin|du soir|de l['’]après-midi))?`;

/** Matches a duration, unless a half of the day or another hour follows: "Une réunion de deux heures". */
const lasting = String.raw`(?:${anyWordOf(number)}|\d{1,2}) heures?(?! (?:moins|du (?:matin|soir)|de l['’]après-midi|à (?:\d|${anyWordOf(number)})))`;

export const frenchDates: readonly TranslatedPhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:tous les|chaque|les) {weekday}s?|le {weekday}${part}(?! (?:\d|prochain|dernier|suivant))|(?:du )?{weekday} au {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(
      String.raw`un {weekday} sur (?:deux|trois|quatre)|(?:le |les )?{place}s? {weekday}s? (?:du|de chaque|de tous les) mois|tou(?:te)?s les (?:{number}|\d{1,2}) (?:{weekday}s|{unit}(?:,? le {weekday}s?)?)|le (?:1er|premier|\d{1,2}) (?:du mois(?! (?:prochain|dernier))|de chaque mois)`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(String.raw`(?:le )?{place} {weekday} (?:de |d['’]|du mois de |du mois d['’]){month}${year}`),
    english: book.weekdayOfMonth,
  },
  { pattern: phrase(String.raw`le (\d{1,2})(?:er)? du mois prochain`), english: book.dayOfOtherMonth('next') },
  { pattern: phrase(String.raw`le (\d{1,2})(?:er)? du mois dernier`), english: book.dayOfOtherMonth('last') },
  {
    pattern: phrase(
      String.raw`(?:le )?{weekday} de la semaine prochaine|(?:la )?semaine prochaine,? (?:le )?{weekday}`,
    ),
    english: book.inWeek('next'),
  },
  {
    pattern: phrase(String.raw`(?:le )?{weekday} de la semaine dernière|(?:la )?semaine dernière,? (?:le )?{weekday}`),
    english: book.inWeek('last'),
  },
  { pattern: phrase('{weekday} en huit'), english: book.after('week') },
  { pattern: phrase('{weekday} en quinze'), english: book.after('fortnight') },
  {
    pattern: phrase(String.raw`(?:aujourd['’]hui en huit|(?:dans|d['’]ici) (?:huit jours|une huitaine(?: de jours)?))`),
    english: (_, inDays) => inDays(7),
  },
  { pattern: phrase('demain en huit'), english: (_, inDays) => inDays(8) },
  {
    pattern: phrase(String.raw`(?:dans|d['’]ici) (?:(?:quinze|15) jours|une quinzaine(?: de jours)?)`),
    english: (_, inDays) => inDays(14),
  },
  {
    pattern: phrase('il y a (?:(?:quinze|15) jours|une quinzaine(?: de jours)?)'),
    english: (_, inDays) => inDays(-14),
  },
  {
    pattern: phrase(String.raw`{third} (?:de |du |de la |d['’])?{span} (?:prochaine?|qui vient)`),
    english: book.thirdOfSpan('next'),
  },
  {
    pattern: phrase(String.raw`{third} (?:de |du |de la |d['’])?{span} derni(?:er|ère)`),
    english: book.thirdOfSpan('last'),
  },
  {
    pattern: phrase(String.raw`(fin) (?:de |du |de la |de l['’]|d['’])(?:cette |ce )?{span}`),
    english: book.thirdOfSpan('this'),
  },
  {
    pattern: phrase(String.raw`(?:du |entre le )?(\d{1,2})(?:er)?(?: {month})? (?:au|et le) (\d{1,2}) {month}${year}`),
    english: book.range,
  },
  {
    pattern: phrase(String.raw`(?:(?:le )?{weekday},? )?(?:(?:le|au|du) )?(?:(\d{1,2})(?:er)?|premier) {month}${year}`),
    english: book.date,
  },
  { pattern: phrase(String.raw`(?:le|au|du|{weekday}) {number} {month}${year}`), english: book.spokenDate },
  ...numericDates,
  {
    pattern: phrase(
      String.raw`(?:le |jusqu['’]au |au |du |(?:le )?{weekday} )([1-9]\d?)(?! ?(?:%|€|h\b|heures?|er|e\b|ème|bis|,? ?(?:rue|avenue|av\.|boulevard|bd|place|chemin|allée)|ans|euros|kilo|personnes)|[.,:/]\d)`,
    ),
    english: book.dayOfMonth,
  },
  { pattern: phrase(`après-demain${part}`), english: (_, inDays) => inDays(2) },
  { pattern: phrase('avant-hier'), english: (_, inDays) => inDays(-2) },
  { pattern: phrase(`hier${part}`), english: (_, inDays) => inDays(-1) },
  {
    pattern: phrase(String.raw`aujourd['’]hui|ce (?:soir|matin|midi)|cet après-midi|cette nuit`),
    english: (_, inDays) => inDays(0),
  },
  { pattern: phrase(`demain${part}`), english: (_, inDays) => inDays(1) },
  {
    pattern: phrase(String.raw`(?:le )?{weekday}${part} (?:prochain|suivant)|ce {weekday}`),
    english: ([, one, other]) => inEnglish(weekday, one ?? other),
    tense: 'future',
  },
  {
    pattern: phrase(String.raw`(?:le )?{weekday}${part} dernier`),
    english: ([, day]) => `last ${inEnglish(weekday, day)}`,
  },
  { pattern: phrase(`(?:le )?{weekday}${part}`), english: book.onWeekday },
  {
    pattern: phrase(String.raw`(?:le |la |l['’])?{span} (?:prochaine?|qui vient)`),
    english: ([, name]) => `next ${inEnglish(span, name)}`,
  },
  {
    pattern: phrase(String.raw`(?:le |la |l['’])?{span} (?:derni(?:er|ère)|passée?)`),
    english: ([, name]) => `last ${inEnglish(span, name)}`,
  },
  { pattern: phrase(String.raw`(?:ce|cet|cette) {span}`), english: ([, name]) => `this ${inEnglish(span, name)}` },
  { pattern: phrase('le week-?end'), english: () => 'this weekend' },
  { pattern: phrase(String.raw`il y a (?:{number}|(\d{1,2})) {unit}`), english: book.ago },
  { pattern: phrase(String.raw`(?:dans|d['’]ici) (?:{number}|(\d{1,2})) {unit}`), english: book.ahead },
  { pattern: phrase(String.raw`{third} ?{month}${year}`), english: book.thirdOfMonth },
  { pattern: phrase(String.raw`(?:en|jusqu['’]en|au mois d[e'’] ?) ?{month}${year}`), english: book.inMonth },
  { pattern: phrase('[àa] midi et demie?'), english: () => 'at 12:30' },
  { pattern: phrase('[àa] midi'), english: () => 'at 12:00' },
  {
    pattern: phrase(String.raw`(?:à|(?<!(?:il|elle|on|y|qui) )a|vers|dès|(?:de|pour)(?! ${lasting})) ${clock}`),
    english: ([, digits, minutes, other, named, side, away, when]) =>
      away
        ? englishClock(
            Number(digits ?? inEnglish(number, named)),
            (/^moins$/iu.test(side ?? '') ? -1 : 1) * Number(inEnglish(minute, away)),
            half(when),
          )
        : englishTime(digits ?? inEnglish(number, named), minutes ?? other, half(when)),
  },
  // Without "à", "8 h" may be how long it takes.
  {
    pattern: phrase(String.raw`(\d{1,2}) ?h ?(\d\d)|(\d{1,2}):(\d\d)`),
    english: ([, hour, minutes, alone, other]) => englishTime(hour ?? alone, minutes ?? other),
  },
  {
    pattern: new RegExp(
      String.raw`(?<=(?:${Object.keys({ ...weekday, ...month }).join('|')}|demain|\d),? )(\d{1,2}) ?h(?![\p{L}\d])`,
      'giu',
    ),
    english: ([, hour]) => englishTime(hour, undefined),
  },
];
