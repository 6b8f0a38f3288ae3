/** Milliseconds that the work takes. */
export async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** `count` runs of `work`, by so many callers, each of which waits for its answer before it asks again. */
export async function timedBy(callers, count, work) {
  const times = [];
  let begun = 0;
  const call = async () => {
    while (begun < count) {
      begun += 1;
      times.push(await timed(work));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return times;
}

/** Nearest rank: the least time that this share of the runs did not exceed. */
export function percentile(times, share) {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
