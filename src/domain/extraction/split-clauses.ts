import { languageOf } from '../language/sentence-language.ts';
import type { Sentence } from '../language/sentences.ts';
import { clauseSyntax, othersClaimSource, type ClauseSyntax } from './clause-syntax.ts';

/**
 * Splits a sentence into its independent clauses, unless they depend on one another. Each is verbatim, but for a
 * subject that it shares with the one before. None begins within quoted words.
 */
export function splitClauses(sentence: string, isQuoted: (at: number) => boolean): string[] {
  const syntax = clauseSyntax[languageOf(sentence)];
  if (syntax.indivisible.test(sentence)) return [sentence];
  const clauses: string[] = [];
  let start = 0;
  for (const match of sentence.matchAll(syntax.boundary)) {
    const end = match.index + match[0].length;
    const [left, right] = [sentence.slice(start, match.index), sentence.slice(end)];
    if (!areIndependent(left, match.groups?.['conjunction'], right, syntax)) continue;
    if (isInQuotationMarks(sentence, end) || isQuoted(end)) continue;
    clauses.push(left);
    start = end;
  }
  return [...clauses, sentence.slice(start)].flatMap((clause) => splitCoordination(clause, syntax));
}

/** Splits a run-on sentence, dictated without full stops, at each boundary before the first wide scope. */
export function splitRunOn({ text, start }: Sentence): Sentence[] {
  const { boundary, indivisible, scope } = clauseSyntax[languageOf(text)];
  const sentences: Sentence[] = [];
  let from = 0;
  for (const match of text.matchAll(boundary)) {
    const left = text.slice(from, match.index);
    if (indivisible.test(left) || scope.test(left)) break;
    sentences.push({ text: left, start: start + from });
    from = match.index + match[0].length;
  }
  return [...sentences, { text: text.slice(from), start: start + from }];
}

/** "My sister swears gluten is poison and I should eat no bread": advice goes on with what somebody else claims. */
const claim = new RegExp(othersClaimSource, 'u');
const advice = /^(?:I|i|we) (?:should|ought to)\b/u;

/** Whether the words on both sides of a boundary are clauses that can be understood without each other. */
function areIndependent(left: string, conjunction: string | undefined, right: string, syntax: ClauseSyntax): boolean {
  if (!isLongEnough(left) || !isLongEnough(right) || isNounCoordination(left, right)) return false;
  const isContrast = conjunction !== undefined && syntax.adversative.test(conjunction);
  const mayPointBack = conjunction === undefined ? /^(?:my|our)\s/iu.test(right) : isContrast;
  if (mayPointBack && syntax.anaphor.test(right)) return false;
  if (conjunction === undefined && !syntax.subject.test(left)) return false;
  return isContrast || !(syntax.scope.test(left) || (claim.test(left) && advice.test(right)));
}

/** Three words are enough for a clause; "I'm tired" and "It's raining" have them. */
const isLongEnough = (clause: string): boolean =>
  (clause.replace(/\b(?:[Ii]m|[Ii]ve)\b/gu, "I'm").match(/[\p{L}\p{N}]+(?:n['’]t)?/gu) ?? []).length >= 3;

/** "My wife Sara", "in Leeds, where my mum": the first of two who do one thing, where "and I" follows. */
const endsWithPerson =
  /(?:^|[,;]\s|\b(?:where|when|while|because|since|until|before|after|that)\s)(?:my|our)(?: \p{Ll}+){1,3}(?: \p{Lu}[\p{L}'’-]+)?$/iu;
/** "My in-laws", "my two kids": one thing more of a list. */
const possession = /^(?:my|our)\s+(?:(?:\d+|two|three|four|five|six)\s+)?\S+$/iu;

/** Whether a boundary separates nouns, and no clauses. Two names are nouns, too: "between Leeds and York". */
const isNounCoordination = (left: string, right: string): boolean =>
  possession.test(right) ||
  (/^I\s/iu.test(right) && endsWithPerson.test(left)) ||
  (/^\p{Lu}\p{Ll}/u.test(right) && /\p{Lu}[\p{L}'’-]*$/u.test(left));

const isInQuotationMarks = (text: string, at: number): boolean =>
  (text.slice(0, at).match(/["“”]/gu) ?? []).length % 2 === 1;

/** A relative clause or a condition that may hold for all predicates: "I love people who hike and hate running". */
const dependency = /\b(?:who|that|which|when|if|people|those|que|quien|donde)\b/u;

/** Splits predicates that share a subject, of which one may end without the other, and writes the subject with each. */
function splitCoordination(clause: string, syntax: ClauseSyntax): string[] {
  for (const { first, boundary, subject: unsaid } of syntax.coordinations) {
    const found = first.exec(clause);
    const { subject: said = '' } = found?.groups ?? {};
    const subject = unsaid ?? said;
    const [head = '', ...others] = (said ? clause : subject + clause).split(boundary);
    if (!found || others.length === 0 || !isLongEnough(head) || dependency.test(head)) continue;
    if (others.some((other) => syntax.anaphor.test(other))) continue;
    return [head, ...others.map((other) => subject + other)].flatMap((each) => splitCoordination(each, syntax));
  }
  return [clause];
}

const questionBoundary =
  /,\s+(?:and |so |but )?(?=(?:can|could|would|will|should|what|what['’]s|where|when|how|which|who|why|any|is there|are there|(?:do|did) you)\b)/giu;
const health = 'pregnant|vegan|vegetarian|allergic|diabetic|co?eliac|lactose|gluten';
/** Behind "I have a ...": things that the question is about. */
const asked = String.raw`(?:\p{Ll}+ )?(?:questions?|problems?|issues?|bugs?|errors?|ideas?|meetings?|interviews?|bit|few|lot)\b`;
/**
 * Matches a clause about its speaker, or about somebody's health, that may stand before a question. "I want a trip to
 * Rome" and "I'm looking for a gym" are part of the question.
 */
const introduction = new RegExp(
  [
    String.raw`^(?:I|i|we|We) (?:(?:just |have )?moved|live|work|weigh|study|speak|own|have (?:an?|two|three|four|five|asthma|diabetes)|(?:don['’]?t|can['’]?t|cannot) eat)\b(?! (?:to\b|${asked}))`,
    String.raw`^(?:I['’]?m|Im|im|[Ii] am) (?:an? (?!bit|little|huge|big)|originally\b|from\b|based\b|married|single|${health}|\d|\p{Lu})`,
    String.raw`^(?:[Mm]y|[Oo]ur) (?:[\p{L}-]+ ){1,3}(?:is|are) (?:\p{Ll}+ly )?(?:${health})\b`,
  ].join('|'),
  'u',
);

/** Splits "I'm vegan, what can I cook?" into the introduction of its speaker and the question. */
export function splitQuestion(sentence: string): { statement?: string; question: string } {
  const [found] = sentence.matchAll(questionBoundary);
  const statement = found ? sentence.slice(0, found.index) : '';
  if (!found || !introduction.test(statement) || !isLongEnough(statement)) return { question: sentence };
  return { statement, question: sentence.slice(found.index + found[0].length) };
}

/** The words before the last question of a sentence; all of it where they are no clause. */
export function beforeQuestion(sentence: string): string {
  const statement = sentence.slice(0, [...sentence.matchAll(questionBoundary)].at(-1)?.index ?? 0);
  return isLongEnough(statement) ? statement : sentence;
}
