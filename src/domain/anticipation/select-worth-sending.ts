import { countTokens } from '../language/count-tokens.ts';

/** A memory with what is needed to decide whether it is worth sending. */
export interface BundleCandidate {
  readonly content: string;
  /** That it is needed. */
  readonly score: number;
}

export interface BundleLimits {
  readonly memories: number;
  readonly tokens: number;
}

/**
 * How many tokens a needed memory is worth: a memory is sent when probability × worth is above what it costs. A
 * judgement, not a measurement: so much that it keeps out only what is both long and improbable, such as 120 tokens at
 * less than one in a hundred.
 */
const worth = 12_000;

/**
 * Selects the memories worth sending, best first: their expected value is above their cost, and they fit the limits.
 * One that does not fit makes room for smaller ones behind it.
 */
export function selectWorthSending<Item extends BundleCandidate>(
  offers: readonly Item[],
  limits: BundleLimits,
): { sent: (Item & { readonly tokens: number })[]; tokens: number } {
  const sent: (Item & { readonly tokens: number })[] = [];
  let tokens = 0;
  for (const offer of offers) {
    if (sent.length === limits.memories) break;
    const cost = countTokens(offer.content);
    if (offer.score * worth < cost || tokens + cost > limits.tokens) continue;
    sent.push({ ...offer, tokens: cost });
    tokens += cost;
  }
  return { sent, tokens };
}
