import { weekdaySource } from '../language/calendar-names.ts';

// Tells days and hours that come back, by a rule or a habit, from those of one day.

const weekday = String.raw`(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?`;
const often =
  /\b(?:every|each|most|on all|any)(?: (?:other|single|second))?\s+$|\b(?:always|usually|normally|generally|typically|mostly|often)\b[^,;.]{0,40}$/iu;
/** Matches words before a weekday that comes back: "College day is Tuesday", but not "my last day is Friday". */
const dayOf =
  /(?<!\b(?:last|first|final|moving|wedding|exam|results?|big|launch|release|election|polling|match|game|race|surgery|due|birth|travel|sports))\s(?:days?|night) (?:is|are|=|:)\s*(?:on )?(?:\p{L}+day(?:,| and| &| or) )*$|\bno \p{L}+s (?:on )?$/iu;
const regular =
  /^\s(?:slots?|shifts?|class(?:es)?|clubs?|groups?|standups?|stand-ups?|markets?|leagues?|choir|off each|mornings|afternoons|evenings|nights)\b/iu;
const joined = String.raw`\s*(?:/|&|\+|-|–)\s*`;
const [dayBefore, dayAfter] = [
  new RegExp(String.raw`\b${weekday}s?${joined}(?:on )?$`, 'iu'),
  new RegExp(String.raw`^${joined}${weekday}\b`, 'iu'),
];
const threeDays = new RegExp(String.raw`\b${weekday},? ${weekday},? (?:(?:and|&|or) )?${weekday}\b`, 'iu');
const rangeOfDays = new RegExp(String.raw`^(?:on |from )?${weekday}\s*(?:-|–|to|through)\s*${weekday}\b`, 'iu');
const once = /\b(?:this|next|last|coming|tomorrow|today|tonight)\b/iu;

/** Matches days that come back: "The first Thursday of each month", "every two weeks on Friday". */
const recurringDays = new RegExp(
  [
    String.raw`\b(?:(?:on )?the )?(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) ${weekday}s? (?:of|in) (?:each|every|any) \p{L}+`,
    String.raw`(?<=\b(?:meets?|paid|held) )(?:on )?(?:the )?(?:first|second|third|fourth|last) ${weekday} of the month`,
    String.raw`\b(?:on )?the \d{1,2}(?:st|nd|rd|th) of (?:each|every|any) \p{L}+`,
    String.raw`\bevery (?:other |second |third |\d{1,2} |(?:two|three|four|six) )?(?:weeks?|fortnight|months?),? (?:on )?(?:an? |the )?${weekday}s?\b`,
    String.raw`\b(?:on )?(?:an? )?${weekday}s?,? (?:every|each) (?:other |second |third |\d{1,2} |(?:two|three|four|six) )?(?:weeks?|fortnight|months?)\b`,
    String.raw`\b(?:weekly|fortnightly|bi-?weekly|monthly),? (?:on )?(?:an? )?${weekday}s?\b`,
  ].join('|'),
  'giu',
);

/** Whether a weekday between these words comes back: "deploys Tue/Thu", "every Friday", "the Friday slot". */
export const isRoutineDay = (written: string, before: string, rest: string): boolean =>
  often.test(before) ||
  (!once.test(written) &&
    (dayOf.test(before) ||
      regular.test(rest) ||
      dayBefore.test(before) ||
      dayAfter.test(rest) ||
      rangeOfDays.test(written) ||
      threeDays.test(before + written + rest)));

const rule = new RegExp(
  String.raw`\b(?:no(?! (?:wait|worries|problem))|never|always|usually|normally|generally|typically|mostly|often|every|each|daily|nightly|weekdays?|weekends|mornings|afternoons|evenings|nights|(?:${weekdaySource})s|(?:do not|don['’]?t)(?! (?:let|forget))|avoid|curfew|bedtime|allowed)\b(?!,)`,
  'iu',
);
const habit =
  /\b(?:(?:gets?|wakes?) up|(?:go|goes) to (?:bed|sleep|work|school)|(?:starts?|finish(?:es)?|begins?|ends?|leaves?) (?:work|school|for work)|opens?|closes?|deploys?|(?:shift|workday|school|office|shop|store|gym|pub|library|alarm) (?:starts?|begins?|ends?|is)|deploy window)\b/iu;

const dayPair = new RegExp(String.raw`\b${weekday}s?${joined}${weekday}`, 'iu');

/** Matches words of a rule or a habit in German, Spanish and French. */
const foreign =
  /(?<!\p{L})(?:jede[nrsm]?|immer|täglich|werktags|(?:mon|diens|mittwoch|donners|frei|sams|sonn)tags|morgens|abends|alle \p{L}+ (?:tage|wochen|monate)|nie|kein\p{L}*|normalerweise|meistens|todos los|todas las|cada|siempre|nunca|de (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo) a|los (?:lunes|martes|miércoles|miercoles|jueves|viernes|sábados|domingos)|normalmente|me (?:levanto|acuesto|despierto)|duermo|entr[oa]|salgo|sale|abren?|cierran?|me (?:lève|couche|réveille)|réveil|ouvre|ferme|wecker|öffnet|schließt|sur deux|du mois(?! (?:prochain|dernier))|tous les|toutes les|chaque|toujours|jamais|(?:par|pro|por) (?:semaine|woche|semana)|die woche|du (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche) au|le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?! \d))(?!\p{L})/iu;

const habitually =
  /(?<!\p{L})(?:always|usually|normally|generally|typically|mostly|often|every|each|immer|jede[nrsm]?|meistens|normalerweise|siempre|cada|todos los|normalmente|toujours|chaque|souvent|tous les|toutes les)(?!\p{L})/iu;
const recurringEnds = new RegExp(
  String.raw`\b(?:the )?end of (?:the )?(?:week|month|year)\b|${recurringDays.source}`,
  'giu',
);

/**
 * Matches days that come back, in whose words no date may be found; with "always" or "every" in the clause, so does the
 * end of the month.
 */
export const recurringDaysIn = (clause: string): RegExp => (habitually.test(clause) ? recurringEnds : recurringDays);

/** Whether a text tells a rule or a habit, so that an hour without a day in it is one of every day. */
export const tellsRoutine = (text: string): boolean =>
  rule.test(text) || habit.test(text) || dayPair.test(text) || foreign.test(text);
