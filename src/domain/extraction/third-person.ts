import { isGermanBesideIm } from '../language/sentence-language.ts';
import { wordSet } from '../language/word-set.ts';

const inflectedAuxiliaries: ReadonlyMap<string, string> = new Map([
  ['am', 'is'],
  ['have', 'has'],
  ["haven't", "hasn't"],
  ['do', 'does'],
  ["don't", "doesn't"],
]);
/** Auxiliaries with one form for "I" and for a name. */
const auxiliaries = wordSet(
  "was wasn't had hadn't did didn't will won't would wouldn't can can't cannot could couldn't should might may must",
);
// Verbs whose present differs from their past, so that the ending is certain; "I read", "I put" are left alone.
const presents = wordSet(`
  live work like love hate prefer enjoy own drive speak play run collect want need plan hope think believe feel know
  study teach grow come go make keep take use wear drink eat cook bake paint write sing swim ride row garden volunteer
  dislike miss wish worry dread manage lead remember walk train practice practise sleep wake start travel
`);
const pasts = wordSet(`
  went got took saw met made gave found bought sold came left began won lost ran flew drove rode swam wrote built
  broke fell felt told taught spent sent led caught held kept grew ate became heard knew paid sang spoke slept woke
  wore thought brought chose drew drank forgot
`);
const adverb = String.raw`(?:(?:always|already|never|often|just|also|still|now|\p{Ll}+ly)\s+)*`;
const subject = new RegExp(
  String.raw`\bI(?:(?<short>['’](?:m|ve|ll))|\s+(?<adverbs>${adverb})(?<verb>[\p{L}'’]+))`,
  'gu',
);

/** Somebody speaks of themself, in German, Spanish or French, or in English without an "I". */
const firstPersonWithoutI =
  /(?<!\p{L})(?:j['’]|(?:me|ich|mich|mir|mein\p{L}{0,2}|yo|mis?|soy|estoy|tengo|vivo|trabajo|hablo|je|moi|mon|ma|mes)(?!\p{L}))/iu;

/** Whether somebody speaks of themself, alone or with others, in any of the four languages. */
export const usesFirstPerson = (text: string): boolean =>
  /(?<!\p{L})(?:i|my|we|our|wir|unser\p{L}{0,2}|nuestr[oa]s?|nous|notre|nos)(?!\p{L})/iu.test(text) ||
  firstPersonWithoutI.test(text);

/**
 * The statement with its speaker's name for "I" and "my": "I moved to York" of Ada reads "Ada moved to York". A verb
 * whose form we do not know leaves the statement as it was said, with the name before it, and so does another language.
 */
export function toThirdPerson(said: string, speaker: string): string {
  const text = isGermanBesideIm(said) ? said : withCapitalI(said);
  if (!/\b(?:I|my|mine|myself)\b/iu.test(text)) return firstPersonWithoutI.test(text) ? `${speaker}: ${text}` : text;
  // A name said twice reads badly, and which pronoun is right we do not know.
  const isOnce = (text.match(/\bI\b/gu) ?? []).length <= 1;
  let isKnown = isOnce && !/\b(?:you|your|we|us|our)\b/iu.test(text);
  const rewritten = text.replace(subject, (...match) => {
    const { short, adverbs = '', verb = '' } = match.at(-1) as Record<string, string | undefined>;
    if (short) return speaker + ({ m: ' is', ve: ' has', ll: ' will' }[short.slice(1)] ?? short);
    const form = thirdPersonOf(verb.replace('’', "'"));
    isKnown &&= form !== undefined;
    return `${speaker} ${adverbs}${form ?? verb}`;
  });
  if (!isKnown || /\bI\b/u.test(rewritten)) return `${speaker}: ${text}`;
  return rewritten
    .replace(/\bmy\b/giu, `${speaker}'s`)
    .replace(/\bmyself\b/giu, 'themself')
    .replace(/\bmine['’]s\b/giu, `${speaker}'s is`)
    .replace(/\b(?:me|mine)\b/gu, (word) => (word === 'me' ? speaker : `${speaker}'s`));
}

/** Writes out an "I" that was typed in haste: "i work", "im late". */
const withCapitalI = (text: string): string =>
  text.replace(/\bi(?=['’\s])/gu, 'I').replace(/\b[Ii](m|ve)(?=\s)/gu, "I'$1");

const isPast = (verb: string): boolean => pasts.has(verb) || (/(?:[^e]|[a-z]{2}e)ed$/u.test(verb) && verb.length > 4);

function thirdPersonOf(verb: string): string | undefined {
  const inflected = inflectedAuxiliaries.get(verb);
  if (inflected) return inflected;
  if (auxiliaries.has(verb) || isPast(verb)) return verb;
  if (!presents.has(verb)) return undefined;
  return /(?:[sxz]|ch|sh|o)$/u.test(verb) ? `${verb}es` : verb.replace(/([^aeiou])y$/u, '$1ie') + 's';
}
