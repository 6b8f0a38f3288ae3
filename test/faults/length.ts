/** `npm run proof` runs the faults at full length; `npm run test:processes` runs short ones of the same seeds. */
export const isProof = process.env['PROOF'] === 'full';

/** What a run does at full length, and in `npm run test:processes`. */
export const lengthOf = <T>(full: T, short: T): T => (isProof ? full : short);

/** Where randomness starts: the same seed is the same run. */
export const seed = Number(process.env['PROOF_SEED'] ?? 20_261_122);

/** Counts for people who read the output. */
export function tell(what: string, counts: object): void {
  const told = Object.entries(counts).map(([name, count]) => `${name} ${String(count)}`);
  process.stdout.write(`${what}: ${told.join(', ')}\n`);
}
