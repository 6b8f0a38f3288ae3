import { placeNameSource, properNounSource, trailingDetailSource } from './value-patterns.ts';
import { wholeMatch, type AttributePattern } from './attribute-pattern.ts';

const anyMore = '(?: any ?more| any longer)?';
// A departure last night may be undone by now; one for good, or weeks ago and more, is an end.
const forGood = String.raw`(?: for good|,? (?:(?:\p{Ll}+|\d+) (?:weeks?|months?|years?) ago|last (?:month|year|spring|summer|autumn|fall|winter)))`;
const job = '(?:old |former |full-time )?(?:job|position|role|post)';
const company = `(?<value>${properNounSource})`;
const model = String.raw`(?:old |\p{Lu}\p{L}+ (?=\p{Lu}))?(?<value>\p{Lu}[\p{L}\p{N}-]*(?: [\p{Lu}\p{N}][\p{L}\p{N}-]*){0,2})`;

const sources: Readonly<
  Record<'residence' | 'employer' | 'car', Partial<Record<'denies' | 'ends', readonly string[]>>>
> = {
  residence: {
    denies: [`(?:I|we) (?:do not|no longer) live in (?<value>${placeNameSource})${anyMore}`],
    ends: [
      `(?:I|we) used to live in (?<value>${placeNameSource})`,
      `(?:I|we) (?:have )?moved (?:out of|away from) (?<value>${placeNameSource})${trailingDetailSource}`,
      `(?:I|we) (?:have )?left (?<value>${placeNameSource})${forGood}`,
    ],
  },
  employer: {
    denies: [`I (?:do not|no longer) work (?:at|for|with) ${company}${anyMore}`],
    ends: [
      `I used to work (?:at|for) ${company}`,
      `I (?:have )?(?:quit|left|resigned from|lost) my ${job} (?:at|with) ${company}${trailingDetailSource}`,
      `I (?:have )?(?:quit|resigned from|retired from) ${company}${trailingDetailSource}`,
      `I (?:have )?left ${company}${forGood}?`,
      `I (?:was|got|have been) (?:laid off|fired|let go|made redundant)(?: from my ${job})? (?:at|from|by) ${company}${trailingDetailSource}`,
      `my last day at ${company} was .{3,20}`,
    ],
  },
  car: {
    ends: [
      `(?:I|we) (?:have )?(?:sold|traded in|scrapped|got rid of|gave away) (?:my|our|the) ${model}${trailingDetailSource}`,
    ],
  },
};

/**
 * The end of one value, which leaves every other alone: of a job at Boeing "I quit my job at Airbus" says nothing. So
 * it does no harm that "I left Leeds" may be a company as well.
 */
const endsOfOne = Object.entries(sources).flatMap(([name, bySense]) =>
  (['denies', 'ends'] as const).flatMap((sense) =>
    (bySense[sense] ?? []).map((source): AttributePattern => ({
      name,
      sense,
      pattern: wholeMatch(source),
      isEvent: sense === 'ends',
    })),
  ),
);

// "I quit my job" is what people say who have begun another one already, so it ends none that it does not name.
const lately = String.raw`(?:,? (?:yesterday|today|this \p{L}+|last week|on \p{Lu}\p{L}+day))?`;
/** The end of whatever there was. */
const endsOfAll = [
  `I (?:was|got|have been) (?:laid off|fired|let go|made redundant)(?: from (?:my job|work))?${lately}`,
  `I (?:have )?lost my job${lately}`,
].map((source): AttributePattern => ({
  name: 'employer',
  sense: 'ends-all',
  value: 'any',
  pattern: wholeMatch(source),
  isEvent: true,
}));

// "I work for Odile" may tell of a manager; with "now" it tells of a change.
const changes: AttributePattern = {
  name: 'employer',
  pattern: wholeMatch(`I work for ${company}${trailingDetailSource}`),
  except: /^(?:Mr|Mrs|Ms|Dr|Prof)\b/u,
  said: /\bnow\b/iu,
};

export const endingPatterns: readonly AttributePattern[] = [...endsOfOne, ...endsOfAll, changes];
