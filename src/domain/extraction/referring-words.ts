// Finds words that stand for somebody or something said before, in English, German, Spanish and French.
import { wholeWordSource } from '../language/pattern-sources.ts';
import { pronouns, inanimatePronouns } from '../language/pronouns.ts';
import { distinctLanguageOf, type Language } from '../language/sentence-language.ts';

const weather = '(?:froid|chaud|beau|bon|doux|mauvais|humide|gris|nuit)';
/** Matches words behind an impersonal "il": "il pleut", "il n'y a pas", "il a fallu". */
const behindImpersonal = [
  String.raw`(?:pleu|neig|faudr|fall|manqu|rest|suffi|convien|exist|s['’]agi)\p{L}*`,
  'faut|fait|vaut|valait|vaudra|se peut|(?:semble|paraît|parait) que',
  `(?:faisait|fera|ferait|(?:va|a) (?:faire|fait)) ${weather}`,
  'y (?:en )?a(?:ura|urait|vait)?|a (?:plu|neigé|fallu)|va (?:pleuvoir|neiger|falloir|y avoir)',
  String.raw`(?:est|était|sera) (?:pas |déjà |trop )?(?:\d+h?|important|nécessaire|possible|interdit|prévu|préférable|tard|tôt|temps|midi|minuit)`,
].join('|');
const impersonalBehind = String.raw` (?:ne |n['’])?(?:${behindImpersonal})(?!\p{L})`;
/** Matches words before an impersonal "il" in a question: "Y a-t-il", "Faut-il", "Quelle heure est-il". */
const impersonalBefore = String.raw`(?:y (?:en )?a(?:ura|vait)?|fau\p{L}+|fait|faisait|pleu\p{L}+|neige\p{L}*|vau\p{L}+|reste|manque|existe|suffit|convient|s['’]agit|heure (?:est|était|sera))(?:-t)?-`;

/** Spanish verbs whose third person is no order: "tiene 8 años". "Usa" and "toma" are orders in that form. */
const spanishStates = '(?:dice|tiene|quiere|necesita|odia|adora)n?';
/** Only in the plural, or denied, are these no orders: "trabajan en Lugo", "no usa gafas". */
const spanishActions =
  '(?:trabaja|bebe|toma|prefiere|juega|habla|viaja|lleva|usa|fuma|duerme|cocina|conduce|estudia|vive|llega|come)';

/** By language, the words that stand for somebody, or tell whose something is. */
const pronounOf = ({ personal, possessive }: { personal: string; possessive: string }): string =>
  `${personal}|${possessive}`;

/** The polite "Sie können mich anrufen" stands for nobody told before. */
const polite = 'sie (?:können|könnten|dürfen|dürften|sollen|sollten|müssen|müssten|erreichen) (?:mich|mir|uns)';
/** Verb forms of an "ihr" that addresses several people: "Ihr könnt kommen", "Habt ihr Kinder?". */
const pluralForms = '[Kk]önnt|[Dd]ürft|[Mm]üsst|[Ss]ollt|[Ss]eid|[Hh]abt|[Ww]erdet|[Ww]ollt';
/** French: "son mari" is "her husband" or "his", and "le son" the sound. */
const otherSon = String.raw`son(?! (?:mari|fils|frère|père|copain|ami|chien|chat|travail|bureau|numéro|anniversaire)(?!\p{L}))`;

/** By language, what begins a statement of somebody who is not named in it. */
const persons: Readonly<Record<Language, readonly string[]>> = {
  // "She's 9", "their dog barks", "both of them are deaf"
  en: [
    String.raw`(?:${pronounOf(pronouns.en)})(?:['’]\p{L}+)?(?!\p{L})|(?:one|both|neither|none|some|most|all) of them\b`,
  ],
  // "sie ist 7", "ihr Mann heißt Jonas", "mit ihr teile ich das Büro", "die beiden gehen in die Kita"
  de: [
    String.raw`(?!(?:${polite}|ihr (?:${pluralForms}))(?!\p{L}))(?:(?:(?:mit|von|bei|für|zu) )?(?:${pronounOf(pronouns.de)})|die beiden)(?= \p{L})`,
  ],
  es: [
    // "ella no puede", "su novia", "les encanta el pescado"
    String.raw`(?:${pronounOf(pronouns.es)}|les?)(?= \p{L})`,
    // A verb without its subject: "es alérgica", "no come cerdo", "vive en Lugo"; not "viene mi hermana", "es regnet".
    String.raw`(?:(?:no|ya|también|siempre|nunca|casi) ){0,2}(?:es (?!\p{L}*t\b|(?:war(?:en)?|sind|wird|wurden?|gab|soll(?:en|te)?|kann|muss|kam|ging)\b|import|neces|posib|mejor|tarde|hora|que\b)|está(?!n? (?:llov|nev|nubl))n? |${spanishStates} |${spanishActions}n |vive (?=en |con |sol[oa]|aquí|allí|cerca|lejos)|cumplen? (?=\d|años|los \d)|(?:viene|sale|nació|murió)n? (?!el |la |los |las |mis? |una? )|llega (?=en |a las|hoy|mañana)|(?<=(?:no|nunca) )${spanishActions} )(?=\p{L}|\d)`,
    String.raw`(?:no )?se (?:llama|muda|casa|jubil|dedica|queda|va|levanta|acuesta)\p{L}* `,
  ],
  // "elle a 3 ans", "leur chien", "son mari", "je lui envoie"
  fr: [
    String.raw`(?!il${impersonalBehind}|${otherSon})(?:${pronounOf(pronouns.fr)}|(?:je|on|nous) (?:lui|leur))(?= \p{L})`,
  ],
};
/** By language, what begins a statement of one of several things, or of whom or what its object does not tell. */
const things: Readonly<Record<Language, readonly string[]>> = {
  en: [
    // "the other one is for weekends", "the second is 12"; not "the one who called"
    String.raw`the (?:\p{L}+ )?ones?\b(?! (?:who|that|which|i|we)\b)`,
    String.raw`the (?:other|first|second|third|former|latter|old(?:er|est)|eld(?:er|est)|young(?:er|est))s?(?=['’]s\s|,|\s(?:is|are|was|has|have|lives|works|pays|costs|needs)\b)`,
    // "My dad walks him at noon", "we moved there": who or where it is was not told before, in words that go together
    String.raw`(?:(?!(?:and|but|or|that|because|so|if|when|who|which|while|than|hi|hey|hello|is|are|was)\b)[\p{L}'’]+ ){1,3}(?:him|them|there(?!['’]s| (?:is|are|was|were|will|to|has|have)\b))(?!\p{L})`,
  ],
  de: [String.raw`(?:der|die|das) (?:andere|erste|zweite)n?(?= (?:ist|sind|hat|haben|war)\b)`],
  es: [],
  fr: [],
};
const byLanguage = (patternOf: (language: Language) => RegExp): Readonly<Record<Language, RegExp>> => ({
  en: patternOf('en'),
  de: patternOf('de'),
  es: patternOf('es'),
  fr: patternOf('fr'),
});
const headOf = (sources: readonly string[]): RegExp =>
  new RegExp(
    String.raw`^[^\p{L}\d]*(?:(?:yes|no|yeah|nope|oui|non|sí|ja|nein|and|und|y|et|but|also),? )?(?:${sources.join('|')})`,
    'iu',
  );
const personHeads = byLanguage((language) => headOf(persons[language]));
const heads = byLanguage((language) => headOf([...persons[language], ...things[language]]));

/**
 * Whether a statement begins with "she", "their" or the like, or in Spanish with the verb of somebody left out. Words
 * too few to tell their language are taken to be in that of the words around them.
 */
export const beginsWithPronoun = (text: string, around: Language): boolean =>
  personHeads[distinctLanguageOf(text) ?? around].test(text);

/** Whether the subject or the object of a statement is told by a word that stands for it, and by nothing else. */
export const refersBack = (text: string, around: Language): boolean =>
  heads[distinctLanguageOf(text) ?? around].test(text);

const possessiveHeads = byLanguage((language) => new RegExp(String.raw`^(?:${pronouns[language].possessive})\s`, 'iu'));

/** Whether a statement begins with "her", "their" or the like, as "Her husband is a judge" does. */
export const beginsWithPossessive = (text: string, around: Language): boolean =>
  possessiveHeads[distinctLanguageOf(text) ?? around].test(text);

/** "Since when?", "Wie alt?": a question of so few words says nothing by itself. */
const ellipticalQuestion =
  /^[^\p{L}\d]*(?:(?:and|und|y|et) )?(?:(?:for|by|at|in|since|from|with|seit|ab|mit|a|de|desde|con|depuis|à|pour) )?(?:when|where|why|who|what(?: time)?|(?:which|how|wie|welche[rsnm]?|quelle?s?)(?: \p{L}+)?|wann|wo|wohin|woher|wer|was|cuándo|dónde|cómo|cuánt[oa]s?|qué|quién|cuál|quand|où|qui|quoi|comment|combien)\s?\?$/iu;
/** Matches a question to several people: "Wo wohnt ihr?", but not "Wo wohnt ihr Mann?" nor "Was fehlt ihr?". */
const askedPlural = [
  String.raw`(?<=(?<!\p{L})(?:${pluralForms}) )ihr`,
  String.raw`(?<=\p{L}t )(?<!(?:[Ff]ehlt|[Gg]efällt|[Gg]ehört|[Ss]chmeckt|[Hh]ilft|[Gg]ibt) )ihr(?! (?:\p{Ll}+e[nrs]? )?\p{Lu})`,
].join('|');
/** By language, a pronoun anywhere in a question; the polite "Sie" and "Ihr" in German begin with a capital. */
const pronounsWithin: Readonly<Record<Language, RegExp>> = {
  en: new RegExp(wholeWordSource(pronounOf(pronouns.en)), 'u'),
  de: new RegExp(
    wholeWordSource(String.raw`(?!(?:${askedPlural}|sein(?! \p{Lu}))(?!\p{L}))(?:${pronounOf(pronouns.de)})`),
    'u',
  ),
  es: new RegExp(
    String.raw`${wholeWordSource(pronouns.es.personal)}|^¿(?:[Ll]os ves|(?:(?:[Qq]ué|[Dd]ónde|[Cc]ómo|[Cc]uándo|[Cc]uántos años) )(?:se )?(?:tiene|hace|es|está|vive|trabaja|llama)n?(?!\p{L}))`,
    'u',
  ),
  fr: new RegExp(
    wholeWordSource(
      String.raw`(?!(?:(?<=${impersonalBefore})il|il${impersonalBehind}|il (?:possible|important|nécessaire|prévu)|${otherSon})(?!\p{L}))(?:${pronounOf(pronouns.fr)})`,
    ),
    'iu',
  ),
};
const inanimateInQuestion = new RegExp(wholeWordSource(String.raw`it|its|which do|ones?|(?:that|there)(?=\?)`), 'iu');
const inanimateAtHead = new RegExp(String.raw`^(?:${inanimatePronouns}|this|both|neither)(?:['’]\p{Ll}+)?(?=\s)`, 'iu');
const inanimateInStatement = new RegExp(wholeWordSource(`${inanimatePronouns}|this|them|ones?|there`), 'iu');

/** Whether a question is of somebody who is only told by a pronoun. */
export const asksAboutPronoun = (question: string, around: Language): boolean =>
  pronounsWithin[distinctLanguageOf(question) ?? around].test(question);

/**
 * Whether a question needs what was said before it to be understood; an "it" in one that is not alone in its turn
 * stands for what the turn told before.
 */
export const isUnclearQuestion = (question: string, isAlone: boolean, around: Language): boolean =>
  ellipticalQuestion.test(question) ||
  asksAboutPronoun(question, around) ||
  (isAlone && inanimateInQuestion.test(question));

/** Whether a statement begins with a word that mostly stands for something said before. */
export const beginsWithInanimatePronoun = (text: string): boolean => inanimateAtHead.test(text);

/** Whether a word in a statement may stand for something said before: "already paid it". */
export const mentionsInanimatePronoun = (text: string): boolean => inanimateInStatement.test(text);
