import { monthSource } from '../language/calendar-names.ts';

const month = String.raw`(?:${monthSource})\.?`;

/** Values that are worthless unless they are exact: identifiers, amounts, dates, versions, paths. */
export const exactValuePatterns: readonly RegExp[] = [
  /\bhttps?:\/\/\S+|\bwww\.\S+\.\S+/iu, // addresses of pages
  /\b[\w.+-]+@[\w-]+\.[\w.]+\b/u, // and of people
  /(?<![\w/])(?:~|\.{1,2})?\/(?:[\w.-]+\/)+[\w.-]*|\b[\w-]+\/[\w./-]+\.\w{1,5}\b|\b[A-Za-z]:\\\S+/u, // paths
  /\bv\d+(?:\.\d+)*\b|\b\d+\.\d+\.\d+\b|\b\p{Lu}[\w.]+ v?\d+\.\d+\b/u, // versions
  // Orders, tickets, accounts.
  /\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d]{2,}(?:-[A-Z\d]+)+\b|\b[A-Z]{1,4}\d{2,}[A-Z\d]*\b|#\d+\b|\b\d{5,}\b|\b(?!(?:1[89]|20)\d\d-(?:1[89]|20)\d\d\b)\d{2,}-\d{3,}\b/u,
  // Amounts of money.
  /\p{Sc}\s?\d[\d.,]*(?:\s?[kKmM])?\b|\b\d[\d.,]*\s?(?:€|£|\$|eur|usd|gbp|dollars?|euros?|pounds?|quid)(?!\w)/iu,
  /\b\d[\d.,]*\s?(?:%|percent\b)/iu,
  new RegExp(
    String.raw`\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b${month}\s\d{1,2}\b|\b\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?${month}(?=\W|$)`,
    'iu',
  ), // dates
  /\b\d{1,2}:\d{2}\b|\b\d{1,2}\s?[ap]\.?m\b/iu, // times of day
  // Addresses of houses.
  /\b\d{1,5}[A-Za-z]?,?\s(?:\p{Lu}[\p{L}'’.-]*\s){1,3}(?:Street|Road|Lane|Avenue|Drive|Court|Close|Terrace|Crescent|Square|Boulevard|St|Rd|Ln|Ave|Blvd)\b/u,
  /\p{Lu}\p{L}*(?:stra(?:ß|ss)e|str\.|weg|gasse|allee|platz)\s\d+/u,
];

/** The exact values of a text as they stand in it. Parts that several patterns match are returned by each. */
export const exactValuesOf = (text: string): string[] =>
  exactValuePatterns.flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([value]) => value),
  );

/** A capitalised word that does not begin a sentence: mostly a name. */
const name = /(?<=[\p{L}\d][,;:]?\s)(?!I\b)\p{Lu}[\p{L}\d]+/u;
const count =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twent\w+|thirt\w+|fort\w+|fift\w+|hundred|thousand)\b/iu;

/** Whether a text tells of somebody or something by name, or of how many. */
export const hasNameOrNumber = (text: string): boolean => name.test(text) || count.test(text);
