/**
 * The words to keep: of all runs of words the one whose scores sum to most, where a score is above 0 for a word that is
 * rather kept. `tokens`: a score for each token, `words`: the place of its word.
 */
export function bestScoringSpan(
  tokens: Float32Array,
  words: readonly number[],
  count: number,
): [from: number, to: number] {
  const last = words.at(-1) ?? -1;
  const scores = Array.from({ length: last + 1 }, () => 0);
  const pieces = Array.from({ length: last + 1 }, () => 0);
  for (const [place, word] of words.entries()) {
    scores[word] = scores[word]! + tokens[place]!;
    pieces[word] = pieces[word]! + 1;
  }
  let best = { from: 0, to: count, sum: Number.NEGATIVE_INFINITY };
  let run = { from: 0, sum: 0 };
  for (let word = 0; word <= last; word++) {
    if (run.sum <= 0) run = { from: word, sum: 0 };
    run.sum += pieces[word] ? scores[word]! / pieces[word]! : 0;
    if (run.sum > best.sum) best = { from: run.from, to: word + 1, sum: run.sum };
  }
  // Words beyond the model's window go with those before them.
  return [best.from, best.to === last + 1 ? count : best.to];
}
