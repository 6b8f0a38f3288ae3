/** What must hold. `npm run bench:streams` fails when one is broken. */
export const budgets = {
  /** Milliseconds that the p99 from a signal to its bundle may lie above a bare echo of the same payload. */
  aboveEchoP99Ms: 10,
  /** Messages a second that are pushed, to those of a bare server stream of the same payload; at least. */
  fanOut: 0.7,
  /** Memory of the service at the end, to that after the first fifth of the time; at most. */
  growth: 1.15,
  /** Milliseconds that the slowest answer to a ping may take while thousands of streams talk. */
  starvedAfterMs: 10_000,
};
