import { countStems, stemsOf } from '../language/stems.ts';

/** The sentences that have a stem, with its weight in each. */
interface Posting {
  readonly sentences: number[];
  readonly weights: number[];
}

/** Sentences as vectors of weighted stems, each of length 1. */
export type SentenceVectors = readonly (readonly (readonly [Posting, number])[])[];

/** Stems in more sentences than this are ignored: they distinguish nothing and cost quadratic time. */
const commonIn = { share: 0.05, min: 25 };

/** idf-weighted vectors (Erkan and Radev, "LexRank", 2004, section 3). */
export function sentenceVectorsOf(texts: readonly string[]): SentenceVectors {
  const counts = texts.map((text) => countStems(stemsOf(text)));
  const frequency = new Map<string, number>();
  for (const stems of counts) for (const stem of stems.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const tooCommon = Math.max(commonIn.min, texts.length * commonIn.share);
  const postings = new Map<string, Posting>();
  const postingOf = (stem: string): Posting => {
    const existing = postings.get(stem) ?? { sentences: [], weights: [] };
    postings.set(stem, existing);
    return existing;
  };
  return counts.map((stems, n) => {
    const weighted = [...stems].flatMap(([stem, count]): [string, number][] => {
      const df = frequency.get(stem)!;
      return df > tooCommon ? [] : [[stem, count * Math.log(1 + texts.length / df)]];
    });
    const length = Math.hypot(...weighted.map(([, weight]) => weight)) || 1;
    return weighted.map(([stem, weight]): [Posting, number] => {
      const posting = postingOf(stem);
      posting.sentences.push(n);
      posting.weights.push(weight / length);
      return [posting, weight / length];
    });
  });
}

/** The cosines of a sentence with those that share a stem with it, itself among them. */
function cosineSimilaritiesOf(vectors: SentenceVectors, n: number): [number, number][] {
  const cosines = new Float64Array(vectors.length);
  const met: number[] = [];
  for (const [{ sentences, weights }, weight] of vectors[n]!) {
    for (let at = 0; at < sentences.length; at++) {
      const other = sentences[at]!;
      if (cosines[other] === 0) met.push(other);
      cosines[other]! += weight * weights[at]!;
    }
  }
  return met.map((other) => [other, cosines[other]!]);
}

/** Sentences less alike than this are no neighbours. */
const alike = 0.1;
const damping = 0.85;
const rounds = 15;

/** The LexRank centrality of each sentence among all: 0 to 1, the most central one 1. */
export function lexRankCentralityOf(sentences: SentenceVectors): number[] {
  const count = sentences.length;
  const neighbours = sentences.map((_, n) => {
    const near = cosineSimilaritiesOf(sentences, n).filter(([other, cosine]) => other !== n && cosine >= alike);
    const total = near.reduce((sum, [, cosine]) => sum + cosine, 0);
    return near.map(([other, cosine]): [number, number] => [other, cosine / total]);
  });
  let ranks = new Float64Array(count).fill(1);
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(count).fill(1 - damping);
    for (let n = 0; n < count; n++)
      for (const [other, share] of neighbours[n]!) next[other]! += damping * share * ranks[n]!;
    ranks = next;
  }
  const max = ranks.reduce((best, rank) => Math.max(best, rank), Number.MIN_VALUE);
  return Array.from(ranks, (rank) => rank / max);
}
