/** The items, best first, that fit the budget together; one that does not fit makes room for smaller ones behind it. */
export function pack<Item extends { readonly tokens: number }>(
  items: readonly Item[],
  budget: number,
): { packed: Item[]; totalTokens: number; exceeded: boolean } {
  const packed: Item[] = [];
  let totalTokens = 0;
  for (const item of items) {
    if (totalTokens + item.tokens > budget) continue;
    packed.push(item);
    totalTokens += item.tokens;
  }
  return { packed, totalTokens, exceeded: packed.length < items.length };
}
