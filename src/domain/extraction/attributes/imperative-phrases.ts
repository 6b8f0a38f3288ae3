// How orders are put, as sources of patterns: the same words stand before and after whatever is ordered.

const fromNowOn = '(?:from now on|going forward|from here on|in (?:the )?future|henceforth|by default)';
const wished = '(?:I (?:want|need|would like|would prefer|prefer) you to|you (?:should|must)|make sure to|remember to)';

export const fromNowOnSource = `(?:always|${fromNowOn},?)`;
export const requestPrefixSource = `(?:(?:please|always|${fromNowOn}|${wished}),? )*`;
export const requestSuffixSource = `(?:,? (?:please|thanks|thank you|always|instead|after all|${fromNowOn}|in (?:all|any) (?:of )?(?:your )?(?:future )?(?:answers|replies|responses|messages)))*`;
export const noLongerSource = '(?: any ?more| any longer| ever again)?';

/** Forbids it. */
export const stopDoingSource = `(?:(?:please|${fromNowOn}),? )*(?:you (?:should|must) )?(?:never|do not(?: ever)?|stop|avoid|refrain from)`;
/** Takes back an order and forbids nothing. */
export const noNeedToSource =
  '(?:(?:there is )?no (?:more )?need to|you (?:do not|no longer) (?:have|need) to|you need not|you can stop)';
/** Takes back a prohibition and orders nothing; "now", "again" or "after all" tell it from leave for once. */
export const permissionSource = 'you (?:can|may|are (?:free|allowed) to)';
export const againPattern = /\b(?:again|now|from now on)\b|\bafter all\s*(?:[,.!]|$)/iu;
