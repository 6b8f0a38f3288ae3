import { categories, type CategorySetting, type Configuration } from '../configurations/configuration.ts';
import { stemsOf } from '../language/stems.ts';
import { stopWords } from '../language/stop-words.ts';
import type { Candidate } from './candidate.ts';
import { isAbout } from './categories.ts';

/** The category that a candidate is remembered in; null: it is not to be remembered. */
export type Sorter = (candidate: Pick<Candidate, 'category' | 'content' | 'type'>) => string | null;

type Kinds = Pick<Configuration, 'memory_types' | 'categories' | 'excluded'>;

/** By configuration: a version never changes once it is in force. */
const sorters = new WeakMap<Kinds, Sorter>();

/** Sorts by the configuration's types and categories: what is excluded never, what fits none of them into `other`. */
export function sorterOf(configuration: Kinds): Sorter {
  const known = sorters.get(configuration);
  if (known) return known;
  const sorter = createSorter(configuration);
  sorters.set(configuration, sorter);
  return sorter;
}

function createSorter({ memory_types, categories: kept, excluded }: Kinds): Sorter {
  const types = new Set<string>(memory_types);
  const names = new Set(kept.map(({ name }) => name));
  const own = kept.filter(({ name }) => !isKnown(name)).map(meaningOf);
  const never = excluded.map(meaningOf);
  const fallback = names.has('other') ? 'other' : null;
  return ({ category, content, type }) => {
    if (!types.has(type)) return null;
    if (never.some(({ name, fits }) => name === category || fits(content))) return null;
    // These two decide how long a memory lasts, so no category of one's own takes their place.
    if ((category === 'instruction' || category === 'identity') && names.has(category)) return category;
    const best = own.length > 0 ? bestOf(own, content) : undefined;
    return best ?? (names.has(category) ? category : fallback);
  };
}

interface Meaning {
  readonly name: string;
  /** How many of its words the text has; what its name ends with counts double: "past orders" are orders. */
  score(stems: ReadonlySet<string>): number;
  /** The same for what must not be kept: of a name of several words two, since "card numbers" are not all numbers. */
  fits(text: string): boolean;
}

/** The word a name ends with, or two others: one alone is too often a coincidence. */
const enough = 2;

function meaningOf({ name, description, examples }: CategorySetting): Meaning {
  const words = [...wordsOf(name.replaceAll(/[-_]/g, ' '))];
  const named = new Set(words);
  const head = words.at(-1);
  const told = new Set([...wordsOf(description), ...examples.flatMap((each) => [...wordsOf(each)])]);
  const score = (stems: ReadonlySet<string>) => {
    let sum = 0;
    for (const stem of stems) sum += stem === head ? enough : named.has(stem) || told.has(stem) ? 1 : 0;
    return sum;
  };
  const fits = (text: string) => {
    if (isKnown(name)) return isAbout(name, text);
    const found = [...wordsOf(text)].filter((stem) => named.has(stem) || told.has(stem));
    return found.length >= Math.min(enough, named.size);
  };
  return { name, score, fits };
}

function bestOf(meanings: readonly Meaning[], text: string): string | undefined {
  const stems = wordsOf(text);
  const scored = meanings.map(({ name, score }) => ({ name, points: score(stems) }));
  const best = scored.reduce((one, other) => (other.points > one.points ? other : one));
  return best.points >= enough ? best.name : undefined;
}

const wordsOf = (text: string) =>
  new Set(stemsOf(text).flatMap((stem) => (stem.length > 2 && !stopWords.has(stem) ? [rootOf(stem)] : [])));
/** The stemmer keeps "allergies" and "allergic" apart; the names of categories are to be met in either form. */
const rootOf = (stem: string) => stem.replace(/i$/u, '').slice(0, 7);
const isKnown = (name: string): name is (typeof categories)[number] => (categories as readonly string[]).includes(name);
