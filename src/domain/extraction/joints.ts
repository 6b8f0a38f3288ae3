import type { Language } from '../language/sentence-language.ts';

/** The patterns that tell where a sentence goes on with another statement of its speaker, or of somebody near to them. */
export interface Joints {
  /** The words between two statements; the group `joined` has them where they are more than a comma. */
  readonly joint: RegExp;
  /** The beginning of a sentence that is never split: it states a condition, or orders to write or say something. */
  readonly hanging: RegExp;
  /** Words of supposing, or of what others hold, whose reach goes on behind the joint. */
  readonly carriedOn: RegExp;
  /** The beginning of a statement that a comma alone may end: other words are the time or place of what comes next. */
  readonly selfStanding: RegExp;
  /** "I bought one, and since it came, I ...": what comes before the comma waits for what comes after. */
  readonly waiting: RegExp;
  /** The conjunction of a contrast: a supposition or what others hold does not reach behind it. */
  readonly but: RegExp;
  /** "My husband hates mushrooms but I love them": behind "but" the second says nothing without the first. */
  readonly pointsBack: RegExp;
}

const speaker = String.raw`(?:(?:[Ii]|we)(?=[\s'’])|[Ii](?:m|ve)(?=\s))`;
// Not after a comma alone: "I met Jo, my friend" says one thing.
const own = String.raw`(?:${speaker}|(?:my|our)(?=\s))`;
/** "I work at Acme, my boss is Jo": behind a comma alone, with a verb of its own. */
const ownWithVerb = String.raw`(?:my|our)(?=(?:\s\p{L}+){1,3}\s(?:is|are|was|were|has|have|works|lives)\s)`;
/** "and Theo has an egg allergy": a person by name, before a verb that tells of them. */
const namedPersonSource = String.raw`\p{Lu}\p{Ll}+(?=(?:['’]s|\s(?:has|is|was|works|lives|likes|loves|hates|needs|wants|eats|drinks|takes|goes|plays|owns|does|doesn['’]t|isn['’]t))\s)`;
export const othersHold = String.raw`\b(?:[Hh]e|[Ss]he|[Tt]hey|who|\p{Lu}\p{Ll}+|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) \p{L}+) (?:also |always |once |just )?(?:said|says|thinks?|thought|believes?|told (?:me|us|\p{L}+)|claims?|claimed|heard|assumes?|insists?|swears?)\b`;
const hangingIn =
  'if|when|whenever|while|because|although|though|since|as|after|before|unless|until|once|whether|suppose|imagine|pretend';
const dictatedIn = String.raw`(?:(?:please|can you|could you|would you|will you|i (?:want|need|would like) you to|help me(?: to)?|let(?: us|'s))\s+)*(?:write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|correct|proofread|summari[sz]e|generate|send|text|tell|say|repeat|pretend|imagine|act)`;

const english: Joints = {
  // White space is bounded: a long run of it would be gone over from each of its places.
  joint: new RegExp(
    String.raw`(?<joined>(?:,|;|\s[—–-])?\s{1,9}(?:and|but|so)\s{1,9}|;\s{1,9})(?=${own}|${namedPersonSource})|(?:,|\s[—–-])\s{1,9}(?=${speaker}|${ownWithVerb})`,
    'gu',
  ),
  // "When I moved and I was ill, ...", "Write a mail saying I am ill and my boss is an idiot"
  hanging: new RegExp(String.raw`^(?:${hangingIn}|${dictatedIn})\b`, 'iu'),
  // "I wish I lived in York and I had a dog", "She said I was late and I never call": the second is wished and said, too.
  carriedOn: new RegExp(
    String.raw`(?<!what |as |even )\bif\b|\b(?:wish|wished|unless|whether|imagine|imagined|suppose|supposing|pretend|pretending|dream(?:t|ed)?)\b|${othersHold}(?: that)? (?:I|my|we|our)\b|\b(?:saying|telling \p{L}+|stating|claiming|says)(?: that)? (?:I|my|we|our)\b`,
    'u',
  ),
  selfStanding: /^(?:I|i|we|my|our|it)(?=[\s'’])|^(?:im|ive|its)(?=\s)/iu,
  waiting:
    /\b(?:and|but|so|or)\s+(?:since|when|whenever|while|because|although|though|after|before|as|with|once|given|now that|even)\b/u,
  but: /but/u,
  pointsBack: /\b(?:it|them|him|her|those|these|there|either)\b/iu,
};

/** The words of another language that joints are told by. */
interface JointWords {
  readonly and: string;
  readonly but: string;
  /** The speaker with a verb that only "I" has: in "Anna und ich wohnen", "Anna und ich nach Linz" it is one of two. */
  readonly speaker: string;
  readonly my: string;
  /** Verbs that tell of somebody else. */
  readonly tells: string;
  /** "If", "because" and orders to write, at the head of a sentence. */
  readonly hanging: string;
  readonly carriedOn: string;
  readonly pointsBack: string;
}

const word = (source: string): string => String.raw`(?<!\p{L})(?:${source})(?!\p{L})`;

function jointsOf({ and, but, speaker: self, my, tells, hanging, carriedOn, pointsBack }: JointWords): Joints {
  const other = String.raw`(?:(?:${my})\s(?:\p{L}+\s){1,3}|\p{Lu}\p{Ll}+\s)(?:${tells})\s`;
  return {
    joint: new RegExp(
      String.raw`(?<joined>,?\s{1,9}(?:${and}|${but})\s{1,9})(?=${self}|${other})|,\s{1,9}(?=${self})`,
      'gu',
    ),
    hanging: new RegExp(`^${word(hanging)}`, 'iu'),
    carriedOn: new RegExp(word(carriedOn), 'iu'),
    selfStanding: new RegExp(String.raw`^(?:${self}|(?:${my})\s)`, 'iu'),
    waiting: /(?!)/u, // what it would wait for is among what a clause hangs on
    but: new RegExp(but, 'u'),
    pointsBack: new RegExp(word(pointsBack), 'iu'),
  };
}

const german = jointsOf({
  and: 'und',
  but: 'aber',
  speaker: String.raw`ich (?!(?:eine|keine|meine|deine|seine|heute|gerne|alle|viele|beide)\s)(?:\p{L}+e|bin|hab|war|kann|muss|will|darf|mag|soll|weiß|vertrag|nehm|ess|trink|wohn|arbeit)(?!\p{L})`,
  my: '[Mm]eine?|[Uu]nsere?',
  tells:
    'ist|hat|heißt|wohnt|lebt|arbeitet|studiert|mag|liebt|hasst|braucht|will|isst|trinkt|nimmt|verträgt|geht|spielt|darf|kann',
  hanging: String.raw`wenn|falls|weil|obwohl|als|ob|bevor|nachdem|während|sobald|solange|(?:bitte )?(?:schreib|übersetz|formulier|sag)\p{L}*`,
  carriedOn: String.raw`wenn|falls|als|ob|dass|bevor|nachdem|während|sobald|solange|(?:sag|mein|glaub|denk|find|hoff|fürcht|behaupt)(?:e|t|te|et|ete)?(?: (?:immer|oft|auch|mir|uns))?(?=,|$)|hätte|wäre|würde`,
  pointsBack: 'es|ihn|sie|das|dem|davon|dafür',
});
const spanish = jointsOf({
  and: 'y',
  but: 'pero',
  speaker: String.raw`(?:yo (?:no )?(?!no\s)\p{L}+(?<!m)o|(?:yo |ya )?(?:no )?(?:soy|tengo|vivo|trabajo|estoy|puedo|tomo|bebo|voy))(?!\p{L})`,
  my: '[Mm]is?|[Nn]uestr[oa]s?',
  tells: String.raw`(?:(?:ya )?no |nunca )?(?:es|está|tiene|vive|trabaja|estudia|quiere|odia|necesita|come|toma|bebe|puede|va|juega|se llama)n?`,
  hanging: String.raw`si|cuando|aunque|porque|mientras|como|desde que|antes de|después de|ojalá|(?:por favor,? )?(?:escr[ií]b|traduc|traduzc|redact|dil)\p{L}*`,
  carriedOn: 'si|cuando|que|quien|donde|mientras|ojalá',
  pointsBack: String.raw`ello|eso|yo l[oa]s? \p{L}+`,
});
const french = jointsOf({
  and: 'et',
  but: 'mais',
  speaker: String.raw`(?:[Jj]e(?=\s)|[Jj]['’](?=\p{L}))`,
  my: '[Mm]on|[Mm]a|[Mm]es|[Nn]otre|[Nn]os',
  tells: String.raw`(?:n['’]|ne )?(?:est|a|habite|vit|travaille|étudie|aime|adore|déteste|veut|mange|boit|prend|va|joue|peut|doit)|s['’]appelle`,
  hanging: String.raw`si|quand|lorsqu\p{L}+|parce qu\p{L}+|puisqu\p{L}+|comme|bien qu\p{L}+|pendant qu\p{L}+|dès qu\p{L}+|avant|après|(?:écri[st]|écrivez|tradui[st]\p{L}*|rédige\p{L}*|dis|dites)`,
  carriedOn: String.raw`si|quand|(?<!parce )qu(?:e|['’]\p{L}+)|qui|où|lorsqu\p{L}+`,
  pointsBack: String.raw`ça|cela|en|y|(?:je|j['’]) ?l(?:es?|a|['’]\p{L}+)`,
});

export const joints: Readonly<Record<Language, Joints>> = { en: english, de: german, es: spanish, fr: french };
