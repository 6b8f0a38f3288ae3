import type { StatementSense } from '../candidate.ts';

/** A way to state an attribute: the pattern covers the whole of a normalized clause, with a group `value`. */
export interface AttributePattern {
  /** The attribute's name; `$` takes the group `of`, so that each favourite is an attribute of its own. */
  name: string;
  pattern: RegExp;
  /** Matches that are not values; where `value` is fixed, matches that `of` must not be. */
  except?: RegExp;
  /** The value, where the form itself says it. */
  value?: string;
  /** Values of several words each, by what they come to. */
  values?: Readonly<Record<string, RegExp>>;
  sense?: StatementSense;
  /** Whether the group `of` is compared by stems: "peanuts" and "a peanut" are one. */
  isStemmed?: boolean;
  /** A pattern that the clause must match as well: normalized, it leaves out "now" and "again". */
  said?: RegExp;
  /** The value is the time that it names. */
  isTime?: boolean;
  /** Once the time that it names is past, nothing replaces it. */
  isAhead?: boolean;
  /** The form is too wide to be a memory by itself: a rule must have found one. */
  needsRule?: boolean;
  /** It is an event: a rule that finds it, with its date, knows more of it. */
  isEvent?: boolean;
}

/** A pattern by its source, with the fields in which it differs from the others of its table. */
type PatternSource = string | ({ source: string } & Partial<Omit<AttributePattern, 'pattern'>>);

export const wholeMatch = (source: string, flags = 'u'): RegExp => new RegExp(`^${source}$`, flags);

/** The patterns of a table, each with the fields of `common` that it does not set itself. */
export const patternsOf = (
  { flags, ...common }: Omit<AttributePattern, 'pattern'> & { flags?: string },
  rows: readonly PatternSource[],
): AttributePattern[] =>
  rows.map((row) => {
    const { source, ...own } = typeof row === 'string' ? { source: row } : row;
    return { ...common, pattern: wholeMatch(source, flags), ...own };
  });
