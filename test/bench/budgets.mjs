/** What must hold on an ordinary machine, in milliseconds. `npm run bench` fails when one is broken. */
export const budgets = {
  /** One turn of some thirty words, from the call that submits it until it is retrievable. */
  ingest: { p95: 50 },
  /** A fetch of a user with 10,000 memories, p95, by how many callers ask at once. */
  of10_000: { fast: { 1: 40 } },
  /** The same of a user with 1,000 among 100,000; in `accurate` a model judges the memories that rank first (decision 62). */
  of1_000: { fast: { 1: 60, 8: 150 }, accurate: { 1: 120, 8: 450 } },
  /**
   * A fetch beside the bare store, times its p50, by how many callers. What a model judges has no likeness there. One caller
   * of a small user pays for the embedding of the question, which the bare store lacks.
   */
  besideBare: { fast: { 1: 2.5, 8: 2 } },
};
