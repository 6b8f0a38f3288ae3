/** Ids of one filter. */
export const namedAtOnce = 500;

export function* slices<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}
