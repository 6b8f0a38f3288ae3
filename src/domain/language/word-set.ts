/** The words of a list that is written as text, separated by white space. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u));
