/** The items, best first, that fit the budget together; one that does not fit makes room for smaller ones behind it. */
export function pack<Item extends { readonly content: string }>(
  items: readonly Item[],
  budget: number,
  countTokens: (text: string) => number,
): { packed: Item[]; totalTokens: number; exceeded: boolean } {
  const packed: Item[] = [];
  let totalTokens = 0;
  for (const item of items) {
    const tokens = countTokens(item.content);
    if (totalTokens + tokens > budget) continue;
    packed.push(item);
    totalTokens += tokens;
  }
  return { packed, totalTokens, exceeded: packed.length < items.length };
}
