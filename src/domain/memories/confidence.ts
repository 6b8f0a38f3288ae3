import { isTrustedProvenance, type Provenance } from '../extraction/provenance.ts';

/** Evidence of a memory, as far as it makes it surer. */
export interface WeightedEvidence {
  readonly confidence: number;
  readonly provenance: Provenance;
}

/**
 * The confidence of a memory, by its evidence in the order in which it came. The first counts, and whatever a trusted
 * source says again. What tools, documents and assistants repeat may be an echo: it makes nothing surer, however often
 * it comes.
 */
export const confidenceOf = (evidence: readonly WeightedEvidence[]): number =>
  combineConfidences(
    evidence
      .filter(({ provenance }, n) => n === 0 || isTrustedProvenance(provenance))
      .map(({ confidence }) => confidence),
  );

/**
 * The confidence of a memory that several documents state, 0 to 1: noisy-or (Pearl, 1988) of the confidences of each,
 * where every further one counts half as much as the one before. Repetitions of one person are no independent
 * witnesses, for which plain noisy-or takes them (Downey, Etzioni and Soderland, 2005): so a doubtful rule never
 * becomes certain by being right about the same words again. It depends on what is there and not on its order, so what
 * is forgotten leaves.
 */
function combineConfidences(confidences: readonly number[]): number {
  const doubt = confidences
    .toSorted((one, other) => other - one)
    .reduce((remaining, confidence, n) => remaining * (1 - confidence / 2 ** n), 1);
  return 1 - doubt;
}
