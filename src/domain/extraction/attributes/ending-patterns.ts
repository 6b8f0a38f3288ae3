import { anyMoreSource, carSource, employerSource, placeNameSource, trailingDetailSource } from './value-patterns.ts';
import { patternsOf, type AttributePattern } from './attribute-pattern.ts';

// A departure last night may be undone by now; one for good, or weeks ago and more, is an end.
const forGood = String.raw`(?: for good|,? (?:(?:\p{Ll}+|\d+) (?:weeks?|months?|years?) ago|last (?:month|year|spring|summer|autumn|fall|winter)))`;
const job = '(?:old |former |full-time )?(?:job|position|role|post)';
const model = String.raw`(?:old |\p{Lu}\p{L}+ (?=\p{Lu}))?${carSource}`;

// "I quit my job" is what people say who have begun another one already, so it ends none that it does not name.
const lately = String.raw`(?:,? (?:yesterday|today|this \p{L}+|last week|on \p{Lu}\p{L}+day))?`;

/**
 * The end of one value leaves every other alone: of a job at Boeing "I quit my job at Airbus" says nothing. So it does
 * no harm that "I left Leeds" may be a company as well.
 */
export const endingPatterns: readonly AttributePattern[] = [
  ...patternsOf({ name: 'residence', sense: 'denies' }, [
    `(?:I|we) (?:do not|no longer) live in (?<value>${placeNameSource})${anyMoreSource}?`,
  ]),
  ...patternsOf({ name: 'residence', sense: 'ends', isEvent: true }, [
    `(?:I|we) used to live in (?<value>${placeNameSource})`,
    `(?:I|we) (?:have )?moved (?:out of|away from) (?<value>${placeNameSource})${trailingDetailSource}`,
    `(?:I|we) (?:have )?left (?<value>${placeNameSource})${forGood}`,
  ]),
  ...patternsOf({ name: 'employer', sense: 'denies' }, [
    `I (?:do not|no longer) work (?:at|for|with) ${employerSource}${anyMoreSource}?`,
  ]),
  ...patternsOf({ name: 'employer', sense: 'ends', isEvent: true }, [
    `I used to work (?:at|for) ${employerSource}`,
    `I (?:have )?(?:quit|left|resigned from|lost) my ${job} (?:at|with) ${employerSource}${trailingDetailSource}`,
    `I (?:have )?(?:quit|resigned from|retired from) ${employerSource}${trailingDetailSource}`,
    `I (?:have )?left ${employerSource}${forGood}?`,
    `I (?:was|got|have been) (?:laid off|fired|let go|made redundant)(?: from my ${job})? (?:at|from|by) ${employerSource}${trailingDetailSource}`,
    `my last day at ${employerSource} was .{3,20}`,
  ]),
  ...patternsOf({ name: 'car', sense: 'ends', isEvent: true }, [
    `(?:I|we) (?:have )?(?:sold|traded in|scrapped|got rid of|gave away) (?:my|our|the) ${model}${trailingDetailSource}`,
  ]),
  // The end of whatever there was.
  ...patternsOf({ name: 'employer', sense: 'ends-all', value: 'any', isEvent: true }, [
    `I (?:was|got|have been) (?:laid off|fired|let go|made redundant)(?: from (?:my job|work))?${lately}`,
    `I (?:have )?lost my job${lately}`,
  ]),
  // "I work for Odile" may tell of a manager; with "now" it tells of a change.
  ...patternsOf({ name: 'employer', except: /^(?:Mr|Mrs|Ms|Dr|Prof)\b/u, said: /\bnow\b/iu }, [
    `I work for ${employerSource}${trailingDetailSource}`,
  ]),
];
