import { bm25, candidateLimits } from './candidate-generation.ts';
import type { Candidate, LexicalScore } from './candidate.ts';
import { createStemFinder, type StemFinder, type StemSet } from './find-stems.ts';
import { readWording, cachedWordingOf, type TextWording } from './wording.ts';

/** A candidate with what its text shows. */
export interface MeasuredCandidate {
  readonly candidate: Candidate;
  /** The stems of the query that it or its speaker's name has. */
  readonly stems: StemSet;
  readonly asks: boolean;
  readonly isBareQuestion: boolean;
}

/** The candidates of one query, and what they are measured against. Shares are 0 to 1. */
export interface CandidatePool {
  readonly readings: readonly MeasuredCandidate[];
  /** A BM25 relative to the highest that the query allows. */
  relativeBm25(score: number): number;
  /** The share of the query's idf that these stems have. */
  share(stems: StemSet): number;
  /** The share found in the turn and its neighbours, `candidateLimits.reach` to either side. */
  shareAround(documentId: string, turn: number): number;
  /** The BM25 of the turn before where it asks something, relative in the same way. */
  askedBefore(documentId: string, turn: number): number;
  /** The place of a time among those of the candidates: 0 is the earliest, 1 the latest; 0 where there is one. */
  recency(at: Date): number;
}

export function createCandidatePool(
  query: ReadonlyMap<string, number>,
  candidates: readonly Candidate[],
  lexical: readonly LexicalScore[],
): CandidatePool {
  const finder = createStemFinder(query);
  const readings = readAll(candidates, finder.find);
  // A memory that repeats each term of the query for ever has this BM25.
  const ceiling = (bm25.k1 + 1) * [...query.values()].reduce((sum, idf) => sum + idf, 0);
  const relativeBm25 = (score: number) => (ceiling > 0 ? score / ceiling : 0);
  const stemsAround = new TurnValues<StemSet>((one, other) => one | other);
  const questions = new Set<string>();
  const words = new TurnValues<number>(Math.max);
  for (const { documentId, turn, bm25: score } of lexical) words.add(documentId, turn, score);
  for (const { candidate, stems, asks } of readings) {
    const { documentId, turn } = candidate.row;
    if (asks) questions.add(`${documentId}/${turn}`);
    for (let at = turn - candidateLimits.reach; at <= turn + candidateLimits.reach; at++)
      stemsAround.add(documentId, at, stems);
  }
  const times = [...new Set(candidates.map(({ row }) => row.at.getTime()))].toSorted((one, other) => one - other);
  const placeOf = new Map(times.map((time, n) => [time, n / Math.max(1, times.length - 1)]));
  return {
    readings,
    relativeBm25,
    share: finder.share,
    shareAround: (documentId, turn) => finder.share(stemsAround.at(documentId, turn)),
    askedBefore: (documentId, turn) =>
      questions.has(`${documentId}/${turn - 1}`) ? relativeBm25(words.at(documentId, turn - 1)) : 0,
    recency: (at) => placeOf.get(at.getTime()) ?? 0,
  };
}

function readAll(candidates: readonly Candidate[], find: StemFinder['find']): MeasuredCandidate[] {
  const speakers = new Map<string, { readonly wording: TextWording; readonly stems: StemSet }>();
  const readSpeaker = (name: string) => {
    let existing = speakers.get(name);
    if (!existing) {
      const wording = readWording(name);
      speakers.set(name, (existing = { wording, stems: find(name, wording) }));
    }
    return existing;
  };
  return candidates.map((candidate) => {
    const { row } = candidate;
    const wording = cachedWordingOf(row);
    const speaker = row.speaker ? readSpeaker(row.speaker) : null;
    return {
      candidate,
      stems: find(row.text, wording) | (speaker?.stems ?? 0),
      asks: wording.asks,
      isBareQuestion: wording.isBareQuestion,
    };
  });
}

/** One number for each turn of each document; 0 where nothing is known. */
class TurnValues<Value extends number> {
  readonly #documents = new Map<string, Map<number, number>>();
  readonly #join: (one: number, other: number) => number;

  constructor(join: (one: number, other: number) => number) {
    this.#join = join;
  }

  add(documentId: string, turn: number, value: Value): void {
    let turns = this.#documents.get(documentId);
    if (!turns) this.#documents.set(documentId, (turns = new Map()));
    turns.set(turn, this.#join(turns.get(turn) ?? 0, value));
  }

  at(documentId: string, turn: number): number {
    return this.#documents.get(documentId)?.get(turn) ?? 0;
  }
}
