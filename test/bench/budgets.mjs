/** What must hold on an ordinary machine, in milliseconds. `npm run bench` fails when one is broken. */
export const budgets = {
  /** One turn of some thirty words, from the call that submits it until it is retrievable. */
  ingest: { p95: 50 },
  /** One user with 10,000 memories, one caller. */
  fast: { p95: 40 },
};
