import { calendarNames } from '../calendar-names.ts';
import { inEnglish, englishTime, numericDates, phraseBook, type DatePhrase } from './date-phrase.ts';

const { tables, phrase, range, date, dayOfMonth, ago, ahead, thirdOfMonth, inMonth } = phraseBook(calendarNames.es, {
  unit: 'day: día días dia dias; week: semana semanas; month: mes meses; year: año años',
  third: 'early: principios comienzos; mid: mediados; late: finales fines',
  span: 'week: semana; weekend: fin_de_semana finde; month: mes; year: año; summer: verano; autumn: otoño; winter: invierno; spring: primavera',
});
const { weekday, number, span } = tables;
const year = String.raw`(?: (?:de|del) (\d{4}))?`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /^(?:tarde|noche)/iu.test(said) ? 'pm' : /^m/iu.test(said) ? 'am' : undefined;
const quarters: Record<string, string> = { media: '30', cuarto: '15' };

export const spanishDates: readonly DatePhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:todos los|cada|los) (?:{weekday}|sábados|sabados|domingos)(?:(?:,| y) (?:los )?{weekday}s?)*|(?:de )?{weekday} a {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(String.raw`(?:del|entre el) (\d{1,2})(?: de {month})? (?:al|y el) (\d{1,2}) de {month}${year}`),
    english: range,
  },
  {
    pattern: phrase(
      String.raw`(?:{weekday},? )?(?:(?:el|al|día|del) )?(?:(?:día )?(\d{1,2})º?|primero) de {month}${year}`,
    ),
    english: date,
  },
  ...numericDates,
  {
    pattern: phrase(
      String.raw`(?:(?:{weekday}|el|al|hasta el|desde el|del|antes del) )(?:día )?([1-9]\d?)(?! ?(?:%|€|º|ª|por ciento|de (?!este mes|la (?:mañana|tarde|noche))|a[nñ]os|euros|kil|personas|h\b|horas)|[.,:/]\d)`,
    ),
    english: dayOfMonth,
  },
  { pattern: phrase('pasado mañana'), english: (_, inDays) => inDays(2) },
  { pattern: phrase('anteayer|antier|antes de ayer'), english: (_, inDays) => inDays(-2) },
  { pattern: phrase('ayer|anoche'), english: (_, inDays) => inDays(-1) },
  { pattern: phrase('hoy|esta (?:noche|tarde|mañana)'), english: (_, inDays) => inDays(0) },
  {
    pattern: phrase(String.raw`(?<!(?:la|una|cada|toda|buena) )mañana(?: por la (?:mañana|tarde|noche)| temprano)?`),
    english: (_, inDays) => inDays(1),
  },
  {
    pattern: phrase(
      String.raw`(?:el )?{weekday} (?:que viene|próximo|proximo|siguiente)|(?:el )?(?:próximo|proximo|este) {weekday}`,
    ),
    english: ([, one, other]) => inEnglish(weekday, one ?? other),
    leaning: 'future',
  },
  {
    pattern: phrase(String.raw`(?:el )?(?:{weekday} pasado|pasado {weekday})`),
    english: ([, one, other]) => `last ${inEnglish(weekday, one ?? other)}`,
  },
  { pattern: phrase('(?:el )?{weekday}'), english: ([, day]) => inEnglish(weekday, day) },
  {
    pattern: phrase(String.raw`(?:el |la )?(?:{span} (?:que viene|próxim[oa]|que entra)|próxim[oa] {span})`),
    english: ([, one, other]) => `next ${inEnglish(span, one ?? other)}`,
  },
  {
    pattern: phrase(String.raw`(?:el |la )?(?:{span} pasad[oa]|pasad[oa] {span})`),
    english: ([, one, other]) => `last ${inEnglish(span, one ?? other)}`,
  },
  { pattern: phrase(String.raw`est[ea] {span}`), english: ([, name]) => `this ${inEnglish(span, name)}` },
  { pattern: phrase('el (?:fin de semana|finde)'), english: () => 'this weekend' },
  { pattern: phrase(String.raw`desde hace (?:{number}|\d{1,2}) {unit}`), english: () => '' },
  { pattern: phrase(String.raw`hace (?:{number}|(\d{1,2})) {unit}`), english: ago },
  { pattern: phrase(String.raw`(?:dentro de|en) (?:{number}|(\d{1,2})) {unit}`), english: ahead },
  { pattern: phrase(String.raw`a (?:{third}) de {month}${year}`), english: thirdOfMonth },
  { pattern: phrase(String.raw`(?:en|hasta|desde|para) {month}${year}`), english: inMonth },
  {
    pattern: phrase(String.raw`de las (\d{1,2})(?::(\d\d))? a (?:las )?\d{1,2}(?::\d\d)?(?: ?h)?`),
    english: ([, hour, minute]) => englishTime(hour, minute),
  },
  { pattern: phrase('a(?:l)? mediodía'), english: () => 'at 12:00' },
  {
    pattern: phrase(
      String.raw`(?:a|sobre|hacia|para|desde|hasta) las? (?:(\d{1,2})|{number})(?:[:.h](\d\d)| y (media|cuarto))?(?: ?(?:h|hs|horas))?(?: (?:de|por) la (mañana|tarde|noche))?|(\d{1,2}):(\d\d)(?: ?h)?`,
    ),
    english: ([, digits, named, minute, quarter, when, alone, aloneMinute]) =>
      englishTime(
        digits ?? (named ? inEnglish(number, named) : alone),
        minute ?? quarters[quarter?.toLowerCase() ?? ''] ?? aloneMinute,
        half(when),
      ),
  },
];
