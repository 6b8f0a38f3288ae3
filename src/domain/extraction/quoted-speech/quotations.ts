import type { TextSpan } from '../../language/text-span.ts';

// A mark opens before a word and closes behind one, so that apostrophes and inches are neither. What only lost its
// first letters ("'cause", "'90s") opens nothing.
const opening = String.raw`(?<![\p{L}\p{N}])`;
const elided = String.raw`(?!(?:cause|em|til|till|tis|twas|bout|n)\b|\d0s\b)`;
const closing = String.raw`(?<=\S)(?![\p{L}\p{N}])`;
const quotation = new RegExp(
  [
    String.raw`${opening}"(?=\S)[^"]+?${closing}"`,
    String.raw`[“„](?=\S)[^“„”]+[”“]`,
    String.raw`«[^«»]+»`,
    String.raw`${opening}‘(?=\S)${elided}(?:[^‘’\n]|(?<=\p{L})’(?=\p{L}))+’(?!\p{L})`,
    String.raw`${opening}'(?=\S)${elided}(?:[^'\n]|(?<=\p{L})'(?=\p{L}))+'(?!\p{L})`,
  ].join('|'),
  'gu',
);

/** Everything in quotation marks, with the marks. */
export const findQuotations = (text: string): TextSpan[] =>
  [...text.matchAll(quotation)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));

export const firstPersonPattern = /\b(?:I|i|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s)\b/u;
/** `"I Will Survive" is my favourite song`: a title, and the words around it are the speaker's. */
const ofTitle = /^\s*(?:is|was|are|were)\s+(?:\w+\s+)?(?:my|our|one of)\b/u;

/**
 * The quotations in which an "I" is whoever is quoted. Of a text that is all one quotation nobody can tell who that is:
 * its speaker, we take it.
 */
export const findQuotedPeople = (text: string, quotations: readonly TextSpan[]): TextSpan[] =>
  quotations.filter(
    ({ start, end }) =>
      firstPersonPattern.test(text.slice(start, end)) &&
      !ofTitle.test(text.slice(end, end + 40)) &&
      text.trim().length > end - start,
  );
