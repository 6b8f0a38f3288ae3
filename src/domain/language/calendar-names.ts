import type { Language } from './sentence-language.ts';

/** Words of a language, in lower case, with their English meaning. */
export type WordTable = Readonly<Record<string, string>>;

/** Parses lines of words under their meaning: "January: januar jänner; May: mai". In a word, "_" stands for a space. */
export function wordTable(lines: string): WordTable {
  const entries = lines.split(';').flatMap((line) => {
    const [meaning = '', words = ''] = line.split(':');
    return words
      .trim()
      .split(/\s+/u)
      .map((word) => [word.replaceAll('_', ' '), meaning.trim()] as const);
  });
  return Object.fromEntries(entries);
}

/** Matches any word of a table; the longest first: "juin" before "jui". */
export const anyWordOf = (table: Readonly<Record<string, unknown>>): string =>
  Object.keys(table)
    .toSorted((a, b) => b.length - a.length)
    .join('|');

const tablesOf = (names: Record<'month' | 'weekday' | 'number', string>) => ({
  month: wordTable(names.month),
  weekday: wordTable(names.weekday),
  number: wordTable(names.number),
});

/** The names of months, weekdays and numbers, in each language that dates are read in. */
export const calendarNames: Readonly<Record<Language, ReturnType<typeof tablesOf>>> = {
  en: tablesOf({
    month:
      'January: january jan; February: february feb; March: march mar; April: april apr; May: may; June: june jun; July: july jul; August: august aug; September: september sept sep; October: october oct; November: november nov; December: december dec',
    weekday:
      'Monday: monday; Tuesday: tuesday; Wednesday: wednesday; Thursday: thursday; Friday: friday; Saturday: saturday; Sunday: sunday',
    number:
      '1: one; 2: two; 3: three; 4: four; 5: five; 6: six; 7: seven; 8: eight; 9: nine; 10: ten; 11: eleven; 12: twelve',
  }),
  de: tablesOf({
    month:
      'January: januar jänner jan jän; February: februar feber feb; March: märz mär; April: april apr; May: mai; June: juni jun; July: juli jul; August: august aug; September: september sept sep; October: oktober okt; November: november nov; December: dezember dez',
    weekday:
      'Monday: montag; Tuesday: dienstag; Wednesday: mittwoch; Thursday: donnerstag; Friday: freitag; Saturday: samstag sonnabend; Sunday: sonntag',
    number:
      '1: ein eins eine einem einer; 2: zwei; 3: drei; 4: vier; 5: fünf; 6: sechs; 7: sieben; 8: acht; 9: neun; 10: zehn; 11: elf; 12: zwölf; 13: dreizehn; 14: vierzehn; 15: fünfzehn; 16: sechzehn; 17: siebzehn; 18: achtzehn; 19: neunzehn; 20: zwanzig',
  }),
  es: tablesOf({
    month:
      'January: enero; February: febrero; March: marzo; April: abril; May: mayo; June: junio; July: julio; August: agosto; September: septiembre setiembre; October: octubre; November: noviembre; December: diciembre',
    weekday:
      'Monday: lunes; Tuesday: martes; Wednesday: miércoles miercoles; Thursday: jueves; Friday: viernes; Saturday: sábado sabado; Sunday: domingo',
    number:
      '1: un una; 2: dos un_par_de; 3: tres; 4: cuatro; 5: cinco; 6: seis; 7: siete; 8: ocho; 9: nueve; 10: diez; 11: once; 12: doce; 13: trece; 14: catorce; 15: quince; 16: dieciséis dieciseis; 17: diecisiete; 18: dieciocho; 19: diecinueve; 20: veinte; 21: veintiuno veintiún veintiun; 22: veintidós veintidos; 23: veintitrés veintitres; 24: veinticuatro; 25: veinticinco; 26: veintiséis veintiseis; 27: veintisiete; 28: veintiocho; 29: veintinueve; 30: treinta; 31: treinta_y_uno',
  }),
  fr: tablesOf({
    month:
      'January: janvier; February: février fevrier; March: mars; April: avril; May: mai; June: juin; July: juillet; August: août aout; September: septembre; October: octobre; November: novembre; December: décembre decembre',
    weekday:
      'Monday: lundi; Tuesday: mardi; Wednesday: mercredi; Thursday: jeudi; Friday: vendredi; Saturday: samedi; Sunday: dimanche',
    number:
      '1: un une; 2: deux; 3: trois; 4: quatre; 5: cinq; 6: six; 7: sept; 8: huit; 9: neuf; 10: dix; 11: onze; 12: douze; 13: treize; 14: quatorze; 15: quinze; 16: seize; 17: dix-sept dix_sept; 18: dix-huit dix_huit; 19: dix-neuf dix_neuf; 20: vingt; 21: vingt-et-un vingt_et_un; 22: vingt-deux vingt_deux; 23: vingt-trois vingt_trois; 24: vingt-quatre vingt_quatre; 25: vingt-cinq vingt_cinq; 26: vingt-six vingt_six; 27: vingt-sept vingt_sept; 28: vingt-huit vingt_huit; 29: vingt-neuf vingt_neuf; 30: trente; 31: trente-et-un trente_et_un',
  }),
};

const inAnyLanguage = (kind: 'month' | 'weekday'): string =>
  anyWordOf(Object.assign({}, ...Object.values(calendarNames).map((names) => names[kind])));
/** Matches a month or a weekday in any of the languages. */
export const anyMonthSource = inAnyLanguage('month');
export const anyWeekdaySource = inAnyLanguage('weekday');

/** The names in the order in which `Date` counts them: from January, and from Sunday. */
export const englishMonths =
  'January February March April May June July August September October November December'.split(' ');
export const englishWeekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
/** Matches a month, its abbreviations included, and a weekday in English. */
export const monthSource = anyWordOf(calendarNames.en.month);
export const weekdaySource = anyWordOf(calendarNames.en.weekday);
