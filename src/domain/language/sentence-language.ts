/** The languages whose dates are read, as ISO 639-1 names them. */
export type Language = 'en' | 'de' | 'es' | 'fr';

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;
const word = (list: string) => String.raw`(?<![\p{L}'’])(?:${list.trim().split(/\s+/u).join('|')})(?![\p{L}'’])`;

/** Words that only one of the four languages has, or hardly any other, and the letters of its own. */
const cues: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(
    word(`the is are of and to with for at on my our we i'm i've it's it this that have has had from by be will not
      monday tuesday wednesday thursday friday saturday sunday january february march may june july october december
      mon tue tues wed thu thurs fri sat sun jan feb mar apr jun jul aug sept oct nov dec today tomorrow tonight
      yesterday next last ago you he she they was his her their can just out up week day when but or if i meeting party`) +
      String.raw`|\d(?:st|nd|rd|th|[ap]m)\b`,
    'giu',
  ),
  de: new RegExp(
    word(`der das den dem des ein eine einen einem einer ist sind habe hab haben hatte ich wir mein meine meinen meiner
      unser unsere und oder aber nicht mit bei beim nach von vom zum zur seit für auf wird werde werden muss heute morgen
      gestern übermorgen vorgestern uhr montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag januar
      jänner februar märz juni juli oktober dezember nächste nächsten nächster nächstes kommenden letzte letzten woche
      wochenende ab noch schon jetzt doch auch wieder termin war waren bin mag nur sehr weil dass kein keine keinen mehr suche
      silvester weihnachten diesen dieses jeden kommt kommen`) +
      String.raw`|[äöüß]|(?<!\bI )\b(?:am|zum|vom|der) \d{1,2}(?:\.(?!\d)|$)`,
    'giu',
  ),
  es: new RegExp(
    word(`el los las una es está son tengo tiene tenemos hay mi mis con para por del al pero lo hoy mañana ayer anoche
      lunes martes miércoles miercoles jueves viernes sábado sabado domingo enero febrero marzo abril mayo junio julio
      agosto septiembre setiembre octubre noviembre diciembre semana próximo próxima proximo que pasado hace dentro cita
      este esta fuimos fui voy vamos verano invierno otoño navidad principios mediados finales cada`) +
      String.raw`|[ñ¿¡áíó]`,
    'giu',
  ),
  fr: new RegExp(
    word(`le les des du une est je nous mon ma mes notre avec pour dans chez à au aux et sur sont ai lundi mardi mercredi
      jeudi vendredi samedi dimanche janvier février fevrier mars avril mai juin juillet août aout septembre octobre
      novembre décembre decembre demain hier aujourd'hui il elle nous vous deux trois jours ans semaines semaine prochain prochaine dernier dernière jusqu'au rdv
      cet cette été hiver printemps allés`) + String.raw`|[çœêèùâ]|(?<![\p{L}])(?:j|l|d|qu|c)['’](?=\p{L})`,
    'giu',
  ),
};
/** Hardly any English sentence has one of these: where none is found, nothing is counted. */
const mayBeForeign = new RegExp([cues.de, cues.es, cues.fr].map(({ source }) => source).join('|'), 'iu');

/** The languages, that of which a text has the most words first; English, German, Spanish and French where they tie. */
const ranked = (text: string): readonly { language: Language; found: number }[] =>
  (['en', 'de', 'es', 'fr'] as const)
    .map((language) => ({ language, found: count(cues[language], text) }))
    .toSorted((one, other) => other.found - one.found);

/** The language that a sentence has the most words of; English where no other has more. */
export const languageOf = (text: string): Language => (mayBeForeign.test(text) ? ranked(text)[0]!.language : 'en');

/** The language that a text has more words of than of any other; undefined where none is ahead. */
export function distinctLanguageOf(text: string): Language | undefined {
  const [first, second] = ranked(text);
  return first!.found > second!.found ? first!.language : undefined;
}
