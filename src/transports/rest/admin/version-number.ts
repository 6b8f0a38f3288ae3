import { parseVersionNumber } from '../../../domain/configurations/lifecycle.ts';
import { notFoundError } from '../../../domain/errors.ts';

/** The number of a version as a path or query has it: `2` or `2.0.0`. One that there cannot be is one that is not there. */
export function parseVersion(text: string): number {
  const number = parseVersionNumber(text);
  if (number === null) throw notFoundError('configuration version');
  return number;
}

export const parseOptionalVersion = (text: string | undefined) => (text === undefined ? undefined : parseVersion(text));
