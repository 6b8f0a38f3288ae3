import { wordSet } from '../language/word-set.ts';
import { handleOf, nameParts } from './name-parts.ts';
import { fullGivenNamesOf } from './nicknames.ts';

const legalForms = /\s(?:inc|ltd|llc|gmbh|corp|corporation|co|company|plc|ag|sa|bv)\.?$/u;
const smallWords = wordSet('the of and & de van von der la le di da');

/** The words of a name that tell it from others. */
export const nameWordsOf = (normal: string): string[] =>
  normal
    .replace(legalForms, '')
    .split(/[\s.,-]+/u)
    .filter((word) => word && !smallWords.has(word));

export const initialsOf = (words: readonly string[]): string => words.map((word) => word[0]).join('');

/** The letters that two spellings of a word must begin with. */
const sharedLetters = 3;

/** The blocks of a name: names of one thing share at least one. Roles ("my sister") match by exact form alone. */
export function blockingKeysOf(normal: string, isRole: boolean): string[] {
  if (isRole) return [normal];
  const parts = nameParts(normal);
  const handle = handleOf(normal);
  const words = nameWordsOf(handle ?? normal);
  const told = [parts.given, ...parts.middle, parts.family].filter((word) => word.length > 1);
  const initials = initialsOf(words);
  return [
    ...new Set([
      normal,
      ...told,
      ...words.filter((word) => word.length > 1 && word !== parts.title),
      ...[...fullGivenNamesOf(parts.given)].filter(Boolean),
      ...[parts.given, parts.family]
        .filter((word) => word.length >= sharedLetters)
        .map((word) => `^${word.slice(0, sharedLetters)}`),
      ...(words.length > 2 ? [`*${initials}`] : []),
      ...(words.length === 1 && normal.length <= 6 ? [`*${normal}`] : []),
      ...(handle ? [`=${handle.replaceAll(' ', '')}`] : []),
      ...(words.length > 1 ? [`=${words.join('')}`] : []),
    ]),
  ];
}

/** A name is compared with no more others than this: a first name may be borne by thousands in one document. */
const mostRelated = 48;

/** Items by the blocks of their names, so that possible matches are found without comparing all. */
export class BlockingIndex<Item> {
  readonly #byBlock = new Map<string, Set<Item>>();

  add(normal: string, isRole: boolean, item: Item): void {
    for (const block of blockingKeysOf(normal, isRole)) {
      const filed = this.#byBlock.get(block);
      if (filed) filed.add(item);
      else this.#byBlock.set(block, new Set([item]));
    }
  }

  /** The items that share a block with the name, those of the rarest blocks first, as many as are worth comparing. */
  related(normal: string, isRole: boolean): Set<Item> {
    const blocks = blockingKeysOf(normal, isRole).flatMap((block) => this.#byBlock.get(block) ?? []);
    const related = new Set<Item>();
    for (const block of blocks.toSorted((one, other) => one.size - other.size)) {
      for (const item of block) {
        if (related.size === mostRelated) return related;
        related.add(item);
      }
    }
    return related;
  }
}
