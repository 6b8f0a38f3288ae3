/**
 * One list from the answers of several queries, at most `limit` long: the best of each query in turn, so that each is
 * answered however their scores compare. What more than one query found stands where it was first due.
 */
export function fuse<Item extends { readonly id: string }>(
  answers: readonly (readonly Item[])[],
  limit: number,
): Item[] {
  const taken = new Map<string, Item>();
  const longest = Math.max(0, ...answers.map((answer) => answer.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const answer of answers) {
      const item = answer[rank];
      if (item && taken.size < limit && !taken.has(item.id)) taken.set(item.id, item);
    }
  }
  return [...taken.values()];
}
