/** Ids of one filter. */
export const maxIdsPerRequest = 500;

export function* chunk<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}
