import { tokensOf } from '../language/tokens.ts';
import { bm25 } from './candidate-generation.ts';
import type { Candidate, LexicalScore } from './candidate.ts';
import { stemFinder, type StemFinder, type StemSet } from './find-stems.ts';
import type { AnalysedQuery } from './query.ts';
import { TurnScores } from './turn-scores.ts';
import { Wording, wordingOf } from './wording.ts';

/** A candidate with what its text shows. */
export interface Reading {
  readonly candidate: Candidate;
  readonly wording: Wording;
  readonly stems: StemSet;
  readonly isAssistant: boolean;
  readonly isNamed: boolean;
  /** How many of the query's names it holds, as a share. */
  readonly names: number;
}

/** The candidates of one query, and what they are measured against. */
export interface Pool {
  readonly query: AnalysedQuery;
  readonly readings: readonly Reading[];
  /** Of each turn: BM25, cosine, whether it asks something (0 or 1). */
  readonly words: TurnScores;
  readonly meanings: TurnScores;
  readonly asking: TurnScores;
  readonly sessionWords: ReadonlyMap<string, number>;
  readonly sessionMeanings: ReadonlyMap<string, number>;
  readonly sessionTops: ReadonlyMap<string, number>;
  /** Shares of the query's idf found in the turn with its neighbours to 2, and in the document. */
  windowShare(documentId: string, turn: number): number;
  sessionShare(documentId: string): number;
  share(stems: StemSet): number;
  readonly anyNamed: boolean;
  /** Documents in which an assistant speaks. */
  readonly assisted: ReadonlySet<string>;
  readonly best: {
    words: number;
    window: number;
    meaning: number;
    sessionWords: number;
    sessionMeaning: number;
    instruction: number;
    preference: number;
  };
  /** The highest BM25 the query allows: a memory repeating each of its terms for ever. */
  readonly ceiling: number;
  /** When the oldest candidate was said and how much later the newest, in milliseconds. */
  readonly first: number;
  readonly span: number;
}

/** How far a window reaches to either side, in turns. */
export const reach = 2;
/** The best turns that speak for their session. */
const spokesmen = 3;

export function poolOf(query: AnalysedQuery, candidates: readonly Candidate[], lexical: readonly LexicalScore[]): Pool {
  const finder = stemFinder(query.idf);
  const readings = readAll(query, candidates, finder.find);
  const [words, meanings, asking] = [new TurnScores(), new TurnScores(), new TurnScores()];
  const [turnStems, sessionStems] = [new Map<string, Map<number, StemSet>>(), new Map<string, StemSet>()];
  for (const { documentId, turn, bm25: score } of lexical) words.add(documentId, turn, score);
  for (const { candidate, wording, stems } of readings) {
    const { documentId, turn } = candidate;
    words.add(documentId, turn, candidate.bm25);
    meanings.add(documentId, turn, candidate.cosine);
    if (wording.asks) asking.add(documentId, turn, 1);
    let turns = turnStems.get(documentId);
    if (!turns) turnStems.set(documentId, (turns = new Map()));
    for (let at = turn - reach; at <= turn + reach; at++) turns.set(at, (turns.get(at) ?? 0) | stems);
    sessionStems.set(documentId, (sessionStems.get(documentId) ?? 0) | stems);
  }
  const [sessionWords, sessionMeanings] = [words.sessions(spokesmen), meanings.sessions(spokesmen)];
  const own = readings.filter(({ isAssistant }) => !isAssistant);
  const times = candidates.map(({ at }) => at.getTime());
  const first = times.reduce((one, other) => Math.min(one, other), Infinity);
  return {
    query,
    readings,
    words,
    meanings,
    asking,
    sessionWords,
    sessionMeanings,
    sessionTops: meanings.sessions(1),
    windowShare: (documentId, turn) => finder.share(turnStems.get(documentId)?.get(turn) ?? 0),
    sessionShare: (documentId) => finder.share(sessionStems.get(documentId) ?? 0),
    share: finder.share,
    anyNamed: readings.some(({ isNamed }) => isNamed),
    assisted: assistedDocuments(candidates),
    best: {
      words: bestOf(candidates.map((candidate) => candidate.bm25)),
      window: bestOf(candidates.map(({ documentId, turn }) => words.window(documentId, turn, reach))),
      meaning: bestOf(candidates.map(({ cosine }) => cosine)),
      sessionWords: bestOf(sessionWords.values()),
      sessionMeaning: bestOf(sessionMeanings.values()),
      instruction: bestOf(own.map(({ wording, candidate }) => (wording.instructs ? candidate.cosine : 0))),
      preference: bestOf(own.map(({ wording, candidate }) => (wording.prefers ? candidate.cosine : 0))),
    },
    ceiling: (bm25.k1 + 1) * [...query.idf.values()].reduce((sum, idf) => sum + idf, 0),
    first,
    span: times.reduce((one, other) => Math.max(one, other), first) - first,
  };
}

function readAll(query: AnalysedQuery, candidates: readonly Candidate[], find: StemFinder['find']): Reading[] {
  const speakers = new Map<string, { isNamed: boolean; wording: Wording }>();
  const readSpeaker = (text: string) => {
    let known = speakers.get(text);
    if (!known) {
      const isNamed = tokensOf(text).some((token) => query.tokens.has(token));
      speakers.set(text, (known = { isNamed, wording: new Wording({ text, role: 'user' }) }));
    }
    return known;
  };
  return candidates.map((candidate) => {
    const { text, role } = candidate;
    const wording = wordingOf(candidate.row ?? candidate);
    const name = candidate.speaker ?? '';
    const speaker = name ? readSpeaker(name) : null;
    const isAccented = wording.isAccented || (speaker?.wording.isAccented ?? false); // both are read alike
    const ofSpeaker = speaker ? find(name, { isAccented, hasThousands: speaker.wording.hasThousands }) : 0;
    const spoken = () => `${name} ${text}`.toLowerCase();
    return {
      candidate,
      wording,
      stems: find(text, { isAccented, hasThousands: wording.hasThousands }) | ofSpeaker,
      isAssistant: role === 'assistant',
      isNamed: speaker?.isNamed ?? false,
      names: query.names.length > 0 ? shareWithin(spoken(), query.names) : 0,
    };
  });
}

const shareWithin = (text: string, words: readonly string[]): number =>
  words.filter((word) => text.includes(word)).length / words.length;

/** A document of which only scattered turns are candidates may hide its assistant: it is taken for what the others are. */
function assistedDocuments(candidates: readonly Candidate[]): Set<string> {
  const assisted = new Set(candidates.flatMap(({ role, documentId }) => (role === 'assistant' ? documentId : [])));
  if (assisted.size === 0) return assisted;
  const turns = new Set(candidates.map(({ documentId, turn }) => `${documentId}/${turn}`));
  const isDense = ({ documentId, turn }: Candidate): boolean => turns.has(`${documentId}/${turn + 1}`);
  const dense = new Set(candidates.filter(isDense).map(({ documentId }) => documentId));
  for (const { documentId } of candidates) if (!dense.has(documentId)) assisted.add(documentId);
  return assisted;
}

/** Of none: 0. */
function bestOf(values: Iterable<number>): number {
  let best = 0;
  for (const value of values) if (value > best) best = value;
  return best;
}
