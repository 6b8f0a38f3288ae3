import { kinshipSource } from '../language/person-words.ts';
import type { Sentence } from '../language/sentences.ts';

// Cuts a sentence that says several things of its speaker into statements, unless it only seems to.

const speaker = String.raw`(?:(?:[Ii]|we)(?=[\s'’])|[Ii](?:m|ve)(?=\s))`;
// Not after a comma alone: "I met Jo, my friend" says one thing.
const own = String.raw`(?:${speaker}|(?:my|our)(?=\s))`;
const isOwn = /^(?:my|our)\s/iu;
/** "I work at Acme, my boss is Jo": behind a comma alone, with a verb of its own. */
const ownWithVerb = String.raw`(?:my|our)(?=(?:\s\p{L}+){1,3}\s(?:is|are|was|were|has|have|works|lives)\s)`;
/** "and Theo has an egg allergy": a person by name, before a verb that tells of them. */
const namedPersonSource = String.raw`\p{Lu}\p{Ll}+(?=(?:['’]s|\s(?:has|is|was|works|lives|likes|loves|hates|needs|wants|eats|drinks|takes|goes|plays|owns|does|doesn['’]t|isn['’]t))\s)`;
// White space is bounded: a long run of it would be gone over from each of its places.
const joint = new RegExp(
  String.raw`(?<joined>(?:,|;|\s[—–-])?\s{1,9}(?:and|but|so)\s{1,9}|;\s{1,9})(?=${own}|${namedPersonSource})|(?:,|\s[—–-])\s{1,9}(?=${speaker}|${ownWithVerb})`,
  'gu',
);

// "When I moved and I was ill, ...": a clause that hangs on another is not cut off from it.
const hanging =
  /^(?:if|when|whenever|while|because|although|though|since|as|after|before|unless|until|once|whether|suppose|imagine|pretend)\b/iu;
// "Write a mail saying I am ill and my boss is an idiot": what is asked for is not said.
const dictated =
  /^(?:(?:please|can you|could you|would you|will you|i (?:want|need|would like) you to|help me(?: to)?|let(?: us|'s))\s+)*(?:write|draft|compose|rewrite|rephrase|reword|paraphrase|translate|correct|proofread|summari[sz]e|generate|send|text|tell|say|repeat|pretend|imagine|act)\b/iu;
const othersHold = String.raw`\b(?:[Hh]e|[Ss]he|[Tt]hey|who|\p{Lu}\p{Ll}+|(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Tt]he) \p{L}+) (?:also |always |once |just )?(?:said|says|thinks?|thought|believes?|told (?:me|us|\p{L}+)|claims?|claimed|heard|assumes?|insists?|swears?)\b`;
// "I wish I lived in York and I had a dog", "She said I was late and I never call": the second is wished and said, too.
const carriedOn = new RegExp(
  String.raw`(?<!what |as |even )\bif\b|\b(?:wish|wished|unless|whether|imagine|imagined|suppose|supposing|pretend|pretending|dream(?:t|ed)?)\b|${othersHold}(?: that)? (?:I|my|we|our)\b|\b(?:saying|telling \p{L}+|stating|claiming|says)(?: that)? (?:I|my|we|our)\b`,
  'u',
);
// "My sister swears gluten is poison and I should eat no bread": advice goes on with what somebody else holds.
const held = new RegExp(othersHold, 'u');
const advice = /^(?:I|i|we) (?:should|ought to)\b/u;
// "I bought one, and since it came, I ...": what comes before the comma waits for what comes after.
const waiting =
  /\b(?:and|but|so|or)\s+(?:since|when|whenever|while|because|although|though|after|before|as|with|once|given|now that|even)\b/u;
// Before a comma alone: what begins so is a statement by itself, and no time or place that the next one has.
const selfStanding = /^(?:I|i|we|my|our|it)(?=[\s'’])|^(?:im|ive|its)(?=\s)/iu;

const asked =
  /,\s+(?:and |so |but )?(?=(?:can|could|would|will|should|what|what['’]s|where|when|how|which|who|why|any|is there|are there|do you|did you)\b)/giu;
// Introductions of oneself before a question; "I want a trip to Rome" or "I'm looking for a gym" is part of the
// question.
const presented =
  /^(?:(?:I|i|we|We) (?:(?:just |have )?moved|live|work|weigh|study|speak|own|have (?:an?|two|three|four|five|asthma|diabetes)|don['’]?t eat|can['’]?t eat|cannot eat)\b(?! (?:to\b|(?:\p{Ll}+ )?(?:questions?|problems?|issues?|bugs?|errors?|ideas?|meetings?|interviews?|bit|few|lot)\b))|(?:I['’]?m|Im|im|[Ii] am) (?:an? (?!bit|little|huge|big)|originally\b|from\b|based\b|married|single|pregnant|vegan|vegetarian|allergic|diabetic|coeliac|celiac|lactose|gluten|\d|\p{Lu}))/u;
/**
 * Matches a statement that a relative, friend or pet has an allergy, a diet or a condition. In "My son is allergic to
 * eggs, what can I bake him?" it is cut from the question, and so kept.
 */
const healthOfOthers = new RegExp(
  String.raw`^(?:[Mm]y|[Oo]ur) (?:(?:${kinshipSource})s?|child|kids?|children|baby|parents|guests?|dog|cat)(?:[ -]in[ -]law)?(?: \p{Lu}\p{Ll}+)? (?:is|are) (?:\p{Ll}+ly )?(?:allergic|vegan|vegetarian|diabetic|co?eliac|pregnant|lactose|gluten)\b`,
  'u',
);

/** "I'm vegan, what can I cook?": what is said before it is asked, and the question. */
export function splitAtQuestion(sentence: string): { said?: string; question: string } {
  const [found] = sentence.matchAll(asked);
  const said = found ? sentence.slice(0, found.index) : '';
  if (!found || !(presented.test(said) || healthOfOthers.test(said)) || !isStatement(said))
    return { question: sentence };
  return { said, question: sentence.slice(found.index + found[0].length) };
}

/** What is said before the last thing that is asked; all of it where that is no statement. */
export function beforeQuestion(sentence: string): string {
  const said = sentence.slice(0, [...sentence.matchAll(asked)].at(-1)?.index ?? 0);
  return isStatement(said) ? said : sentence;
}

// "My husband hates mushrooms but I love them": the second says nothing without the first. Behind "and" it mostly goes
// on about the speaker, who is told by "I".
const pointsBack = /\b(?:it|them|him|her|those|these|there|either)\b/iu;
/** "I hope Ann and Theo can come", "between Leeds and York": the name behind "and" is the second of two. */
const isPairOfNames = (left: string, right: string): boolean =>
  /\p{Lu}[\p{L}'’-]*$/u.test(left) && /^\p{Lu}\p{Ll}/u.test(right);

/** "My wife Sara and I met in Dublin", "in Leeds, where my mum and I lived": the first of two who did one thing. */
const isFirstOfTwo = (left: string, right: string): boolean =>
  /(?:^|[,;]\s|\b(?:where|when|while|because|since|until|before|after|that)\s)(?:my|our)(?: \p{Ll}+){1,3}(?: \p{Lu}[\p{L}'’-]+)?$/iu.test(
    left,
  ) && /^I\s/iu.test(right);

/** The statements in a sentence, as they are said; none begins within quoted words. */
export function splitStatements(sentence: string, isQuoted: (at: number) => boolean): string[] {
  if (hanging.test(sentence) || dictated.test(sentence)) return [sentence];
  const parts: string[] = [];
  let from = 0;
  for (const match of sentence.matchAll(joint)) {
    const left = sentence.slice(from, match.index);
    const end = match.index + match[0].length;
    const right = sentence.slice(end);
    if (!isStatement(left) || !isStatement(right) || isPossession(right)) continue;
    if (isPairOfNames(left, right) || isFirstOfTwo(left, right)) continue;
    const joined = match.groups?.['joined'];
    const mayHang = joined ? joined.includes('but') : isOwn.test(right);
    if (mayHang && pointsBack.test(right)) continue;
    if (!joined && (!selfStanding.test(left) || waiting.test(left))) continue;
    const isOthers = carriedOn.test(left) || (held.test(left) && advice.test(right));
    if ((isOthers && !joined?.includes('but')) || isInQuotes(sentence, end) || isQuoted(end)) continue;
    parts.push(left);
    from = end;
  }
  return [...parts, sentence.slice(from)].flatMap(cutLikings).flatMap(splitCoordinatedPredicates);
}

/**
 * Dictated without full stops: cut wherever somebody speaks of themself again, until something is supposed or told of
 * others.
 */
export function cutAtJoints({ text, start }: Sentence): Sentence[] {
  const parts: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(joint)) {
    const left = text.slice(from, match.index);
    if (hanging.test(left) || carriedOn.test(left)) break;
    parts.push({ text: left, start: start + from });
    from = match.index + match[0].length;
  }
  return [...parts, { text: text.slice(from), start: start + from }];
}

const isInQuotes = (text: string, at: number): boolean => (text.slice(0, at).match(/["“”]/gu) ?? []).length % 2 === 1;

/** Three words; "I'm tired" and "It's raining" have them. */
const isStatement = (part: string): boolean =>
  (part.replace(/\b(?:[Ii]m|[Ii]ve)\b/gu, "I'm").match(/[\p{L}\p{N}]+(?:n['’]t)?/gu) ?? []).length >= 3;

const liking = String.raw`(?:(?:also|really|absolutely|do(?:n['’]?t| not))\s+(?:really\s+)?(?:like|enjoy|love)|(?:also\s+|really\s+|absolutely\s+)?(?:love|hate|enjoy|prefer|dislike|adore|detest|loathe|despise|can(?:['’]?t|not)\s+(?:stand|bear)))`;
const firstLiking = new RegExp(String.raw`^[Ii]\s+(?:like|${liking})\b`, 'u');
const furtherLiking = new RegExp(
  String.raw`(?:,\s+(?:and|but)|,|\s+(?:and|but))\s+(?=${liking}\s+\S)(?!love\s+(?!\p{L}+(?:ing|s)\b|to\b|the\b|my\b|an?\b))`,
  'gu',
);

/** "... my husband and my in-laws", "and my two kids": one thing more of a list, and no statement of its own. */
const isPossession = (part: string): boolean =>
  /^(?:my|our)\s+(?:(?:\d+|two|three|four|five|six)\s+)?\S+$/iu.test(part);

/** "I love hiking, hate running, and can't stand opera": three likings, the "I" of the first understood in all. */
function cutLikings(part: string): string[] {
  if (!firstLiking.test(part)) return [part];
  const [first = part, ...further] = part.split(furtherLiking);
  // "I love people who hike and hate running": whose hate it is cannot be told.
  if (/\b(?:who|that|which|when|if|people|those)\b/u.test(first)) return [part];
  return [first, ...further.map((liked) => `I ${liked}`)];
}

const adverbSource = '(?:also |usually |always |currently )?';
const placeSource = '(?=(?:in|at|for|as|from|with|near)\\b)';
/** Verbs that state something lasting; behind "and", those that may be nouns as well only before a place or the like. */
const lastingVerbs = 'have|take|own|speak|teach|am';
const nounLikeVerbs = 'work|live|study|play|drive';
const verbSource = `(?:${lastingVerbs}|(?:${nounLikeVerbs}) ${placeSource})`;
const denialSource = "(?:can['’]?t|cannot|don['’]?t)";
const firstPredicate = new RegExp(
  String.raw`^(?<shared>I|we) ${adverbSource}(?:${lastingVerbs}|${nounLikeVerbs})\s`,
  'iu',
);
const nextPredicate = new RegExp(
  String.raw`,?\s(?:and|but)\s(?=${adverbSource}(?:${verbSource}|${denialSource})\s*\S)`,
  'iu',
);
const datedSource = String.raw`an?\s(?:\S+\s){1,5}(?:on|at)\s(?=(?:the )?\d|noon\b|midnight\b|\p{L}+day\b)`;
const firstDated = new RegExp(String.raw`^(?<shared>(?:I|we) have) ${datedSource}`, 'iu');
const nextDated = new RegExp(String.raw`,?\sand\s(?=${datedSource})`, 'iu');
// In German and Spanish, the forms of verbs that only "I" has, so that it may be left out.
const germanVerbs = '(?:bin|hei(?:ß|ss)e|wohne|lebe|arbeite|studiere)';
const spanishVerbs = '(?:me llamo|vivo|trabajo|soy|tengo|estudio)';
const home = /^(?<first>(?<shared>(?:I|[Ww]e) live) in \p{Lu}\S+(?: \p{Lu}\S+)?) (?<rest>with (?:my|our) .+)$/u;
// "I have to cook and take the bins out", "I have a friend who cooks": what comes second hangs on more than "I".
const hangsOn = /\b(?:to|who|that|which|when|if|people|those|que|quien|donde)\b/u;

/** "Ich heiße Jana, bin 41 und wohne in Linz": every comma parts two such verbs. */
const coordinatedIn = (verbs: string, and: string, subject: string): [start: RegExp, next: RegExp] => [
  new RegExp(String.raw`^(?:${subject})?${verbs} (?:[^,]|,\s(?=${verbs} ))+$`, 'iu'),
  new RegExp(String.raw`(?:,|\s${and})\s(?=${verbs} )`, 'iu'),
];
/** How a first predicate begins, what the next one stands behind, and the subject that is said with the first alone. */
const coordinations: readonly (readonly [start: RegExp, next: RegExp, subject?: string])[] = [
  [firstPredicate, nextPredicate],
  [firstDated, nextDated],
  [...coordinatedIn(germanVerbs, 'und', 'ich '), 'ich '],
  [...coordinatedIn(spanishVerbs, 'y', 'yo '), ''],
];

/**
 * "I have a peanut allergy and take warfarin", "I have a meeting on Monday and a haircut on Friday", "I live in Leeds
 * with my cat": two things of one person, of which one may end without the other. The beginning is understood in both.
 */
function splitCoordinatedPredicates(part: string): string[] {
  const { first, shared, rest } = home.exec(part)?.groups ?? {};
  if (first && rest) return [first, ...splitCoordinatedPredicates(`${shared} ${rest}`)];
  for (const [start, next, understood] of coordinations) {
    const found = start.exec(part);
    const subject = understood ?? `${found?.groups?.['shared']} `;
    const isUnsaid = understood && !part.toLowerCase().startsWith(understood);
    const [head = part, ...others] = (isUnsaid ? understood + part : part).split(next);
    const isWhole =
      [head, ...others].some((each) => hangsOn.test(each)) || others.some((each) => pointsBack.test(each));
    if (found && others.length > 0 && !isWhole && isStatement(head))
      return [head, ...others.map((other) => subject + other)].flatMap(splitCoordinatedPredicates);
  }
  return [part];
}
