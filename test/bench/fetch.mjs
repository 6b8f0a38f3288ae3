import { timedBy } from './measure.mjs';

const wanted = 10;

/** One fetch of ten memories, with a question nobody asked before: no cache can know it. */
export const fetcher =
  (client, writer, { userId, mode }) =>
  async () => {
    const body = { search_queries: [writer.question()], user_id: userId, mode, max_results: wanted };
    const { memories, warnings } = await client.post('/v1/context/fetch', body);
    // Repetitions are left out of an answer, so it may be shorter than wanted; half as long, and something else is wrong.
    if (memories.length < wanted / 2) throw new Error(`a fetch answered ${memories.length} memories of ${wanted}`);
    if (warnings.length > 0) throw new Error(`a fetch warned: ${warnings.join('; ')}`);
  };

/**
 * Runs each work its `count` of times, in `rounds` that take turns: what else the machine does meets all alike, so that
 * their ratios hold. Returns the times of each.
 */
export async function takeTurns(works, { callers, rounds, warmUps }) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, []]));
  for (const { run } of Object.values(works)) await timedBy(callers, warmUps, run);
  for (let round = 0; round < rounds; round++) {
    for (const [name, { run, count }] of Object.entries(works)) {
      times[name].push(...(await timedBy(callers, Math.ceil(count / rounds), run)));
    }
  }
  return times;
}
