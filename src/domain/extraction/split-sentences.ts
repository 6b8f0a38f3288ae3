import { kinshipSource } from '../language/person-words.ts';
import { languageOf } from '../language/sentence-language.ts';
import type { Sentence } from '../language/sentences.ts';
import { joints, othersHold } from './joints.ts';

// Cuts a sentence that says several things of its speaker into statements, unless it only seems to.

// "My sister swears gluten is poison and I should eat no bread": advice goes on with what somebody else holds.
const held = new RegExp(othersHold, 'u');
const advice = /^(?:I|i|we) (?:should|ought to)\b/u;
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

/** "I hope Ann and Theo can come", "between Leeds and York": the name behind "and" is the second of two. */
const isPairOfNames = (left: string, right: string): boolean =>
  /\p{Lu}[\p{L}'’-]*$/u.test(left) && /^\p{Lu}\p{Ll}/u.test(right);

/** "My wife Sara and I met in Dublin", "in Leeds, where my mum and I lived": the first of two who did one thing. */
const isFirstOfTwo = (left: string, right: string): boolean =>
  /(?:^|[,;]\s|\b(?:where|when|while|because|since|until|before|after|that)\s)(?:my|our)(?: \p{Ll}+){1,3}(?: \p{Lu}[\p{L}'’-]+)?$/iu.test(
    left,
  ) && /^I\s/iu.test(right);

const isOwn = /^(?:my|our)\s/iu;

/** The statements in a sentence, as they are said; none begins within quoted words. */
export function splitStatements(sentence: string, isQuoted: (at: number) => boolean): string[] {
  const { joint, hanging, carriedOn, selfStanding, waiting, but, pointsBack } = joints[languageOf(sentence)];
  if (hanging.test(sentence)) return [sentence];
  const parts: string[] = [];
  let from = 0;
  for (const match of sentence.matchAll(joint)) {
    const left = sentence.slice(from, match.index);
    const end = match.index + match[0].length;
    const right = sentence.slice(end);
    if (!isStatement(left) || !isStatement(right) || isPossession(right)) continue;
    if (isPairOfNames(left, right) || isFirstOfTwo(left, right)) continue;
    const joined = match.groups?.['joined'];
    const isContrast = joined !== undefined && but.test(joined);
    const mayHang = joined ? isContrast : isOwn.test(right);
    if (mayHang && pointsBack.test(right)) continue;
    if (!joined && (!selfStanding.test(left) || waiting.test(left))) continue;
    const isOthers = carriedOn.test(left) || (held.test(left) && advice.test(right));
    if ((isOthers && !isContrast) || isInQuotes(sentence, end) || isQuoted(end)) continue;
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
  const { joint, hanging, carriedOn } = joints[languageOf(text)];
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
      [head, ...others].some((each) => hangsOn.test(each)) || others.some((each) => joints.en.pointsBack.test(each));
    if (found && others.length > 0 && !isWhole && isStatement(head))
      return [head, ...others.map((other) => subject + other)].flatMap(splitCoordinatedPredicates);
  }
  return [part];
}
