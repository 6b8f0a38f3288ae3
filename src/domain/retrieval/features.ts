import { reach, type Pool, type Reading } from './pool.ts';

const bit = (value: boolean): number => (value ? 1 : 0);
const share = (value: number, whole: number): number => (whole > 0 ? value / whole : 0);

/**
 * What speaks for a candidate or against it, each near 0 to 1. Which were worth having was measured on
 * development data by `scripts/train-reranker.mjs`, which also writes their weights; a new one needs a new run.
 */
export const features = {
  // Its words.
  words: ({ candidate }, pool) => share(candidate.bm25, pool.ceiling),
  wordsOfBest: ({ candidate }, pool) => share(candidate.bm25, pool.best.words),
  covered: ({ stems }, pool) => pool.share(stems),
  coveredMeaning: ({ stems, candidate }, pool) => pool.share(stems) * candidate.cosine,
  names: ({ names }) => names,
  // The words around it: an answer stands beside its question and need not repeat it.
  wordsBefore: ({ candidate }, pool) => share(pool.words.at(candidate.documentId, candidate.turn - 1), pool.ceiling),
  wordsAfter: ({ candidate }, pool) => share(pool.words.at(candidate.documentId, candidate.turn + 1), pool.ceiling),
  wordsOfQuestionBefore: ({ candidate: { documentId, turn } }, pool) =>
    share(pool.words.at(documentId, turn - 1), pool.ceiling) * pool.asking.at(documentId, turn - 1),
  wordsWindow: ({ candidate }, pool) =>
    share(pool.words.window(candidate.documentId, candidate.turn, reach), pool.best.window),
  wordsSession: ({ candidate }, pool) =>
    share(pool.sessionWords.get(candidate.documentId) ?? 0, pool.best.sessionWords),
  coveredWindow: ({ candidate }, pool) => pool.windowShare(candidate.documentId, candidate.turn),
  coveredSession: ({ candidate }, pool) => pool.sessionShare(candidate.documentId),
  // Its meaning, and the meaning around it.
  meaning: ({ candidate }) => candidate.cosine,
  meaningBelowBest: ({ candidate }, pool) => candidate.cosine - pool.best.meaning,
  meaningBefore: ({ candidate }, pool) => pool.meanings.at(candidate.documentId, candidate.turn - 1),
  meaningAfter: ({ candidate }, pool) => pool.meanings.at(candidate.documentId, candidate.turn + 1),
  meaningTwoAfter: ({ candidate }, pool) => pool.meanings.at(candidate.documentId, candidate.turn + 2),
  meaningSession: ({ candidate }, pool) =>
    (pool.sessionMeanings.get(candidate.documentId) ?? 0) - pool.best.sessionMeaning,
  meaningSessionTop: ({ candidate }, pool) => (pool.sessionTops.get(candidate.documentId) ?? 0) - pool.best.meaning,
  // Who said it.
  assistant: ({ isAssistant }) => bit(isAssistant),
  assistantWhenAsked: ({ isAssistant }, { query }) => bit(isAssistant && query.traits.asksAssistant),
  assistantForSummary: ({ isAssistant }, { query }) => bit(isAssistant && query.traits.asksSummary),
  named: ({ isNamed }) => bit(isNamed),
  otherNamed: ({ isNamed }, { anyNamed }) => bit(anyNamed && !isNamed),
  // How it is said, and what the question asks for.
  asks: ({ wording }) => bit(wording.asks),
  replies: ({ wording }) => bit(wording.replies),
  datesWhenAsked: ({ wording }, { query }) => bit(query.traits.asksWhen && wording.dates),
  numbersWhenAsked: ({ wording }, { query }) => bit(query.traits.asksHowMany && wording.numbers),
  deniesWhenAsked: ({ wording }, { query }) => bit(query.traits.asksWhether && wording.denies),
  instructs: ({ wording }) => bit(wording.instructs),
  instructsWhenRecalled: ({ wording }, { query }) => bit(wording.instructs && query.traits.recalls),
  instructsMeaning: ({ wording, candidate }, { best }) => (wording.instructs ? candidate.cosine - best.instruction : 0),
  prefers: ({ wording }) => bit(wording.prefers),
  prefersWhenRecalled: ({ wording }, { query }) => bit(wording.prefers && query.traits.recalls),
  prefersForAdvice: ({ wording }, { query }) => bit(wording.prefers && query.traits.wantsAdvice),
  prefersMeaning: ({ wording, candidate }, { best }) => (wording.prefers ? candidate.cosine - best.preference : 0),
  // What it is, and where.
  typed: ({ candidate }) => bit(candidate.type !== 'episodes'),
  eventWhenAsked: ({ candidate }, { query }) => bit(candidate.type === 'temporal_events' && query.traits.asksWhen),
  saidThen: ({ candidate }, { query }) => query.saidThen(candidate.at),
  length: ({ candidate }) => Math.log(1 + candidate.text.length) / 7,
  opening: ({ candidate }) => bit(candidate.turn < 2),
  laterPassage: ({ candidate }) => bit(candidate.passage > 0),
  recent: ({ candidate }, pool) => share(candidate.at.getTime() - pool.first, pool.span),
} satisfies Record<string, (reading: Reading, pool: Pool) => number>;

export type FeatureName = keyof typeof features;

export const featureNames = Object.keys(features) as FeatureName[];

const evaluate = Object.values(features) as ((reading: Reading, pool: Pool) => number)[];

/** The features of one candidate, in the order of `featureNames`. */
export const featuresOf = (reading: Reading, pool: Pool): number[] => evaluate.map((feature) => feature(reading, pool));
