import type { TenseHint } from './calendar.ts';
import { anyWordOf, calendarNames } from '../language/calendar-names.ts';
import { wholeWordSource } from '../language/pattern-sources.ts';
import type { Language } from '../language/sentence-language.ts';

const word = (source: string): RegExp => new RegExp(wholeWordSource(source), 'iu');

/** Forms of verbs that tell of the past, as people use them most. */
const pastForms: Readonly<Record<Exclude<Language, 'en'>, RegExp>> = {
  de: word(
    String.raw`war|waren|hatte|hatten|wurde|wurden|ging|gingen|kam|kamen|gab|fand|fanden|sah|sahen|traf|trafen|musste|mussten|konnte|konnten|fuhr|fuhren|flog|flogen|(?:habe?|hast|hat|haben|bin|ist|sind)(?!\p{L})[^.;!?]*\s(?:\p{Ll}{0,5}ge\p{Ll}{2,}(?:t|en)|(?:be|ver|er|ent)\p{Ll}{2,}(?:t|en)|\p{Ll}{3,}iert)(?=\s*(?:[.,;!?)]|$|(?:und|oder|aber|also|weil|denn)\b))`,
  ),
  es: word(
    String.raw`fui|fue|fuimos|fueron|hice|hizo|hicimos|tuve|tuvo|tuvimos|estuve|estuvo|estuvimos|vine|vino|vinieron|vi|vimos|vio|dijo|dije|dimos|di|era|eran|había|estaba|estaban|tenía|iba|íbamos|(?:he|ha|hemos|han) (?:\p{L}+[ai]do|hecho|visto|dicho|puesto|escrito|vuelto|roto)|\p{L}{2,}(?:[^r]é|ó|aron|ieron|aba|aban)(?<!caf[eé]|qué|porqué|bebé|comité|sé|esté)`,
  ),
  fr: word(
    String.raw`étais|était|étions|étaient|avais|avait|avions|avaient|allait|faisait|(?:j['’]ai|tu as|il a|elle a|on a|nous avons|ils ont|a|ont) (?:(?!(?:une?|des?|l[ae]s?|m(?:on|a|es)|notre|cette?|deux|trois) )\p{L}+ )?(?!congé|rendez|besoin|droit|envie|(?:du|au)(?!\p{L}))\p{L}+(?:é|ée|és|ées|u|ue|us|is|ise|it|ite|ert)|(?:suis|est|sommes|sont) (?:allé|venu|parti|arrivé|né|rentré|resté|tombé|devenu|passé|sorti|monté|mort)(?:e|s|es)?`,
  ),
};

/** Verbs of arranging something for a day to come: "ich habe für den 12. einen Tisch reserviert". */
const arranged: Readonly<Record<Exclude<Language, 'en'>, RegExp>> = {
  de: word(
    'gebucht|reserviert|vereinbart|ausgemacht|geplant|verschoben|verlegt|angemeldet|eingeladen|bekommen|gelegt|angesetzt|festgelegt|versprochen|eingetragen|verlängert',
  ),
  es: word(
    String.raw`reserv(?:é|ado|amos)|qued(?:é|ado|amos)|cambi(?:ó|aron|ado)|mov(?:ió|ieron|ido)|(?:aplaz|atras|posterg|adelant|alarg|prolong|prorrog)(?:ó|aron|ado)|corr(?:ió|ieron|ido) (?:al|para)|pospuesto|citado|dado (?:hora|cita|turno)|programado|previsto|comprado|pas(?:ó|aron|ado) (?:al|a)`,
  ),
  fr: word(
    'réservée?s?|prolongée?s?|repoussée?s?|pris (?:un )?(?:rendez-vous|rdv)|décalée?s?|reportée?s?|prévue?s?|fixée?s?|déplacée?s?|invitée?s?|inscrite?s?|avancée?s?|promis',
  ),
};

/** Matches a day to which something is moved: "Repoussé au 20 janvier", but not "die Nacht auf den 15.". */
const movedTo = /(?<![\p{L}'’]|nacht )(?:(?<german>auf(?: den)?)|al|au) (?:\p{L}+ )?\d/giu;
/** German verbs that move a day or look ahead to it. They have to confirm "auf", which has many other senses. */
const movesInGerman = word(
  String.raw`(?:vor|um)?ver(?:schob|schieb|leg|länger|tag)\p{L}*|(?:vor|auf|hinaus|nach hinten )?(?:ge)?(?:schoben|schieben|schiebt)|vorgezogen|umgebucht|(?:um|fest|an)?ge(?:legt|setzt)|legen|legt|terminiert|ausgedehnt|gerutscht|rutscht|fällt|freuen?|freut|warten?|wartet`,
);
const timeNames = (['de', 'es', 'fr'] as const)
  .flatMap((each) => [anyWordOf(calendarNames[each].month), anyWordOf(calendarNames[each].weekday)])
  .join('|');
/** Matches the day that opens a sentence, which a comma may part from its verb: "Samedi soir, on était au concert". */
const openingDay = new RegExp(
  String.raw`^(?:(?:le|ce|el|este) )?(?:\d+ (?:de )?)?(?:${timeNames})(?: (?:por la )?\p{L}+)?,\s(?!(?:quand|lorsque|cuando)\s)`,
  'iu',
);
/** Matches the start of a span, which "au" ends: "De janvier au 3 mars", but not "le rendez-vous de Paul". */
const spanStart = word(
  String.raw`depuis|desde|entre|zwischen|ab|(?:(?:de|du|del|von|vom)\s+|d['’])(?:(?:el|le|la|dem|der)\s+)?(?:\d+|${timeNames})`,
);

/** Verbs of taking place, which look ahead: "der Termin ist im Juni". "Die Rechnung ist vom 3. Juni" does not. */
const takesPlace: Readonly<Record<Exclude<Language, 'en'>, RegExp>> = {
  de: word('ist|sind|findet|finden|beginnt|beginnen|startet'),
  es: word('es|son|será|empieza|empiezan|comienza'),
  fr: word('est|sont|sera|commence|commencent'),
};
const madeThen = /(?<!\p{L})(?:vom|del|du) $/iu;

const since = /(?<!\p{L})(?:seit|desde|depuis)(?!\p{L})/iu;

/**
 * The side of today that a part of a German, Spanish or French sentence speaks of, by the place of a date in it; of the
 * present only what says that something takes place tells.
 */
export function foreignTenseAt(text: string, language: Exclude<Language, 'en'>): (index: number) => TenseHint {
  return (index) => {
    if (since.test(text.slice(Math.max(0, index - 10), index + 7))) return 'past';
    const start = text.slice(0, index).search(/[^,;:]*$/u);
    const opening = start === 0 ? (openingDay.exec(text)?.[0].length ?? 0) : 0;
    const part = text.slice(start, opening) + (/^[^,;:]*/u.exec(text.slice(start + opening))?.[0] ?? '');
    const isMoved = ({ index: at, groups }: RegExpExecArray): boolean =>
      groups?.['german']
        ? movesInGerman.test(part)
        : arranged[language].test(part) || !spanStart.test(text.slice(start, at));
    if ([...text.matchAll(movedTo)].some((m) => m.index <= index && index < m.index + m[0].length && isMoved(m)))
      return 'future';
    if (pastForms[language].test(part) && !arranged[language].test(part)) return 'past';
    const isMadeThen = madeThen.test(text.slice(0, index)) || madeThen.test(`${text.slice(index).split(' ')[0]} `);
    return takesPlace[language].test(part) && !isMadeThen ? 'future' : 'either';
  };
}
