/** The log-odds of a probability, bounded at one in ten thousand to either side: no model can be surer than that. */
export function logit(probability: number): number {
  const p = Math.min(1 - 1e-4, Math.max(1e-4, probability));
  return Math.log(p / (1 - p));
}

/** The probability of log-odds. */
export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));
