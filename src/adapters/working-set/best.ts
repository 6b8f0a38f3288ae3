/** The places of the `limit` highest scores that fit, best first; `isBefore` orders two of one score. */
export function best(
  scores: Float32Array,
  limit: number,
  { fits, isBefore }: { fits(place: number): boolean; isBefore(one: number, other: number): boolean },
): number[] {
  const found: number[] = [];
  const beats = (one: number, other: number) =>
    scores[one]! > scores[other]! || (scores[one] === scores[other] && isBefore(one, other));
  for (let place = 0; place < scores.length; place++) {
    if (found.length === limit && !beats(place, found.at(-1)!)) continue;
    if (!fits(place)) continue;
    let at = found.length;
    while (at > 0 && beats(place, found[at - 1]!)) at -= 1;
    found.splice(at, 0, place);
    if (found.length > limit) found.pop();
  }
  return found;
}

/** The `limit` highest scores by place, best first; in the order of the ids where scores are equal. */
export function bestMatches(
  scores: ReadonlyMap<number, number>,
  limit: number,
  idOf: (place: number) => string,
): [place: number, score: number][] {
  const least = Float64Array.from(scores.values()).toSorted().at(-limit) ?? 0; // of most only this is looked at
  return [...scores]
    .filter(([, score]) => score >= least)
    .toSorted(([one, first], [other, second]) => second - first || (idOf(one) < idOf(other) ? -1 : 1))
    .slice(0, limit);
}
