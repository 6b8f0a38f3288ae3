const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
/** Capitalised, since "may" and "march" are verbs too; a day may stand on either side and a year behind. */
const namedMonth = new RegExp(
  `\\b(${months.map((month) => `${month.charAt(0).toUpperCase()}${month.slice(1)}`).join('|')})\\b(?:[^\\d\\n]{0,3}\\d{1,2}(?:st|nd|rd|th)?\\b)?(?:,? *(?:of )?((?:19|20)\\d\\d))?`,
  'gu',
);

/**
 * A function that tells whether a time is one that the question names by its month (and year, when it names one):
 * what is asked of June was mostly said in June. 0 or 1; 0 always when no month is named.
 */
export function namedTime(text: string): (at: Date) => number {
  const named = [...text.matchAll(namedMonth)].map(([, month, year]) => ({
    month: months.indexOf(month?.toLowerCase() ?? ''),
    year: year === undefined ? undefined : Number(year),
  }));
  return (at) =>
    Number(
      named.some(
        ({ month, year }) => at.getUTCMonth() === month && (year === undefined || at.getUTCFullYear() === year),
      ),
    );
}
