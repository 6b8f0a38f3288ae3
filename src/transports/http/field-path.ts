/** How a caller spells the place of a value in what they sent: `document.turns[3].content`. */
export const fieldPathOf = (path: readonly PropertyKey[]): string =>
  path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at > 0 ? '.' : ''}${String(key)}`)).join('');
