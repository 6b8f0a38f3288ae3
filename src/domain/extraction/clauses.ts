import { codeBlockSource } from '../language/code-blocks.ts';
import { capitalisePlaces } from '../language/known-places.ts';
import { sentenceOpeners, stopWords } from '../language/stop-words.ts';
import { isGermanBesideIm, languageOf, type Language } from '../language/sentence-language.ts';
import { splitSentences } from '../language/sentences.ts';
import { createQuotedTest } from './quoted-speech/quoted-words.ts';
import { withoutRequestToRemember } from './requests-to-remember.ts';
import { addressSource } from './small-talk.ts';
import { cutAtJoints, splitAtQuestion, splitStatements } from './split-sentences.ts';

/** One statement of a sentence: as it was said, as a memory keeps it, as its source says it, as the rules read it. */
export interface Clause {
  /** The words of the clause with their lead-in, without a request to remember them. */
  said: string;
  /** The words without a lead-in such as "Actually,", and with the "I" that they leave out. */
  text: string;
  /** The whole sentence, verbatim. */
  sentence: string;
  /**
   * For the rules: contractions spelled out, fillers ("just", "really") and final marks gone, "I" always a capital,
   * the first word in lower case unless it may be a name.
   */
  plain: string;
  isQuestion: boolean;
  /** The clause is all of its sentence, but for the lead-in. */
  isWhole: boolean;
  /** Its speaker asks for it to be remembered: "Remember that ...". */
  isAskedToRemember: boolean;
}

/** The longest sentence, in characters: a longer one was dictated, or is a list or pasted data. */
const longestSentence = 500;
const noProse = new RegExp(String.raw`${codeBlockSource}|^(?: {4}|\t|>|\||#{1,6} ).*$`, 'gmu');

/** "STR 8, DEX 17, CON 12": the sheet of a character in a role-playing game. */
const characterSheet =
  /(?:(?<!\p{L})(?:STR|DEX|CON|INT|WIS|CHA|HP|AC|MU|KL|GE|KK|FUE|FOR|SAG)\W{0,2}\d{1,3}(?!\d)\W*){2}/iu;

/** Stands for what is left out, so that each sentence keeps its place. */
const blank = '\0';

/** The statements and questions of a text; code and quoted words are not the speaker's. */
export function clausesOf(text: string): Clause[] {
  const own = text.replace(noProse, (words) =>
    `\n${blank.repeat(Math.max(0, words.length - 2))}\n`.slice(-words.length),
  );
  const isQuoted = createQuotedTest(own);
  const whole = splitSentences(own).flatMap((sentence) =>
    sentence.text.length > longestSentence ? cutAtJoints(sentence) : [sentence],
  );
  const sentences = whole.filter(
    (sentence) =>
      sentence.text.length <= longestSentence &&
      !/[{}<>=|\\]{2}|https?:\/\/\S+$/u.test(sentence.text) &&
      !characterSheet.test(sentence.text) &&
      !isQuoted(sentence.start),
  );
  return sentences.flatMap(({ text: sentence, start }) => clausesOfSentence(sentence, (at) => isQuoted(start + at)));
}

function clausesOfSentence(sentence: string, isQuoted: (at: number) => boolean): Clause[] {
  const { leadIn, rest: asked } = splitLeadIn(sentence);
  if (isQuoted(leadIn.length)) return [];
  const { text: rest, cutBefore, isAskedToRemember } = withoutRequestToRemember(asked);
  const order = orderIn(rest);
  const { said = '', question = '' } =
    order === undefined && /\?["')\]]*$/u.test(rest) ? splitAtQuestion(rest) : { said: order ?? rest };
  const whole = withSubject(said);
  // Quoted speech is not cut: its second half would have no speaker.
  const before = leadIn.length + cutBefore - (whole.length - said.length);
  const cuts = said ? splitStatements(whole, (at) => isQuoted(before + at)) : [];
  const isWhole = cuts.length + (question ? 1 : 0) === 1;
  const clause = (text: string, place: number, isQuestion: boolean): Clause => ({
    said: place === 0 ? leadIn + text : text,
    text,
    sentence,
    plain: plainOf(text),
    isQuestion,
    isWhole,
    isAskedToRemember,
  });
  return [
    ...cuts.map((text, place) => clause(text, place, false)),
    ...(question ? [clause(question, cuts.length, true)] : []),
  ];
}

/** To be reminded of something, and not told again what is asked: "remind me what my doctor said". */
export const remindMeSource = String.raw`remind me (?!(?:what|when|where|who|whose|which|why|how|if|whether)\b)`;
// "Could you always end with a summary?": asked for every time, it is an order and no question.
const request = /^(?:can|could|would|will) you (?:please )?(?<order>.+?)(?:,? please)?\?$/iu;
const orders: readonly RegExp[] = [
  /^(?:always|never)\b/iu,
  /\b(?:from now on|going forward|in (?:the )?future|every time)\b/iu,
  /^(?:keep|make|give|write|end|start|put)\b.*\byour (?:answers|replies|responses|messages|explanations)\b/iu,
  /^call me \p{Lu}/u,
  new RegExp(`^${remindMeSource}`, 'iu'),
];
/** "Can you tell me why my car never starts?": an answer is asked for, whatever else it says. */
const answer = /^(?:explain|tell me|help|say)\b/iu;

/** The order that a question asks for, as it would be given; undefined where it asks for something once, or asks. */
function orderIn(sentence: string): string | undefined {
  const order = request.exec(sentence)?.groups?.['order'];
  if (!order || answer.test(order) || !orders.some((pattern) => pattern.test(order))) return undefined;
  return `${order.replace(/^./u, (first) => first.toUpperCase())}.`;
}

const interjection = String.raw`(?:actually|well|so|oh|ah|wow|omg|yo|hi|hey|hello|hi there|hey there|hi all|guess what|news flash|big news|exciting news|yes|yeah|yep|no|nope|ok|okay|sure|right|anyway|also|btw|by the way|(?:that )?reminds me|fyi|honestly|frankly|personally|in fact|to be honest|as of (?:now|today)|update|correction|good news|sorry|thanks|thank you|great|cool|nice|haha|lol|um|hmm|you know|i mean|for the record|in general|overall|luckily|fortunately|unfortunately|sadly|turns out|it turns out(?: that)?|just so you know|and|but|plus|as i said|as mentioned)`;
const comma = new RegExp(
  String.raw`^${interjection}\s*[,:!—–-]+\s*|^(?:also|so|and|but|plus|actually|honestly|anyway|oh|yes|well|hi|hey|hello|omg|btw|fyi|by the way|(?:that )?reminds me|guess what|it turns out(?: that)?|turns out(?: that)?)\s+(?=(?:i|im|ive|my|we|our|the|[a-z]|just|(?:have )?moved|cant|can['’]t|cannot)\b)`,
  'iu',
);
/** Interjections of German, Spanish and French that are hardly words or names of another language. */
const foreignInterjections = [
  'ja|nein|nö|na ja|naja|tja|genau|übrigens|hallo|moin|servus|grüezi|guten (?:morgen|tag|abend)|danke|stell dir vor',
  'sí|bueno|hola|buenas|buenos días|buenas (?:tardes|noches)|gracias|por cierto|la verdad',
  "oui|ouais|bah|bonjour|bonsoir|salut|coucou|merci|au fait|en fait|du coup|par contre|d['’]ailleurs|figure-toi",
].join('|');
/** Interjections that are words or names in another of the languages. "Si" is also "if", but before a subject it contradicts. */
const ownInterjections: Readonly<Record<Language, string>> = {
  en: '',
  de: '|nee|doch|ach|also',
  es: String.raw`|pues|oye|mira|claro|vale|si(?=\s*,\s*(?:yo|me|soy|estoy|tengo|vivo|trabajo)(?!\p{L}))`,
  fr: String.raw`|non|ben|bon|alors|si(?=\s*,\s*(?:(?:je|on|nous|ils?|elles?)\s|[cj]['’]))`,
};
/** "Ben, mein Bruder, wohnt in Kiel.": who or what is named is explained between commas, unless "Mira, mi amor, ..." calls. */
const explained = String.raw`(?:ben|mira)\s*,\s*(?:my|mein|mi|mon|ma)\p{L}{0,2}(?!\s(?:amor|vida|cielo),)(?:\s\p{L}+){1,3},`;
/** "Oui, je suis comptable", "Fíjese que Beto se muda": what only leads in, in a sentence of each language. */
const foreignCommaIn = (language: Language) =>
  new RegExp(
    String.raw`^(?:(?!${explained})(?:${foreignInterjections}${ownInterjections[language]})\s*[,:!—–-]+\s*|(?:fíjese|fíjate|resulta) que\s+)`,
    'iu',
  );
const foreignCommas: Readonly<Record<Language, RegExp>> = {
  en: foreignCommaIn('en'),
  de: foreignCommaIn('de'),
  es: foreignCommaIn('es'),
  fr: foreignCommaIn('fr'),
};
/** "Plus de viande pour moi" and "so gegen neun" begin with words that are no lead-in in French and German. */
const ofAnotherSense = /^(?:plus|so)\s+$/iu;
/** "Hi Ada,", "Bonjour Claire,": a name is in capitals only behind these, and "No" before one is none. */
const address = new RegExp(String.raw`^${addressSource}\s*[,:!—–-]+\s*`, 'u');
// "Quick note for the file:", "Just confirmed:", "Update on the move:", "For context:"
const label =
  /^(?:(?:[A-Za-z'’-]+\s){0,2}(?:confirmed|fact|note|update|reminder|news|heads[- ]up|correction|fyi|til)\b[^:.!?"]{0,50}|(?:(?:some|quick|brief|for|more|a bit of|a little) )?(?:context|background|intro(?:duction)?)|about (?:me|us)):\s+(?=\S)/iu;

/** A sentence cut behind words that only lead in to what it says; both parts as they were said. */
export function splitLeadIn(sentence: string): { leadIn: string; rest: string } {
  let rest = sentence;
  for (let round = 0; round < 3; round += 1) {
    const found =
      label.exec(rest) ?? comma.exec(rest) ?? foreignCommas[languageOf(rest)].exec(rest) ?? address.exec(rest);
    if (found && ofAnotherSense.test(found[0]) && languageOf(rest) !== 'en') break;
    if (!found || rest.length - found[0].length < 5) break;
    rest = rest.slice(found[0].length);
  }
  return { leadIn: sentence.slice(0, sentence.length - rest.length), rest };
}

/** Typed in haste for "I'm"; in German it is "in the". */
const hastyIam = /\b[Ii]m\b/gu;
const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/[‘’]/gu, "'"],
  [/\bi\b(?=['\s])/gu, 'I'],
  [/\bI'm\b/giu, 'I am'],
  // Contractions typed in haste. "Id" and "ill" are words, so what follows has to tell.
  [hastyIam, 'I am'],
  [/\b[Ii]ve\b/gu, 'I have'],
  [/\b[Ii]d (?=(?:like|love|prefer|rather)\b)/gu, 'I would '],
  [/\b[Ii]ll (?=(?:be|send|call|go|take|get|bring|finish|pay|book|come|make|meet|write)\b)/gu, 'I will '],
  [/\b(we|you|they)(ve|re)\b(?<!were)/giu, "$1'$2"],
  [/\b(do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo)nt\b/giu, "$1n't"],
  [/\b(I|we|you|they)'ve\b/giu, '$1 have'],
  [/\b(we|you|they)'re\b/giu, '$1 are'],
  [/\b(I|we|you|she|he|they|it)'ll\b/giu, '$1 will'],
  [/\b(I|we|you|they)'d (better|been)\b/giu, '$1 had $2'],
  [/\b(I|we|you|she|he|they)'d\b/giu, '$1 would'],
  [/\b(she|he|it|that|there|who|what|name)'s\b/giu, '$1 is'],
  [/\bcan't\b/giu, 'cannot'],
  [/\bwon't\b/giu, 'will not'],
  [/n't\b/giu, ' not'],
  [/\bgonna\b/giu, 'going to'],
  [/\bwanna\b/giu, 'want to'],
  [/\bfavorite/giu, 'favourite'],
  [/\bcolor\b/giu, 'colour'],
  [/\s+/gu, ' '],
];
const filler =
  /(?<=^|\s)(?:just|actually|really|finally|recently|currently|(?<!from )now(?! that)|still|basically|simply|literally|presently|absolutely|definitely|officially|then|nowadays|these days|right now|at the moment|at present|at last|by the way|btw|again|as of today|as of now)(?=$|[\s,.!])[,]?\s*/gu;

// "Just moved to York!", "Can't eat gluten": whoever says so speaks of himself.
const unsaid =
  /^(?:(?:[Jj]ust|[Rr]ecently|[Ff]inally|[Aa]lso|have) )*(?:(?:[Mm]oved|[Rr]elocated) (?:(?:back|house|home|over) )*(?:from \p{L}+ )?to \p{Lu}|[Cc]an(?:['’]?t|not) (?:eat|drink|have|tolerate|digest|stand|bear) |[Tt]urned \d\d\b)/u;

/** The clause with the "I" that it leaves out. */
const withSubject = (text: string): string =>
  unsaid.test(capitalisePlaces(text)) ? text.replace(/^./u, (first) => `I ${first.toLowerCase()}`) : text;

function plainOf(text: string): string {
  let plain = capitalisePlaces(text);
  const isGerman = isGermanBesideIm(text);
  for (const [pattern, full] of spelledOut)
    if (!(isGerman && pattern === hastyIam)) plain = plain.replace(pattern, full);
  plain = plain.replace(/^(\p{Lu})(\p{Ll}*)(?=\W|$)/u, (word) => (isFunctionWord(word) ? word.toLowerCase() : word));
  return plain
    .replace(filler, '')
    .replace(/[\s,.!?;:"”)\p{Extended_Pictographic}\u{FE0F}]+$/u, '')
    .replace(/^["“(]+/u, '');
}

function isFunctionWord(word: string): boolean {
  const lower = word.toLowerCase();
  return word !== 'I' && (stopWords.has(lower) || sentenceOpeners.has(lower) || /(?:ing|ly)$/u.test(lower));
}
