import jaroWinkler from 'jaro-winkler';
import type { z } from 'zod';

const nouns: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Words one mistake as an instruction to the caller. A message that a schema gives itself takes precedence. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `is required: ${typeNounOf(issue.expected)}`;
      return `must be ${typeNounOf(issue.expected)}`;
    case 'invalid_value':
      return `${issue.input === undefined ? 'is required: ' : 'must be '}${joinWithOr(issue.values.map(quoted))}`;
    case 'too_small':
      if (issue.origin === 'number') return `must be ${issue.minimum} or more`;
      return Number(issue.minimum) === 1
        ? 'must not be empty'
        : `must have ${sizeOf(issue.origin, issue.minimum)} or more`;
    case 'too_big':
      if (issue.origin === 'number') return `must be ${issue.maximum} or less`;
      return `must have ${sizeOf(issue.origin, issue.maximum)} or less`;
    default:
      return undefined;
  }
}

/** The noun for a type within a sentence. */
export const typeNounOf = (expected: string): string => nouns[expected] ?? expected;

const disjunction = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** `a, b or c`. */
export const joinWithOr = (choices: readonly string[]): string => disjunction.format(choices);

const quoted = (value: unknown) => JSON.stringify(value);

const sizeOf = (origin: string, size: number | bigint) =>
  `${size.toLocaleString('en')} ${origin === 'string' ? 'characters' : 'items'}`;

/** A field's name without case and separators, so that `user_id`, `userId` and `User-ID` are equal. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Letters of a word: a shorter one, such as `id`, is a part of too many names. */
const leastWord = 4;

/** Names less alike are taken for others: typing errors of our fields are above .93, different fields below .7. */
const leastLikeness = 0.85;

/** The known name that an unknown one most resembles, if any does: `userId` → `user_id`, `query` → `search_query`. */
export function nearestName(name: string, existing: readonly string[]): string | undefined {
  const near = existing
    .map((candidate) => ({ candidate, likeness: jaroWinkler(plain(name).slice(0, 40), plain(candidate)) }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .toSorted((one, other) => other.likeness - one.likeness);
  const word = plain(name);
  const hasWord = (candidate: string) => word.length >= leastWord && candidate.split('_').includes(word);
  return near[0]?.candidate ?? existing.find(hasWord);
}
