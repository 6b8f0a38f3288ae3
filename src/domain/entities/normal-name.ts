/** Names are one when they differ in case, accents, blanks or a possessive only. */
export function normalName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/['’]s$/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** Marks a role. No name begins with it, so that a role is never taken for a name that sounds like it. */
const roleMark = '\u0001';

/** The normal form of what a person is to somebody: of a speaker, or of the user (`#` and their owner). */
export const roleName = (role: string, owner: string, within = ''): string =>
  `${roleMark}${role} of ${owner}${within && ` in ${within}`}`;

export const isRoleName = (normal: string): boolean => normal.startsWith(roleMark);
