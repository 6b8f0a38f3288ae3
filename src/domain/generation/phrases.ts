import { builtInCategories } from '../memory-types.ts';
import { stopWords } from '../language/stop-words.ts';

/** Matches the end of a list, where something else about it begins. */
const tail =
  /\s+(?:because|unless|without|longer|until|so that|so we|if|that|which|who|when|whenever|while|since|in order|to (?:make|help|give|offer|answer|avoid|keep|be)|for (?:\d|at|a |an |one|two|future|later|the next|as long)|across|between|over time|from (?:one|earlier|previous)|outside|after|before|than|as (?:it|they|long)|anywhere|at all|in (?:any|the memory|memory)|about (?:them|it)\b).*$/iu;
const opener =
  /^(?:(?:all|any|each|every|some|the|a|an|their|his|her|its|our|your|users?['’]s?|(?:customer|client|player|patient|shopper|developer|user|person)s?['’]s?|such|as|well|also|about|of|what|which|how|who|where|like|things|details|facts|information|data|records?|anything|everything|e\.g\.|including|especially|and|or|nor|for|with)\s+)+/iu;
const generic =
  /^(?:it|them|this|that|things?|anything|everything|something|data|information|details|memor(?:y|ies)|conversations?|messages?|more|less|users?|customers?|people|person|context|stuff|other|others|etc|one|us|me|you|personal data|history)$/iu;

/** The things that a sentence lists: "sizes, favourite brands and past orders". At most `mostWords` words each. */
export function splitList(text: string, mostWords = 4): string[] {
  return (
    text
      .replace(/[.!?]+$/u, '')
      .replaceAll(/\([^)]*\)/gu, '')
      .split(/[,;/]|\s(?:and|or|nor|as well as|plus|but|und)\s/iu)
      // "What caused them" says something about another thing of the list.
      .filter((each) => !/^\s*(?:what|how|why|where|when|whether|who)\s/iu.test(each))
      .map(tidy)
      .filter(
        (each) => each !== '' && !generic.test(each) && each.split(' ').length <= mostWords && /\p{L}{3}/u.test(each),
      )
  );
}

const tidy = (text: string) => {
  const trimmed = text
    .replace(tail, '')
    .replaceAll(/[*_`"“”]/gu, '')
    .trim()
    .replace(/[:.,;]+$/u, '');
  return trimmed.replace(opener, '').trim();
};

/** Splits an item into its lead and the rest: "**Sizes**: shoes and clothes", "Sizes - shoes and clothes". */
export function splitLead(item: string): { lead: string; rest: string } {
  const [, lead, rest] = /^(.{2,60}?)\s*(?::|\s[–—-]\s|\s?—\s?|\s\()(.*)$/u.exec(item) ?? [];
  if (lead && lead.split(/\s+/u).length <= 6) return { lead, rest: rest!.replace(/\)\.?$/u, '').trim() };
  return { lead: item.split(/,|\s(?:so that|because|which|that|when|since|in order)\s/u)[0]!, rest: '' };
}

const mostNameWords = 4;

/** A name for a category: its first words that mean something, in lower case. Empty when there are none. */
export function categoryNameOf(phrase: string): string {
  const words = tidy(phrase)
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}|['’]s?\b/gu, '')
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !stopWords.has(word) || word === 'and');
  const cut = telling.slice(0, telling.slice(0, mostNameWords + 1).includes('and') ? mostNameWords + 1 : mostNameWords);
  return cut
    .join('-')
    .replaceAll(/^(?:and-)+|(?:-and)+$/gu, '')
    .slice(0, 64)
    .replace(/-$/u, '');
}

const ours: Record<string, readonly string[]> = {
  identity: ['identity', 'name', 'names', 'who-they-are', 'personal-details'],
  relations: ['relations', 'relationships', 'family', 'family-and-friends', 'friends-and-family', 'people'],
  work: ['work', 'job', 'jobs', 'career'],
  places: ['places', 'locations', 'location', 'whereabouts'],
  possessions: ['possessions', 'belongings'],
  health: [
    'health',
    'health-data',
    'health-information',
    'health-records',
    'health-details',
    'health-conditions',
    'medical',
    'medical-data',
    'medical-information',
    'medical-details',
    'medical-records',
    'medical-history',
    'medical-conditions',
  ],
  plans: ['plans', 'goals', 'plans-and-goals', 'goals-and-plans'],
  habits: ['habits', 'routines', 'habits-and-routines'],
  likes: ['likes', 'interests'],
  dislikes: ['dislikes'],
  instruction: ['instruction', 'instructions', 'standing-instructions', 'rules'],
  other: ['other', 'everything-else', 'anything-else', 'misc', 'miscellaneous'],
};

/** Names by the categories that extraction knows, where they mean one of those. */
export const builtInCategoryName = (name: string): string =>
  builtInCategories.find((existing) => ours[existing]!.includes(name)) ?? name;
