import type { CategorySetting, Configuration } from '../configurations/configuration.ts';
import { oncePer } from '../flow/once-per.ts';
import { builtInCategories } from '../memory-types.ts';
import { stemsOf } from '../language/stems.ts';
import { stopWords } from '../language/stop-words.ts';
import type { Candidate } from './candidate.ts';
import { isAboutCategory } from './categories.ts';
import { exclusionTestOf } from './excluded-kinds.ts';

/** The category that a candidate is remembered in; null: it is not to be remembered. */
export type CategoryFitter = (candidate: Pick<Candidate, 'category' | 'content' | 'quote' | 'type'>) => string | null;

/** A version of a configuration never changes once it is in force, so what is made of one is kept. */
type Kinds = Pick<Configuration, 'memory_types' | 'categories' | 'excluded'>;

/** Sorts by the configuration's types and categories: what is excluded never, what fits none of them into `other`. */
export const categoryFitterOf = oncePer(createSorter);

/** Whether a text holds what the configuration excludes: then it is in no memory. */
export const isExcluded = (configuration: Kinds, text: string): boolean =>
  exclusionsOf(configuration).some(({ fits }) => fits(text));

const exclusionsOf = oncePer(({ excluded }: Kinds) =>
  excluded.map((entry) => ({ name: entry.name, fits: fitsOf(entry) })),
);

function createSorter(configuration: Kinds): CategoryFitter {
  const { memory_types, categories: kept } = configuration;
  const types = new Set<string>(memory_types);
  const names = new Set(kept.map(({ name }) => name));
  const own = kept.filter(({ name }) => !isKnown(name)).map(meaningOf);
  const never = exclusionsOf(configuration);
  const fallback = names.has('other') ? 'other' : null;
  return ({ category, content, quote, type }) => {
    if (!types.has(type)) return null;
    // The quote is kept with the memory, so what must not be kept may not stand there either.
    if (never.some(({ name, fits }) => name === category || fits(content) || (quote !== content && fits(quote))))
      return null;
    // These two decide how long a memory lasts, so no category of one's own takes their place.
    if ((category === 'instruction' || category === 'identity') && names.has(category)) return category;
    const best = own.length > 0 ? bestOf(own, content) : undefined;
    return best ?? (names.has(category) ? category : fallback);
  };
}

interface CategoryMeaning {
  readonly name: string;
  /** How many words of the category the text has. The last one of its name counts double: "past orders" are orders. */
  score(stems: ReadonlySet<string>): number;
}

/** The least score of a text: it has the last word of the name or two other words, since one is often a coincidence. */
const enough = 2;

function meaningOf(setting: CategorySetting): CategoryMeaning {
  const { named, head, told } = wordsOfEntry(setting);
  const score = (stems: ReadonlySet<string>) => {
    let sum = 0;
    for (const stem of stems) sum += stem === head ? enough : named.has(stem) || told.has(stem) ? 1 : 0;
    return sum;
  };
  return { name: setting.name, score };
}

function wordsOfEntry({ name, description, examples }: CategorySetting) {
  const words = rootsOf(spaced(name));
  const told = new Set([description, ...examples].flatMap(rootsOf));
  return { named: new Set(words), head: words.at(-1), told };
}

/**
 * Whether a text holds what an entry of `excluded` names: by its shape, where it has one, or by its words. Of a name of
 * several words two must stand together, since "card numbers" are not all cards and all numbers.
 */
function fitsOf(entry: CategorySetting): (text: string) => boolean {
  const { name } = entry;
  if (isKnown(name)) return (text) => isAboutCategory(name, text);
  const { named, told } = wordsOfEntry(entry);
  const hasShape = exclusionTestOf([spaced(name), entry.description]);
  const means = (root: string | undefined) => root !== undefined && (named.has(root) || told.has(root));
  const isNamed = (text: string) => {
    const roots = rootsOf(text);
    if (named.size < enough) return roots.some(means);
    return roots.some((root, n) => means(root) && means(roots[n + 1]) && root !== roots[n + 1]);
  };
  return (text) => isNamed(text) || hasShape?.(text) === true;
}

function bestOf(meanings: readonly CategoryMeaning[], text: string): string | undefined {
  const stems = wordsOf(text);
  const scored = meanings.map(({ name, score }) => ({ name, points: score(stems) }));
  const best = scored.reduce((one, other) => (other.points > one.points ? other : one));
  return best.points >= enough ? best.name : undefined;
}

const spaced = (name: string) => name.replaceAll(/[-_]/g, ' ');
const wordsOf = (text: string) => new Set(rootsOf(text));
const rootsOf = (text: string) =>
  stemsOf(text).flatMap((stem) => (stem.length > 2 && !stopWords.has(stem) ? [rootOf(stem)] : []));
/** The stemmer keeps "allergies" and "allergic" apart; the names of categories are to be met in either form. */
const rootOf = (stem: string) => stem.replace(/i$/u, '').slice(0, 7);
const isKnown = (name: string): name is (typeof builtInCategories)[number] =>
  (builtInCategories as readonly string[]).includes(name);
