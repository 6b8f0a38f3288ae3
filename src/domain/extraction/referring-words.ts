// Words that stand for somebody or something said before, in English, German, Spanish and French.

const persons: readonly string[] = [
  // "She's 9", "their dog barks", "both of them are deaf"
  String.raw`(?:he|she|they|him|them|his|hers?|theirs?)(?:['’]\p{L}+)?(?!\p{L})|(?:one|both|neither|none|some|most|all) of them\b`,
  // "sie ist 7", "ihr Mann heißt Jonas", "mit ihr teile ich das Büro", "die beiden gehen in die Kita"
  String.raw`(?:(?:(?:mit|von|bei|für|zu) )?(?:er|sie|ih[mn]|ihnen|ihre?[nmrs]?|seine?[nmrs]?)|die beiden)(?= \p{L})`,
  // "elle a 3 ans", "leur chien", "son mari", "je lui envoie"; not "il pleut", "il y a"
  String.raw`(?:il(?! (?:pleut|neige|fait|faut|y a|vaut|manque|reste|s['’]agit|est (?:\d|important|possible|tard|temps)))|elle|ils|elles|leurs?|lui|s(?:a|es)|son(?= (?:mari|fils|frère|père|copain|ami|chien|chat|travail|bureau|numéro|anniversaire)(?!\p{L}))|(?:je|on|nous) (?:lui|leur))(?= \p{L})`,
  // "ella no puede", "su novia", "les encanta el pescado"
  String.raw`(?:él|ella|ellos|ellas|sus?|les?)(?= \p{L})`,
  // A Spanish verb without its subject: "es alérgica", "no come cerdo", "se llama Carmen"; not "viene mi hermana".
  String.raw`(?:(?:no|ya|también|siempre|nunca|casi) ){0,2}(?:es (?!\p{L}*t\b|war\b|sind\b|wird\b|import|neces|posib|mejor|tarde|hora|que\b)|está(?!n? (?:llov|nev|nubl))n? |(?:dice|tiene|trabaja|bebe|toma|quiere|prefiere|odia|juega|habla|viaja|necesita|lleva|usa|fuma|duerme|cocina|conduce|estudia|adora)n? |(?:viene|llega|sale|vive|cumple|nació|murió)n? (?!el |la |los |las |mis? |una? )|(?<=no )come )(?=\p{L}|\d)`,
  String.raw`(?:no )?se (?:llama|muda|casa|jubil|dedica|queda|va|levanta|acuesta)\p{L}* `,
];
const things: readonly string[] = [
  // "the other one is for weekends", "the second is 12"; not "the one who called"
  String.raw`the (?:\p{L}+ )?ones?\b(?! (?:who|that|which|i|we)\b)`,
  String.raw`the (?:other|first|second|third|former|latter|old(?:er|est)|eld(?:er|est)|young(?:er|est))s?(?=['’]s\s|,|\s(?:is|are|was|has|have|lives|works|pays|costs|needs)\b)`,
  String.raw`(?:der|die|das) (?:andere|erste|zweite)n?(?= (?:ist|sind|hat|haben|war)\b)`,
];
const headOf = (sources: readonly string[]): RegExp =>
  new RegExp(
    String.raw`^\W*(?:(?:yes|no|yeah|nope|oui|non|sí|ja|nein|and|und|y|et|but|also),? )?(?:${sources.join('|')})`,
    'iu',
  );
const [ofPersons, ofThings] = [headOf(persons), headOf(things)];

/** "My dad walks him at noon", "we moved there": who or where it is was not told before, in words that go together. */
const object =
  /^(?:(?!(?:and|but|or|that|because|so|if|when|who|which|while|than|hi|hey|hello|is|are|was)\b)[\p{L}'’]+ ){1,3}(?:him|them|there(?!['’]s| (?:is|are|was|were|will|to|has|have)\b))(?!\p{L})/iu;

/** Whether a statement begins with "she", "their" or the like, or in Spanish with the verb of somebody left out. */
export const beginsWithPronoun = (text: string): boolean => ofPersons.test(text);

/** Whether the subject or the object of a statement is told by a word that stands for it, and by nothing else. */
export const refersBack = (text: string): boolean => ofPersons.test(text) || ofThings.test(text) || object.test(text);

/** "Since when?", "Wie alt?": a question of so few words says nothing by itself. */
const bareQuestion =
  /^\W*(?:(?:and|und|y|et) )?(?:(?:for|by|at|in|since|from|with|seit|ab|mit|a|de|desde|con|depuis|à|pour) )?(?:when|where|why|who|what(?: time)?|(?:which|how|wie|welche[rsnm]?|quelle?s?)(?: \p{L}+)?|wann|wo|wohin|woher|wer|was|cuándo|dónde|cómo|cuánt[oa]s?|qué|quién|cuál|quand|où|qui|quoi|comment|combien)\s?\?$/iu;
const pronounWithin =
  /(?<!\p{L})(?:he|him|his|she|hers?|they|them|theirs?|er|sie|ih[mn]|ihnen|ihre?[nmrs]?|elle|ils?|elles|lui|leurs?|él|ella|ellos|ellas)(?!\p{L})|^¿(?:[Ll]os ves|(?:(?:[Qq]ué|[Dd]ónde|[Cc]ómo|[Cc]uándo|[Cc]uántos años) )(?:se )?(?:tiene|hace|es|está|vive|trabaja|llama)n?(?!\p{L}))/u;
const thingWithin = /(?<!\p{L})(?:it|its|which do|ones?|(?:that|there)(?=\?))(?!\p{L})/iu;

/** Whether a question is of somebody who is only told by a pronoun. */
export const asksOfPronoun = (question: string): boolean => pronounWithin.test(question);

/**
 * Whether a question needs what was said before it to be understood; an "it" in one that is not alone in its turn stands
 * for what the turn told before.
 */
export const isUnclearQuestion = (question: string, isAlone: boolean): boolean =>
  bareQuestion.test(question) || pronounWithin.test(question) || (isAlone && thingWithin.test(question));
