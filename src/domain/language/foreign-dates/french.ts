import { calendarNames } from '../calendar-names.ts';
import { inEnglish, englishTime, numericDates, phraseBook, type DatePhrase } from './date-phrase.ts';

const { tables, phrase, range, date, dayOfMonth, ago, ahead, thirdOfMonth, inMonth } = phraseBook(calendarNames.fr, {
  unit: 'day: jour jours; week: semaine semaines; month: mois; year: an ans année années',
  third: 'early: début; mid: mi- mi_; late: fin',
  span: 'week: semaine; weekend: week-end weekend; month: mois; year: année an; summer: été; autumn: automne; winter: hiver; spring: printemps',
});
const { month, weekday, span } = tables;
const year = String.raw`(?: (\d{4}))?`;
const part = String.raw`(?: (?:matin|midi|après-midi|soir))?`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /soir|midi/iu.test(said) ? 'pm' : /matin/iu.test(said) ? 'am' : undefined;
const clock = String.raw`(\d{1,2})(?: ?h(?:eures?)? ?(\d\d)?|:(\d\d))(?: (du matin|du soir|de l['’]après-midi))?`;

export const frenchDates: readonly DatePhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:tous les|chaque|les) {weekday}s?|le {weekday}${part}(?! (?:\d|prochain|dernier|suivant))|(?:du )?{weekday} au {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(String.raw`(?:du |entre le )?(\d{1,2})(?:er)?(?: {month})? (?:au|et le) (\d{1,2}) {month}${year}`),
    english: range,
  },
  {
    pattern: phrase(String.raw`(?:(?:le )?{weekday},? )?(?:(?:le|au|du) )?(?:(\d{1,2})(?:er)?|premier) {month}${year}`),
    english: date,
  },
  ...numericDates,
  {
    pattern: phrase(
      String.raw`(?:le |jusqu['’]au |au |du |(?:le )?{weekday} )([1-9]\d?)(?! ?(?:%|€|h\b|heures?|er|e\b|ème|bis|,? ?(?:rue|avenue|av\.|boulevard|bd|place|chemin|allée)|ans|euros|kilo|personnes)|[.,:/]\d)`,
    ),
    english: dayOfMonth,
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
    leaning: 'future',
  },
  {
    pattern: phrase(String.raw`(?:le )?{weekday}${part} dernier`),
    english: ([, day]) => `last ${inEnglish(weekday, day)}`,
  },
  { pattern: phrase(`(?:le )?{weekday}${part}`), english: ([, day]) => inEnglish(weekday, day) },
  {
    pattern: phrase(String.raw`(?:le |la |l['’])?{span} (?:prochaine?|qui vient)`),
    english: ([, name]) => `next ${inEnglish(span, name)}`,
  },
  {
    pattern: phrase(String.raw`(?:le |la |l['’])?{span} (?:dernière?|passée?)`),
    english: ([, name]) => `last ${inEnglish(span, name)}`,
  },
  { pattern: phrase(String.raw`(?:ce|cet|cette) {span}`), english: ([, name]) => `this ${inEnglish(span, name)}` },
  { pattern: phrase('le week-?end'), english: () => 'this weekend' },
  { pattern: phrase(String.raw`il y a (?:{number}|(\d{1,2})) {unit}`), english: ago },
  { pattern: phrase(String.raw`dans (?:{number}|(\d{1,2})) {unit}`), english: ahead },
  { pattern: phrase(String.raw`{third} ?{month}${year}`), english: thirdOfMonth },
  { pattern: phrase(String.raw`(?:en|jusqu['’]en|au mois d[e'’] ?) ?{month}${year}`), english: inMonth },
  { pattern: phrase('à midi'), english: () => 'at 12:00' },
  {
    pattern: phrase(String.raw`(?:à|vers|dès|de|pour) ${clock}`),
    english: ([, hour, minute, other, when]) => englishTime(hour, minute ?? other, half(when)),
  },
  // Without "à", "8 h" may be how long it takes.
  {
    pattern: phrase(String.raw`(\d{1,2}) ?h ?(\d\d)|(\d{1,2}):(\d\d)`),
    english: ([, hour, minute, alone, other]) => englishTime(hour ?? alone, minute ?? other),
  },
  {
    pattern: new RegExp(
      String.raw`(?<=(?:${Object.keys({ ...weekday, ...month }).join('|')}|demain|\d),? )(\d{1,2}) ?h(?![\p{L}\d])`,
      'giu',
    ),
    english: ([, hour]) => englishTime(hour, undefined),
  },
];
