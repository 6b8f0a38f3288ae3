import { wholeWordSource } from '../language/pattern-sources.ts';
import type { Language } from '../language/sentence-language.ts';

/** How a language joins clauses: where a sentence may be split into independent ones, and what forbids it. */
export interface ClauseSyntax {
  /**
   * The words between two independent clauses, of which the second is about its speaker or somebody close to them. The
   * group `conjunction` holds a coordinating conjunction or a semicolon; it is missing where a comma stands alone.
   */
  readonly boundary: RegExp;
  /** The head of a sentence that is never split: a subordinate clause, or a request to write or say what follows. */
  readonly indivisible: RegExp;
  /** A condition, a wish or reported speech, whose scope goes on behind a boundary. */
  readonly scope: RegExp;
  /** The subject of a clause that a comma alone may end. Other words are an adverbial of what follows the comma. */
  readonly subject: RegExp;
  /** A conjunction that contrasts, so that no scope goes on behind it. */
  readonly adversative: RegExp;
  /** A pronoun without which the clause in front says all: "My husband hates mushrooms but I love them". */
  readonly anaphor: RegExp;
  /** Predicates that share one subject, in the order in which they are tried. */
  readonly coordinations: readonly Coordination[];
}

/** Predicates that share a subject: "I have a peanut allergy and take warfarin". */
export interface Coordination {
  /** The clause up to its first predicate; the group `subject` holds the words that all predicates share. */
  readonly first: RegExp;
  /** The words between two predicates. */
  readonly boundary: RegExp;
  /** The subject with which each predicate is written. Default: the words of the group `subject`. */
  readonly subject?: string;
}

const speaker = String.raw`(?:(?:[Ii]|we)(?=[\s'’])|[Ii](?:m|ve)(?=\s))`;
/** The start of a clause behind a conjunction. Behind a comma, "my" may begin an apposition: "Jo, my friend". */
const own = String.raw`(?:${speaker}|(?:my|our)(?=\s))`;
/** Matches the start of a clause behind a comma, where a verb has to follow: "I work at Acme, my boss is Jo". */
const ownWithVerb = String.raw`(?:my|our)(?=(?:\s\p{L}+){1,3}\s(?:is|are|was|were|has|have|works|lives)\s)`;
/** Matches a name before a verb in the third person: "and Theo has an egg allergy". */
const namedPerson = String.raw`\p{Lu}\p{Ll}+(?=(?:['’]s|\s(?:has|is|was|works|lives|likes|loves|hates|needs|wants|eats|drinks|takes|goes|plays|owns|does|doesn['’]t|isn['’]t))\s)`;
/** Matches somebody else who claims something: "My sister swears", "Ada told me". */
export const othersClaimSource = String.raw`\b(?:[Hh]e|[Ss]he|[Tt]hey|who|\p{Lu}\p{Ll}+|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) \p{L}+) (?:also |always |once |just )?(?:said|says|thinks?|thought|believes?|told (?:me|us|\p{L}+)|claims?|claimed|heard|assumes?|insists?|swears?)\b`;
const subordinatingConjunctions =
  'if|when|whenever|while|because|although|though|since|as|after|before|unless|until|once|whether|suppose|imagine|pretend';
const dictation = String.raw`(?:(?:please|can you|could you|would you|will you|i (?:want|need|would like) you to|help me(?: to)?|let(?: us|'s))\s+)*(?:write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|correct|proofread|summari[sz]e|generate|send|text|tell|say|repeat|pretend|imagine|act)`;

const adverb = '(?:also |usually |always |currently )?';
/** Verbs that state something lasting. Behind "and", those that may be nouns need a place or the like. */
const lastingVerbs = 'have|take|own|speak|teach|am';
const nounLikeVerbs = 'work|live|study|play|drive';
const nextVerb = String.raw`(?:${lastingVerbs}|(?:${nounLikeVerbs}) (?=(?:in|at|for|as|from|with|near)\b)|can['’]?t|cannot|don['’]?t)`;
const likingVerb = String.raw`(?:(?:also|really|absolutely|do(?:n['’]?t| not))\s+(?:really\s+)?(?:like|enjoy|love)|(?:also\s+|really\s+|absolutely\s+)?(?:love|hate|enjoy|prefer|dislike|adore|detest|loathe|despise|can(?:['’]?t|not)\s+(?:stand|bear)))`;
const datedThing = String.raw`an?\s(?:\S+\s){1,5}(?:on|at)\s(?=(?:the )?\d|noon\b|midnight\b|\p{L}+day\b)`;
/** "I have to cook and take the bins out": the second predicate shares "have to", too. */
const withoutInfinitive = String.raw`(?!.*\bto\b)`;

const englishCoordinations: readonly Coordination[] = [
  {
    // "I live in Leeds with my cat": one may end without the other.
    first: /^(?<subject>(?:I|[Ww]e) live )in \p{Lu}/u,
    boundary: /(?<=^(?:I|[Ww]e) live in \p{Lu}\S+(?: \p{Lu}\S+)?) (?=with (?:my|our) .)/u,
  },
  {
    // "I love hiking, hate running, and can't stand opera"
    first: new RegExp(String.raw`^(?<subject>[Ii]\s)(?:like|${likingVerb})\b`, 'u'),
    boundary: new RegExp(
      String.raw`(?:,\s+(?:and|but)|,|\s+(?:and|but))\s+(?=${likingVerb}\s+\S)(?!love\s+(?!\p{L}+(?:ing|s)\b|to\b|the\b|my\b|an?\b))`,
      'u',
    ),
  },
  {
    first: new RegExp(
      String.raw`^(?<subject>(?:I|we) )${adverb}(?:${lastingVerbs}|${nounLikeVerbs})\s${withoutInfinitive}`,
      'iu',
    ),
    boundary: new RegExp(String.raw`,?\s(?:and|but)\s(?=${adverb}${nextVerb}\s*\S)`, 'iu'),
  },
  {
    // "I have a meeting on Monday and a haircut on Friday"
    first: new RegExp(String.raw`^(?<subject>(?:I|we) have )${datedThing}${withoutInfinitive}`, 'iu'),
    boundary: new RegExp(String.raw`,?\sand\s(?=${datedThing})`, 'iu'),
  },
];

const english: ClauseSyntax = {
  // White space is bounded: a long run of it would be gone over from each of its places.
  boundary: new RegExp(
    String.raw`(?<conjunction>(?:,|;|\s[—–-])?\s{1,9}(?:and|but|so)\s{1,9}|;\s{1,9})(?=${own}|${namedPerson})|(?:,|\s[—–-])\s{1,9}(?=${speaker}|${ownWithVerb})`,
    'gu',
  ),
  // "When I moved and I was ill, ...", "Write a mail saying I am ill and my boss is an idiot"
  indivisible: new RegExp(String.raw`^(?:${subordinatingConjunctions}|${dictation})\b`, 'iu'),
  // "I wish I lived in York and I had a dog", "She said I was late and I never call": the second is wished and said,
  // too.
  scope: new RegExp(
    String.raw`(?<!what |as |even )\bif\b|\b(?:wish|wished|unless|whether|imagine|imagined|suppose|supposing|pretend|pretending|dream(?:t|ed)?)\b|${othersClaimSource}(?: that)? (?:I|my|we|our)\b|\b(?:saying|telling \p{L}+|stating|claiming|says)(?: that)? (?:I|my|we|our)\b`,
    'u',
  ),
  subject: /^(?:I|i|we|my|our|it)(?=[\s'’])|^(?:im|ive|its)(?=\s)/iu,
  adversative: /but/u,
  anaphor: /\b(?:it|them|him|her|those|these|there|either)\b/iu,
  coordinations: englishCoordinations,
};

/** The words of a language other than English by which its clauses are told apart. */
interface SyntaxWords {
  readonly and: string;
  readonly but: string;
  /** "I" with a verb in the first person. Without one, as in "Anna und ich wohnen", "I" is one of two subjects. */
  readonly speaker: string;
  readonly my: string;
  /** Verbs in the third person. */
  readonly verbs: string;
  readonly indivisible: string;
  readonly scope: string;
  readonly anaphor: string;
  readonly coordinations: readonly Coordination[];
}

function clauseSyntaxOf({ and, but, speaker: self, my, verbs, ...rest }: SyntaxWords): ClauseSyntax {
  const other = String.raw`(?:(?:${my})\s(?:\p{L}+\s){1,3}|\p{Lu}\p{Ll}+\s)(?:${verbs})\s`;
  return {
    boundary: new RegExp(
      String.raw`(?<conjunction>,?\s{1,9}(?:${and}|${but})\s{1,9})(?=${self}|${other})|,\s{1,9}(?=${self})`,
      'gu',
    ),
    indivisible: new RegExp(`^${wholeWordSource(rest.indivisible)}`, 'iu'),
    scope: new RegExp(wholeWordSource(rest.scope), 'iu'),
    subject: new RegExp(String.raw`^(?:${self}|(?:${my})\s)`, 'iu'),
    adversative: new RegExp(but, 'u'),
    anaphor: new RegExp(wholeWordSource(rest.anaphor), 'iu'),
    coordinations: rest.coordinations,
  };
}

/** "Ich heiße Jana, bin 41 und wohne in Linz": every comma separates two verbs of which only "I" is the subject. */
const coordinationOf = (verbs: string, and: string, pronoun: string, subject: string): Coordination => ({
  first: new RegExp(String.raw`^(?<subject>${pronoun} )?${verbs} (?:[^,]|,\s(?=${verbs} ))+$`, 'iu'),
  boundary: new RegExp(String.raw`(?:,|\s${and})\s(?=${verbs} )`, 'iu'),
  subject,
});

const german = clauseSyntaxOf({
  and: 'und',
  but: 'aber',
  speaker: String.raw`ich (?!(?:eine|keine|meine|deine|seine|heute|gerne|alle|viele|beide)\s)(?:\p{L}+e|bin|hab|war|kann|muss|will|darf|mag|soll|weiß|vertrag|nehm|ess|trink|wohn|arbeit)(?!\p{L})`,
  my: '[Mm]eine?|[Uu]nsere?',
  verbs:
    'ist|hat|heißt|wohnt|lebt|arbeitet|studiert|mag|liebt|hasst|braucht|will|isst|trinkt|nimmt|verträgt|geht|spielt|darf|kann',
  indivisible: String.raw`wenn|falls|weil|obwohl|als|ob|bevor|nachdem|während|sobald|solange|(?:bitte )?(?:schreib|übersetz|formulier|sag)\p{L}*`,
  scope: String.raw`wenn|falls|als|ob|dass|bevor|nachdem|während|sobald|solange|(?:sag|mein|glaub|denk|find|hoff|fürcht|behaupt)(?:e|t|te|et|ete)?(?: (?:immer|oft|auch|mir|uns))?(?=,|$)|hätte|wäre|würde`,
  anaphor: 'es|ihn|sie|das|dem|davon|dafür',
  coordinations: [coordinationOf('(?:bin|hei(?:ß|ss)e|wohne|lebe|arbeite|studiere)', 'und', 'ich', 'ich ')],
});
const spanish = clauseSyntaxOf({
  and: 'y',
  but: 'pero',
  speaker: String.raw`(?:yo (?:no )?(?!no\s)\p{L}+(?<!m)o|(?:yo |ya )?(?:no )?(?:soy|tengo|vivo|trabajo|estoy|puedo|tomo|bebo|voy))(?!\p{L})`,
  my: '[Mm]is?|[Nn]uestr[oa]s?',
  verbs: String.raw`(?:(?:ya )?no |nunca )?(?:es|está|tiene|vive|trabaja|estudia|quiere|odia|necesita|come|toma|bebe|puede|va|juega|se llama)n?`,
  indivisible: String.raw`si|cuando|aunque|porque|mientras|como|desde que|antes de|después de|ojalá|(?:por favor,? )?(?:escr[ií]b|traduc|traduzc|redact|dil)\p{L}*`,
  scope: 'si|cuando|que|quien|donde|mientras|ojalá',
  anaphor: String.raw`ello|eso|yo l[oa]s? \p{L}+`,
  coordinations: [coordinationOf('(?:me llamo|vivo|trabajo|soy|tengo|estudio)', 'y', 'yo', '')],
});
const french = clauseSyntaxOf({
  and: 'et',
  but: 'mais',
  speaker: String.raw`(?:[Jj]e(?=\s)|[Jj]['’](?=\p{L}))`,
  my: '[Mm]on|[Mm]a|[Mm]es|[Nn]otre|[Nn]os',
  verbs: String.raw`(?:n['’]|ne )?(?:est|a|habite|vit|travaille|étudie|aime|adore|déteste|veut|mange|boit|prend|va|joue|peut|doit)|s['’]appelle`,
  indivisible: String.raw`si|quand|lorsqu\p{L}+|parce qu\p{L}+|puisqu\p{L}+|comme|bien qu\p{L}+|pendant qu\p{L}+|dès qu\p{L}+|avant|après|(?:écri[st]|écrivez|tradui[st]\p{L}*|rédige\p{L}*|dis|dites)`,
  scope: String.raw`si|quand|(?<!parce )qu(?:e|['’]\p{L}+)|qui|où|lorsqu\p{L}+`,
  anaphor: String.raw`ça|cela|en|y|(?:je|j['’]) ?l(?:es?|a|['’]\p{L}+)`,
  coordinations: [],
});

export const clauseSyntax: Readonly<Record<Language, ClauseSyntax>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};

/** Conjunctions of all the languages, and adverbs that join like them: the clause behind one can stand alone. */
export const conjunctionSource =
  'and|n|but|so|that|because|cos|cuz|since|as|also|btw|fyi|und|aber|dass|weil|denn|y|pero|que|porque|et|mais|parce|car|puisque';
