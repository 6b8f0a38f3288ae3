import { countStems, stemsOf } from '../language/stems.ts';
import { unindexedWords } from '../language/stop-words.ts';
import { tokensOf } from '../language/tokens.ts';
import { namedTime } from './named-time.ts';

/** What a question asks for, read from its words (English: elsewhere nothing is asked for, and nothing switched on). */
export interface QueryTraits {
  /** When, what date, how long ago, how many days. */
  readonly asksWhen: boolean;
  readonly asksHowMany: boolean;
  readonly asksSummary: boolean;
  /** Whether something ever happened: both the claim and its denial are evidence. */
  readonly asksWhether: boolean;
  /** How to do something, or what is advisable: a standing instruction or preference may govern the answer. */
  readonly wantsAdvice: boolean;
  /** What the assistant said, not what the user said. */
  readonly asksAssistant: boolean;
  /** What was said or done, as against what is advisable: standing instructions have no say in it. */
  readonly recalls: boolean;
}

export interface AnalysedQuery {
  readonly text: string;
  readonly tokens: ReadonlySet<string>;
  /** How often each stem occurs in the query. */
  readonly stems: ReadonlyMap<string, number>;
  /** The capitalised words in it, in lower case: mostly names. */
  readonly names: readonly string[];
  readonly traits: QueryTraits;
  /** Inverse document frequency of each stem, in the memories the caller may read. */
  readonly idf: ReadonlyMap<string, number>;
  /** 1 for a time in a month that the question names, else 0. */
  readonly saidThen: (at: Date) => number;
}

/** How common the stems of a query are: `documentFrequency` memories of `total` have the stem. */
export interface TermStatistics {
  readonly total: number;
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** Robertson-Spärck Jones idf with Lucene's +1, which keeps it positive. */
export function inverseDocumentFrequency(documentFrequency: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - documentFrequency) + 0.5) / (documentFrequency + 0.5));
}

/** The weight of each stem: the rarer, the more it says. */
export const idfOf = (
  stems: ReadonlyMap<string, number>,
  { total, documentFrequency }: TermStatistics,
): Map<string, number> =>
  new Map([...stems.keys()].map((stem) => [stem, inverseDocumentFrequency(documentFrequency.get(stem) ?? 0, total)]));

/** The stems to count before a query can be analysed: the same keys `analyseQuery` weighs. */
export const queryStems = (text: string): ReadonlyMap<string, number> => countStems(stemsOf(text));

export function analyseQuery(text: string, statistics: TermStatistics): AnalysedQuery {
  const stems = queryStems(text);
  const idf = idfOf(stems, statistics);
  const [tokens, names, traits] = [new Set(tokensOf(text)), namesIn(text), traitsOf(text)];
  return { text, tokens, stems, names, traits, idf, saidThen: namedTime(text) };
}

/** The first word has its capital from its place. */
function namesIn(text: string): string[] {
  const words = [...text.replace(/^\P{L}*\p{L}+/u, '').matchAll(/(?<!\p{L})\p{Lu}\p{L}+/gu)];
  return [...new Set(words.map(([word]) => word.toLowerCase()).filter((word) => !unindexedWords.has(word)))];
}

function traitsOf(text: string): QueryTraits {
  const has = (pattern: RegExp): boolean => pattern.test(text);
  return {
    asksWhen: has(
      /\bwhen\b|\b(what|which) (date|day|month|year|time)\b|\bhow (long|many (days|weeks|months|years))\b/i,
    ),
    asksHowMany: has(/\bhow (many|much|often)\b/i),
    asksSummary: has(/\bsummar|\boverview\b|\brecap\b/i),
    asksWhether: has(/^\W*(have|has|had|did|do|does|is|are|was|were|am)\b/i),
    wantsAdvice: has(
      /\b(how (should|can|do|would|could) (i|we)|what should|can you (help|show|suggest|recommend|explain)|could you|suggest|recommend|what (are|is) (some|the|a)\b)/i,
    ),
    asksAssistant: has(
      /\b(did you|you (recommend|suggest|advise|said|say|mention|explain|told)|your (advice|suggestion|recommendation)s?)\b/i,
    ),
    recalls: has(
      /\b(did|have|had|has|was|were) (i|you|we|my|he|she|they)\b|\b(i|you|we) (\w+ )?(said|mentioned|told|discussed|brought up|decided|chose)\b/i,
    ),
  };
}
