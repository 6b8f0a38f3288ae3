import { withoutAccents } from './accents.ts';
import { negationWords, queryStopWords, stopWords } from './stop-words.ts';
import { wordSet } from './word-set.ts';

/** The languages whose dates are read, as ISO 639-1 names them. */
export type Language = 'en' | 'de' | 'es' | 'fr';

/**
 * Words by which a language is told, without accents: those that build its sentences, and everyday ones, mostly of the
 * calendar. A word that languages share stands with each of them, so that it puts none ahead: "son" is English, Spanish
 * and French.
 */
const words: Readonly<Record<Language, readonly ReadonlySet<string>[]>> = {
  en: [
    stopWords,
    negationWords,
    wordSet(`
      monday tuesday wednesday thursday friday saturday sunday january february march may june july october december
      mon tue tues wed thu thurs fri sat sun jan feb mar apr jun jul aug sept oct nov dec today tomorrow tonight
      yesterday next last ago week day meeting party son
    `),
  ],
  de: [
    queryStopWords.de,
    wordSet(`
      montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar janner februar marz juni juli oktober
      dezember heute morgen gestern ubermorgen vorgestern uhr nachste nachsten nachster nachstes kommenden letzte letzten
      woche wochenende ab termin mag weil kein keine keinen mehr suche silvester weihnachten jeden kommt kommen ohne
    `),
  ],
  es: [
    queryStopWords.es,
    wordSet(`
      hoy manana ayer anoche lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio
      julio agosto septiembre setiembre octubre noviembre diciembre semana proximo proxima pasado dentro cita fuimos fui
      verano invierno otono navidad principios mediados finales
    `),
  ],
  fr: [
    queryStopWords.fr,
    wordSet(`
      lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout septembre
      octobre novembre decembre demain hier aujourd deux trois jours ans semaine semaines prochain prochaine dernier
      derniere jusqu rdv ete hiver printemps alles
    `),
  ],
};
const languages = ['en', 'de', 'es', 'fr'] as const;
const languagesByWord = new Map<string, Language[]>();
for (const language of languages)
  for (const word of new Set(words[language].flatMap((list) => [...list])))
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);

/** Letters and spellings that hardly any other of the four languages has. */
const spellings: Readonly<Record<Language, RegExp>> = {
  en: /\d(?:st|nd|rd|th|[ap]m)\b|(?<!\p{L})i(?!\p{L})/giu,
  de: /[äöüß]|(?<!\bI )\b(?:am|zum|vom|der) \d{1,2}(?:\.(?!\d)|$)/giu,
  es: /[ñ¿¡áíó]/giu,
  fr: /[çœêèùâà]|(?<!\p{L})(?:[cdjlmnst]|qu)['’](?=\p{L})/giu,
};

/** "Casa", "negros": hardly a longer French word ends so, and hardly a Spanish sentence is without one. */
const spanishEnding = /\p{L}{2}[ao]s?(?!\p{L})/iu;

/**
 * The languages, that of which a text has the most first. Where they tie, English comes first, then German; Spanish and
 * French, which share the most words, come as the endings of the words tell.
 */
function ranked(text: string): readonly { language: Language; found: number }[] {
  const order = spanishEnding.test(text) ? languages : (['en', 'de', 'fr', 'es'] as const);
  const counts = new Map(order.map((language) => [language, text.match(spellings[language])?.length ?? 0]));
  for (const [word] of withoutAccents(text.toLowerCase()).matchAll(/\p{L}{2,}/gu))
    for (const language of languagesByWord.get(word) ?? []) counts.set(language, counts.get(language)! + 1);
  return [...counts]
    .map(([language, found]) => ({ language, found }))
    .toSorted((one, other) => other.found - one.found);
}

/** The language that a sentence has the most words of; English where no other has more. */
export const languageOf = (text: string): Language => ranked(text)[0]!.language;

/** The language that a text has more words of than of any other; undefined where none is ahead. */
export function distinctLanguageOf(text: string): Language | undefined {
  const [first, second] = ranked(text);
  return first!.found > second!.found ? first!.language : undefined;
}

/** Whether a sentence is German, whatever its "im" is: in English it is typed in haste for "I'm". */
export const isGermanBesideIm = (text: string): boolean => languageOf(text.replace(/\bim\b/giu, '')) === 'de';
