import { calendarNames } from '../../language/calendar-names.ts';
import {
  inEnglish,
  englishClock,
  englishTime,
  numericDates,
  phraseBook,
  type TranslatedPhrase,
} from './phrase-book.ts';

const book = phraseBook(calendarNames.es, {
  unit: 'day: día días dia dias; week: semana semanas; month: mes meses; year: año años',
  third: 'early: principios comienzos; mid: mediados; late: finales fines fin',
  place: 'first: primer primero; second: segundo; third: tercer tercero; fourth: cuarto; last: último ultimo',
  minute: '5: cinco; 10: diez; 15: cuarto; 20: veinte; 25: veinticinco; 30: media',
  span: 'week: semana; weekend: fin_de_semana finde; month: mes; year: año; summer: verano; autumn: otoño; winter: invierno; spring: primavera',
});
const { phrase } = book;
const { weekday, number, minute, span } = book.tables;
const year = String.raw`(?: (?:de|del) (\d{4}))?`;
const half = (said = ''): 'am' | 'pm' | undefined =>
  /^(?:tarde|noche)/iu.test(said) ? 'pm' : /^m/iu.test(said) ? 'am' : undefined;

export const spanishDates: readonly TranslatedPhrase[] = [
  {
    pattern: phrase(
      String.raw`(?:todos los|cada|los) (?:{weekday}|sábados|sabados|domingos)(?:(?:,| y) (?:los )?{weekday}s?)*|(?:de )?{weekday} a {weekday}`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(
      String.raw`(?:cada|uno de cada) (?:{number}|\d{1,2}) (?:{weekday}|sábados|sabados|domingos|{unit}(?:,? (?:el |los ){weekday})?)|un {weekday} s[ií] y (?:otro|uno) no|(?:el |los )?{place}s? {weekday}s? (?:de|del) (?:cada )?mes|(?:el |los )?(?:día )?\d{1,2} de cada mes`,
    ),
    english: () => '',
  },
  {
    pattern: phrase(String.raw`(?:el )?{place} {weekday} de {month}${year}`),
    english: book.weekdayOfMonth,
  },
  {
    pattern: phrase(String.raw`(?:el )?(?:día )?(\d{1,2}) del (?:mes que viene|próximo mes|mes próximo)`),
    english: book.dayOfOtherMonth('next'),
  },
  { pattern: phrase(String.raw`(?:el )?(?:día )?(\d{1,2}) del mes pasado`), english: book.dayOfOtherMonth('last') },
  {
    pattern: phrase(
      String.raw`(?:el )?{weekday} de la (?:semana que viene|semana próxima|próxima semana)|(?:la )?(?:semana que viene|semana próxima|próxima semana),? el {weekday}`,
    ),
    english: book.inWeek('next'),
  },
  {
    pattern: phrase(String.raw`(?:el )?{weekday} de la semana pasada|(?:la )?semana pasada,? el {weekday}`),
    english: book.inWeek('last'),
  },
  {
    pattern: phrase(String.raw`(?:el )?{weekday} (?:que viene|próximo),? no,? (?:sino )?el (?:siguiente|otro)`),
    english: book.after('week'),
  },
  { pattern: phrase('(?:de )?hoy en ocho(?: días)?'), english: (_, inDays) => inDays(7) },
  {
    pattern: phrase(
      '(?:(?:dentro de|en|de aquí a) |(?:de )?hoy en )(?:quince|15)(?: días)?(?! (?:minutos|euros|años))',
    ),
    english: (_, inDays) => inDays(14),
  },
  { pattern: phrase('hace (?:quince|15) días'), english: (_, inDays) => inDays(-14) },
  { pattern: phrase('hace medio año'), english: () => '6 months ago' },
  { pattern: phrase('(?:dentro de|en) medio año'), english: () => 'in 6 months' },
  {
    pattern: phrase(
      String.raw`(?:a |en )?{third} (?:del|de la) {span} (?:que viene|próxim[oa]|que entra)|a (principios|mediados|finales|fines) (?:del|de la) próxim[oa] {span}`,
    ),
    english: ([whole, part, name, otherPart, otherName]) =>
      book.thirdOfSpan('next')([whole, part ?? otherPart ?? '', name ?? otherName ?? '']),
  },
  {
    pattern: phrase(String.raw`(?:a |en )?{third} (?:del|de la) {span} pasad[oa]`),
    english: book.thirdOfSpan('last'),
  },
  // The first days of "a principios de mes" may be of this month or the next; its end is that of this one.
  {
    pattern: phrase(
      String.raw`(?:(?:a|para|antes de|hasta) )?(?:el )?(?:fin|finales|fines) de (?!semana){span}(?! (?:pasad|que))`,
    ),
    english: ([, name]) => `the end of the ${inEnglish(span, name)}`,
  },
  {
    pattern: phrase(String.raw`(?:del|entre el) (\d{1,2})(?: de {month})? (?:al|y el) (\d{1,2}) de {month}${year}`),
    english: book.range,
  },
  {
    pattern: phrase(
      String.raw`(?:{weekday},? )?(?:(?:el|al|día|del) )?(?:(?:día )?(\d{1,2})º?|primero) de {month}${year}`,
    ),
    english: book.date,
  },
  { pattern: phrase(String.raw`(?:el|al|del|día|{weekday}) {number} de {month}${year}`), english: book.spokenDate },
  ...numericDates,
  {
    pattern: phrase(
      String.raw`(?:(?:{weekday}|el|al|hasta el|desde el|del|antes del) )(?:día )?([1-9]\d?)(?! ?(?:%|€|º|ª|por ciento|de (?!este mes|la (?:mañana|tarde|noche))|a[nñ]os|euros|kil|personas|h\b|horas)|[.,:/]\d)`,
    ),
    english: book.dayOfMonth,
  },
  { pattern: phrase('pasado mañana'), english: (_, inDays) => inDays(2) },
  { pattern: phrase('anteayer|antier|antes de ayer|anteanoche'), english: (_, inDays) => inDays(-2) },
  { pattern: phrase('ayer|anoche'), english: (_, inDays) => inDays(-1) },
  { pattern: phrase('hoy|esta (?:noche|tarde|mañana)'), english: (_, inDays) => inDays(0) },
  {
    pattern: phrase(
      String.raw`(?<!(?:la|una|cada|toda|buena|turno de) )mañana(?: por la (?:mañana|tarde|noche)| temprano)?`,
    ),
    english: (_, inDays) => inDays(1),
  },
  {
    pattern: phrase(
      String.raw`(?:el )?{weekday} (?:que viene|próximo|proximo|siguiente)|(?:el )?(?:próximo|proximo|este) {weekday}`,
    ),
    english: ([, one, other]) => inEnglish(weekday, one ?? other),
    tense: 'future',
  },
  {
    pattern: phrase(String.raw`(?:el )?(?:{weekday} pasado|pasado {weekday})`),
    english: ([, one, other]) => `last ${inEnglish(weekday, one ?? other)}`,
  },
  { pattern: phrase('(?:el )?{weekday}'), english: book.onWeekday },
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
  { pattern: phrase(String.raw`hace (?:{number}|(\d{1,2})) {unit}`), english: book.ago },
  { pattern: phrase(String.raw`(?:dentro de|en|de aquí a) (?:{number}|(\d{1,2})) {unit}`), english: book.ahead },
  { pattern: phrase(String.raw`a (?:{third}) de {month}${year}`), english: book.thirdOfMonth },
  { pattern: phrase(String.raw`(?:en|hasta|desde|para) {month}${year}`), english: book.inMonth },
  {
    pattern: phrase(String.raw`de las (\d{1,2})(?::(\d\d))? a (?:las )?\d{1,2}(?::\d\d)?(?: ?h)?`),
    english: ([, hour, minutes]) => englishTime(hour, minutes),
  },
  {
    pattern: phrase(String.raw`(?:a )?(?:un )?{minute} para las? {number}(?: (?:de|por) la (mañana|tarde|noche))?`),
    english: ([, away, hour, when]) =>
      englishClock(Number(inEnglish(number, hour)), -Number(inEnglish(minute, away)), half(when)),
  },
  { pattern: phrase('a(?:l)? mediodía'), english: () => 'at 12:00' },
  {
    pattern: phrase(
      String.raw`(?:a|sobre|hacia|para|desde|hasta) las? (?:(\d{1,2})|{number})(?:[:.h](\d\d)| (y|menos) {minute})?(?: ?(?:h|hs|horas))?(?: (?:de|por) la (mañana|tarde|noche))?|(\d{1,2}):(\d\d)(?: ?h)?`,
    ),
    english: ([, digits, named, minutes, side, away, when, alone, aloneMinute]) =>
      side
        ? englishClock(
            Number(digits ?? inEnglish(number, named)),
            (/^y$/iu.test(side) ? 1 : -1) * Number(inEnglish(minute, away)),
            half(when),
          )
        : englishTime(digits ?? (named ? inEnglish(number, named) : alone), minutes ?? aloneMinute, half(when)),
  },
];
