import type { z } from 'zod';

/** Written so that every language reads it alike: `\p{...}` is unknown to Python, `\u0000` to Go. */
// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const withoutControls = /^[^\x00-\x1f\x7f-\x9f]*$/;
export const plainTextError = 'must not contain control characters';

/** Whether a text is a single line without control characters. */
export const isPlainText = (text: string): boolean => withoutControls.test(text) && text.isWellFormed();

/** The text with what no Unicode text can hold replaced: half surrogate pairs, and the NUL that no database takes. */
export const storableText = (text: string): string => text.replaceAll(/\p{Cs}|\0/gu, '\uFFFD');

/**
 * On one line, and visible: control characters and half surrogate pairs would make two names look like one. Half a pair
 * is in no pattern that callers are shown, since no JSON that they can write holds one.
 */
export const plainText = (text: z.ZodString): z.ZodString =>
  text.regex(withoutControls, plainTextError).refine((value) => value.isWellFormed(), plainTextError);
