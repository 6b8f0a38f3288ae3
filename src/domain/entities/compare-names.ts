import jaroWinkler from 'jaro-winkler';
import { initialsOf, nameWordsOf } from './blocking.ts';
import { haveConflictingTitles, handleOf, nameParts, type NameParts } from './name-parts.ts';
import { areSpellingVariants, isKnownGivenName, mayBeSameGivenName } from './nicknames.ts';

/** The relations by which two different names may name one entity, surest first. */
export type NameRelation =
  | 'same-words'
  | 'nickname-and-family'
  | 'handle'
  | 'initial-and-family'
  | 'spelling'
  | 'variant-and-family'
  | 'given-of-full'
  | 'title-and-family'
  | 'courtesy-and-family'
  | 'nickname'
  | 'family-of-full'
  | 'acronym'
  | 'part-of'
  | 'short-form';

/** `contradiction`: the two names cannot be one thing's; undefined: they have nothing to do with each other. */
export type NameComparisonResult = NameRelation | 'contradiction' | undefined;

/**
 * Least likeness (Jaro-Winkler) of two spellings of one name, and the letters it must have for that to tell anything.
 */
const spelling = { likeness: 0.93, letters: 5 };
const isMisspelt = (one: string, other: string) =>
  Math.min(one.length, other.length) >= spelling.letters && jaroWinkler(one, other) >= spelling.likeness;

/** Compares two normal forms as names of people, or of anything else. */
export function compareNames(one: string, other: string, arePeople: boolean): NameComparisonResult {
  if (one === other) return 'same-words';
  const handle = compareHandles(one, other);
  if (handle) return handle;
  return arePeople ? comparePeople(nameParts(one), nameParts(other)) : compareThings(one, other);
}

function compareHandles(one: string, other: string): NameComparisonResult {
  const [left, right] = [handleOf(one), handleOf(other)];
  if (left === undefined && right === undefined) return undefined;
  if (left !== undefined && right !== undefined) return left === right ? 'handle' : undefined;
  const { given, family } = nameParts(left === undefined ? one : other);
  const handle = (left ?? right ?? '').replaceAll(' ', '');
  if (!given || !family) return handle === given || handle === family ? 'short-form' : undefined;
  return [given + family, family + given, given[0]! + family].includes(handle) ? 'handle' : undefined;
}

function comparePeople(one: NameParts, other: NameParts): NameComparisonResult {
  if (haveConflictingTitles(one, other)) return 'contradiction';
  if (one.given && one.family && other.given && other.family) return compareFullNames(one, other);
  if (!one.family && !other.family) return compareGivenNames(one.given, other.given);
  const [short, full] = one.given && one.family ? [other, one] : [one, other];
  if (!short.given) return compareFamilies(short, full); // "Dr. Chen"
  if (short.family) return compareFamilies(full, short);
  const relation = compareGiven(short.given, full.given);
  if (relation) return relation === 'same' ? 'given-of-full' : relation;
  const isFamily = short.isLone && short.given === full.family && !isKnownGivenName(short.given);
  return isFamily ? 'family-of-full' : undefined;
}

function compareFullNames(one: NameParts, other: NameParts): NameComparisonResult {
  const relation = compareGiven(one.given, other.given);
  const isInitial = one.given[0] === other.given[0] && (one.given.length === 1 || other.given.length === 1);
  if (one.family === other.family) {
    if (relation === 'same') return areMiddlesAtOdds(one, other) ? 'contradiction' : 'same-words';
    if (relation === 'nickname') return 'nickname-and-family';
    if (isInitial) return 'initial-and-family';
    const areKnown = isKnownGivenName(one.given) && isKnownGivenName(other.given);
    const isVariant = areSpellingVariants(one.given, other.given);
    // "Mathew" is a slip of the pen; Gabriel and Gabrielle are two names that people have.
    if (isMisspelt(one.given, other.given) && !(isVariant && areKnown)) return 'spelling';
    return isVariant ? 'variant-and-family' : 'contradiction';
  }
  return isMisspelt(one.family, other.family) && relation === 'same' ? 'spelling' : 'contradiction';
}

const areMiddlesAtOdds = ({ middle: [one] }: NameParts, { middle: [other] }: NameParts) =>
  one !== undefined && other !== undefined && one[0] !== other[0];

function compareGivenNames(one: string, other: string): NameComparisonResult {
  const relation = compareGiven(one, other);
  if (relation) return relation === 'same' ? 'given-of-full' : relation; // "Aunt Jorun" is Jorun
  return isMisspelt(one, other) ? 'spelling' : undefined;
}

function compareFamilies(short: NameParts, full: NameParts): NameComparisonResult {
  if (short.family !== (full.family || (full.isLone ? full.given : ''))) return undefined;
  if (full.isLone) return 'family-of-full';
  if (!full.given && short.title === full.title) return 'same-words';
  // "Mrs. Abara" may be any of the family; there are fewer doctors.
  return /^m(?:r|s|rs)$/u.test(short.title) ? 'courtesy-and-family' : 'title-and-family';
}

function compareGiven(one: string, other: string): 'same' | 'nickname' | 'short-form' | undefined {
  if (one === other) return 'same';
  if (mayBeSameGivenName(one, other)) return 'nickname';
  return isShortForm(one, other) || isShortForm(other, one) ? 'short-form' : undefined;
}

/** "Rosa" for "Rosalind": a beginning of the name, not itself the name or nickname of others. */
function isShortForm(short: string, full: string): boolean {
  const stem = short.replace(/(?<=\p{L}{3})(?:s|ie|y)$/u, '');
  return stem.length >= 3 && stem.length < full.length && full.startsWith(stem) && !isKnownGivenName(short);
}

function compareThings(one: string, other: string): NameComparisonResult {
  const [left, right] = [nameWordsOf(one), nameWordsOf(other)];
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  if (!few.length) return undefined;
  if (few.length === many.length && few.every((word) => many.includes(word))) return 'same-words';
  if (few.length === 1 && many.length > 2 && few[0] === initialsOf(many)) return 'acronym';
  if (few.every((word) => many.includes(word))) return 'part-of';
  return isMisspelt(few.join(' '), many.join(' ')) ? 'spelling' : undefined;
}
