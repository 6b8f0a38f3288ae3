import { kinshipSource } from '../language/person-words.ts';
import type { BuiltInCategory } from '../memory-types.ts';
import type { StatementKind } from './statement-classifier.ts';

// The closest family and pets in German, Spanish and French.
const foreignKinship =
  '(?:schwieger|groß)?(?:mutter|vater)|schwester|bruder|tochter|töchter|sohn|söhne|ehe(?:mann|frau)|meine? (?:mann|frau)|verheiratet|familie|hund|katze|kater|madre|padre|herman[oa]s?|hij[oa]s?|marido|mujer|espos[oa]|abuel[oa]|casad[oa]|familia|perr[oa]|gat[oa]|mère|père|sœur|frère|filles?|fils|mari|mariée?|épou(?:x|se)|enfants?|famille|chien';

// First match wins: what is narrow stands before what is wide.
const topics: readonly (readonly [BuiltInCategory, RegExp])[] = [
  [
    'identity',
    /\b(?:my name is|call(?:ed)? me|years old|born (?:in|on)|grew up|nationality|citizen|native|originally from|(?:speaks?|fluent in) (?:(?:some|good|fluent|a little) )?(?:\p{L}+(?:ish|ese|ian|abic)|french|german|dutch|greek|czech|hindi))\b|(?<!\p{L})(?:ich (?:heiß|heiss)e|jahre alt|geboren|spreche \p{L}+isch|me llamo|tengo \d+ años|nacid[oa]|nací|hablo \p{L}+(?:és|ol|ano)|je m['’]appelle|j['’]ai \d+ ans|née?|je parle \p{L}+(?:ais|ol|and|ien))(?!\p{L})/iu,
  ],
  [
    'health',
    /\b(?:allerg\p{L}*|doctor|dentist|hospital|surgery|medic\p{L}*|diagnos\p{L}*|asthma|diabet\p{L}*|therap\p{L}*|ill(?:ness)?|sick|injur\p{L}*|ankle|migraine|vegan|vegetarian|diet|pregnan\p{L}*|blood|symptom\p{L}*|gluten|lactose|intoleran\p{L}*|c(?:o?)eliac|weigh\p{L}*|insulin|pills?)\b|(?<!\p{L})(?:alérg\p{L}*|alergi\p{L}*|diabét\p{L}*|diabetiker\p{L}*|embarazada|schwanger|enceinte|krank|krankheit\p{L}*|enferm(?:[oa]s?|edad\p{L}*)|malad(?:es?|ies?)|medikament\p{L}*|tabletten|pastillas?|vegetari\p{L}*|vegan\p{L}*|végétari\p{L}*)(?!\p{L})/iu,
  ],
  [
    'relations',
    new RegExp(
      String.raw`\b(?:(?:${kinshipSource})s?|parents|grand\p{L}+|family|married|wedding|anniversary|dog|cat|pet)(?!\p{L})|(?<!\p{L})(?:${foreignKinship})(?!\p{L})`,
      'iu',
    ),
  ],
  [
    'work',
    /\b(?:work\p{L}*|job|manager|boss|company|office|project|client|customer|deadline|report|team|career|salary|interview|invoice|board|release|pipeline|paper|meeting|degree|university|school|thesis|exam)\b|(?<!\p{L})(?:arbeite\p{L}*|beruf|firma|chef(?:in)?|büro|trabaj\p{L}*|jef[ea]|oficina|empresa|travaill\p{L}*|métier|patronn?e?)(?!\p{L})/iu,
  ],
  [
    'places',
    /\b(?:live[sd]?|mov(?:e|ed|ing)|house|home|flat|apartment|city|town|village|garden|street|road|travel\p{L}*|trip|flight|hotel|visit\p{L}*)\b|(?<!\p{L})(?:wohn(?:e|en|st|t|ung)|lebe|leben in|umgezogen|viv(?:o|imos)|resido|mud(?:é|amos|ado)|habit(?:e|ons)|je vis|déménag\p{L}*)(?!\p{L})/iu,
  ],
  [
    'possessions',
    /\b(?:car|bike|boat|phone|laptop|camera|guitar|piano|bought|own|owns|password|number|email|code)\b/iu,
  ],
  ['habits', /\b(?:every|usually|always|often|weekends?|mornings|evenings|weekly|daily|training|practi[cs]e)\b/iu],
  ['plans', /\b(?:plan\p{L}*|will|going to|hope|want|goal|dream)\b/iu],
];

const averse =
  /\b(?:hates?|dislikes?|detests?|loathes?|despises?|can(?:no|['’]?)t (?:stand|bear)|(?:do|does|did)(?: not|n['’]?t) (?:\p{Ll}+ )?(?:like|enjoy|love|care for|want)|not (?:a fan|keen|into|fond)|never (?:eats?|drinks?|uses?|again)|no more|allergic|avoid\p{L}*|sick of|fed up)\b|(?<!\p{L})(?:no (?:me|nos) gustan?|odi[oa]|detest[oae]|hasse|n['’]aime pas(?! que\b)|déteste|mag (?:(?!die|der|das)\p{L}+ ){0,3}(?:nicht(?! nur\b)|keine?n?))(?!\p{L})/iu;
/** "I'm Nora, 34": somebody says who they are. Without the flag `i`, since a name is told by its capital. */
const introduced = /^(?:I['’]m|I am|[Ss]oy|[Jj]e suis) \p{Lu}\p{Ll}+(?=[,.!]|$| and | y | et )/u;

/** The category of a statement: of a preference by what it says of its object, of everything else by its words. */
export function categoryOf(kind: StatementKind, text: string): BuiltInCategory {
  if (kind === 'instruction') return 'instruction';
  if (kind === 'preference') return averse.test(text) ? 'dislikes' : 'likes';
  const topic = topicOf(text);
  return topic === 'other' && introduced.test(text) ? 'identity' : topic;
}

/** The category of a text by its topic. */
function topicOf(text: string): BuiltInCategory {
  return topics.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

/** Whether the words are about this, among other things. */
export const isAboutCategory = (category: BuiltInCategory, text: string): boolean =>
  topics.some(([name, pattern]) => name === category && pattern.test(text));
