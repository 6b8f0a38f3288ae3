/** The items in their order, `size` at a time. */
export function* chunksOf<Item>(items: readonly Item[], size: number): Generator<Item[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
