import { stemToken, stemsOf } from '../language/stems.ts';
import type { TextWording } from './wording.ts';

/** English words share at least this much with their stem: Porter changes endings only. */
const prefixLength = 3;

/** Sets of stems are numbers, a bit each; of a longer query the rarest count. */
const mostStems = 30;

/** Commas within numbers, which tokens leave out. */
const thousands = /(?<=\d),(?=\d)/g;
/** Apostrophes within words, which tokens leave out: "O'Brien" is one word, and "pony's" is "pony". */
const apostrophes = /['’](?<=[a-z].)(?=[a-z])(?!s\b)/gi;

/** A set of query stems: bit n stands for `stems[n]`. */
export type StemSet = number;

export interface StemFinder {
  /** The query's stems in `text`; `wording` is that of the text. */
  find(text: string, wording: Pick<TextWording, 'isAccented' | 'hasThousands'>): StemSet;
  /** The summed idf of the stems as a share of the query's, 0 to 1. */
  share(set: StemSet): number;
}

/** Only words that begin like a stem of the query are stemmed: to stem a whole pool would take tens of milliseconds. */
export function createStemFinder(idf: ReadonlyMap<string, number>): StemFinder {
  const rarest = [...idf].toSorted((one, other) => other[1] - one[1]).slice(0, mostStems);
  const bits = new Map(rarest.map(([stem], place) => [stem, 1 << place]));
  const mass = rarest.reduce((sum, [, weight]) => sum + weight, 0);
  const shares = new Map<StemSet, number>(); // most texts of a pool hold one of a few sets
  return {
    find: finderOf(bits),
    share(set) {
      let existing = shares.get(set);
      if (existing === undefined) {
        const sum = rarest.reduce((all, [, weight], place) => (set & (1 << place) ? all + weight : all), 0);
        shares.set(set, (existing = mass > 0 ? sum / mass : 0));
      }
      return existing;
    },
  };
}

function finderOf(bits: ReadonlyMap<string, number>): StemFinder['find'] {
  if (bits.size === 0) return () => 0;
  const stems = [...bits.keys()];
  const findSlowly = (text: string): StemSet => stemsOf(text).reduce((set, stem) => set | (bits.get(stem) ?? 0), 0);
  if (!stems.every((stem) => /^[a-z0-9]+$/.test(stem))) return findSlowly;
  const beginnings = [...new Set(stems.map((stem) => stem.slice(0, prefixLength)))];
  const words = new RegExp(`\\b(?:${beginnings.join('|')})[a-z0-9]*`, 'gi');
  return (text, { isAccented, hasThousands }) => {
    if (isAccented) return findSlowly(text); // all of it is to be read
    let set = 0;
    const joined = text.replaceAll(apostrophes, '');
    const plain = hasThousands ? joined.replaceAll(thousands, '') : joined;
    for (const word of plain.match(words) ?? []) set |= bits.get(stemToken(word.toLowerCase())) ?? 0;
    return set;
  };
}
