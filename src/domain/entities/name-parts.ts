import { genderOfWord } from '../language/person-words.ts';
import { wordSet } from '../language/word-set.ts';

/** A name of a person taken apart; all in normal form. */
export interface NameParts {
  readonly title: string;
  /** Empty where a title stands before a single name: "Dr. Chen". */
  readonly given: string;
  readonly middle: readonly string[];
  readonly family: string;
  readonly suffix: string;
  /** A single word without a title: given or family, as far as one can see. */
  readonly isLone: boolean;
}

const titleOf: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mr: 'mr', mister: 'mr', mrs: 'mrs', ms: 'ms', miss: 'ms', dr: 'dr', doctor: 'dr', prof: 'prof', professor: 'prof',
    sir: 'mr', lady: 'ms', lord: 'mr', captain: 'captain', colonel: 'colonel', judge: 'judge', father: 'father', sister: 'sister',
    rev: 'rev', reverend: 'rev',
  }),
); // prettier-ignore
/** Before a given name, unlike the others: "Aunt Jorun". */
const kinTitles = wordSet('aunt auntie uncle cousin grandma grandpa granny nana');
const suffixes = wordSet('jr sr junior senior ii iii iv phd md esq');

/** The parts of a normal form; an e-mail address or handle by what its words say: `anna.chen@example.org`. */
export function nameParts(normal: string): NameParts {
  const handle = handleOf(normal);
  const words = (handle ?? normal)
    .split(/[\s.]+/u)
    .map((word) => word.replace(/^['"(]+|[,'")]+$/gu, ''))
    .filter(Boolean);
  const title = words.length > 1 ? (titleOf.get(words[0]!) ?? (kinTitles.has(words[0]!) ? words[0]! : '')) : '';
  const named = title ? words.slice(1) : words;
  const suffix =
    named.length > 1 && suffixes.has(named.at(-1)!)
      ? named.at(-1)!.replace('junior', 'jr').replace('senior', 'sr')
      : '';
  const core = suffix ? named.slice(0, -1) : named;
  const isFamilyAlone = core.length === 1 && title !== '' && !kinTitles.has(title);
  return {
    title,
    given: isFamilyAlone ? '' : (core[0] ?? ''),
    middle: core.slice(1, -1),
    family: isFamilyAlone ? core[0]! : core.length > 1 ? core.at(-1)! : '',
    suffix,
    isLone: core.length === 1 && !title,
  };
}

/** The words of an e-mail address before the at sign, or of a handle after it; undefined for other names. */
export function handleOf(normal: string): string | undefined {
  const address = /^([\p{L}\p{N}._+-]+)@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.exec(normal)?.[1];
  const handle = address ?? /^@([\p{L}\p{N}._-]+)$/u.exec(normal)?.[1];
  return handle
    ?.replace(/\+.*$/u, '')
    .replace(/[._-]+|\d+/gu, ' ')
    .trim();
}

/** Whether the titles or suffixes say that these are two people. */
export function haveConflictingTitles(one: NameParts, other: NameParts): boolean {
  if (one.suffix && other.suffix && one.suffix !== other.suffix) return true;
  const [gender, another] = [genderOfWord(one.title), genderOfWord(other.title)];
  return gender !== undefined && another !== undefined && gender !== another;
}
