import { versionNumber } from '../../../domain/configurations/lifecycle.ts';
import { notFound } from '../../../domain/errors.ts';

/** The number of a version as a path or query has it: `2` or `2.0.0`. One that there cannot be is one that is not there. */
export function numberOf(text: string): number {
  const number = versionNumber(text);
  if (number === null) throw notFound('configuration version');
  return number;
}

export const numberIfGiven = (text: string | undefined) => (text === undefined ? undefined : numberOf(text));
