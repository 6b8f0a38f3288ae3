import type { UseCaseStatement } from './read-use-case.ts';

const negation =
  /\b(?:never|not|no|none|nor|neither|nothing|without|cannot|avoid|exclud\w+|forbid\w*|prohibit\w*|unlike|instead of|rather than|except|out of scope)\b|n['’]t\b/iu;
/** Matches phrases that begin with a negation but negate nothing. */
const noNegation =
  /\bnot (?:only|just|merely)\b|\bno (?:longer|more|less|later|matter)\b|\bnot (?:longer|more|less) than\b|\bno doubt\b/giu;
const negatedAfter =
  /^[^,;:.]{0,40}?\b(?:(?:is|are|was|were|be|must|should|shall|may|will|can|do|does)\s+(?:never|not)|(?:is|are|must|should|may|will|can|do|does)n['’]t|never)\s+(?:be\s+|to\s+be\s+)?(?:stor|kept|keep|remember|sav|retain|record|collect|track|logg|captur|memori[sz]|relevan|wanted|needed|allowed|part of|in scope|our)/iu;
const negativeHeading =
  /\b(?:never|not|don['’]?t|no|exclud\w+|exclusions?|out of scope|off[- ]limits|forbidden|prohibited|avoid|ignore|non-?goals?)\b/iu;
/** Matches the boundary between two clauses. */
const clauseEnd =
  /[;:]|,?\s+(?:but|however|yet|while|whereas|although)\s+|,\s+(?:and|so)\s+(?=(?:we|it|they|the)\b)|\s[–—-]\s/giu;

/** Whether a heading says that what stands under it is not so. */
export const isUnderNegativeHeading = ({ under }: Pick<UseCaseStatement, 'under'>) =>
  under.some((each) => negativeHeading.test(each));

/** Whether what stands at this place of the sentence is denied: "never store health data", "not a medical product". */
export function isNegatedAt(statement: UseCaseStatement, at: number, length: number): boolean {
  if (statement.kind !== 'heading' && isUnderNegativeHeading(statement)) return true;
  const text = statement.text.replaceAll(noNegation, (match) => '_'.repeat(match.length));
  let from = 0;
  for (const match of text.slice(0, at).matchAll(clauseEnd)) from = match.index + match[0].length;
  return negation.test(text.slice(from, at)) || negatedAfter.test(text.slice(at + length));
}

/** The first match of the pattern that the sentence affirms, and the first that it negates. */
export function firstByPolarity(
  statement: UseCaseStatement,
  pattern: RegExp,
): { affirmed?: RegExpExecArray; negated?: RegExpExecArray } {
  const found: { affirmed?: RegExpExecArray; negated?: RegExpExecArray } = {};
  for (const match of statement.text.matchAll(new RegExp(pattern, 'giu')))
    found[isNegatedAt(statement, match.index, match[0].length) ? 'negated' : 'affirmed'] ??= match;
  return found;
}

/** Whether the sentence matches the pattern, and does not negate it. */
export const affirms = (statement: UseCaseStatement, pattern: RegExp): boolean =>
  firstByPolarity(statement, pattern).affirmed !== undefined;
/** Whether the sentence negates what the pattern matches. */
export const negates = (statement: UseCaseStatement, pattern: RegExp): boolean =>
  firstByPolarity(statement, pattern).negated !== undefined;
