import { groupBy } from '../flow/group-by.ts';
import { spansOverlap, type TextSpan } from '../language/text-span.ts';
import type { CompactionTurn, PinKind, SpanMemory } from './compaction.ts';

/** Words of a turn, by their place in its content: where they begin, and where they end. */
export interface TurnSpan extends Readonly<TextSpan> {
  readonly turn: CompactionTurn;
}

/** Words of a turn that state a memory. */
export interface MemoryQuoteSpan extends TurnSpan {
  readonly memory: SpanMemory;
}

/** Words to be kept, before those that overlap are one. */
export interface PinnedSpan extends TurnSpan {
  readonly kind: PinKind;
  readonly memoryId: string | null;
  /** The question that the words answer, without which they say nothing. */
  readonly asked: { readonly text: string; readonly turns: readonly number[] } | null;
}

/** Pins words that no memory was made of. */
export const pinSpan = ({ turn, start, end }: TurnSpan, kind: PinKind): PinnedSpan => ({
  turn,
  start,
  end,
  kind,
  memoryId: null,
  asked: null,
});

export const spanText = ({ turn, start, end }: TurnSpan): string => turn.content.slice(start, end);

export const containsSpan = (outer: TurnSpan, inner: TurnSpan): boolean =>
  outer.start <= inner.start && inner.end <= outer.end;

/** Fewer words than these say nothing by themselves. */
const fewestWords = 3;
export const saysSomething = (words: string): boolean => words.split(/\s+/u).length >= fewestWords;

/** Finds the spans that overlap another, in the order in which they were given. */
export type OverlapLookup<S extends TurnSpan> = (span: TurnSpan) => readonly S[];

export function lookUpOverlaps<S extends TurnSpan>(spans: readonly S[]): OverlapLookup<S> {
  const byTurn = groupBy(spans, ({ turn }) => turn.n);
  return (span) => (byTurn.get(span.turn.n) ?? []).filter((other) => spansOverlap(span, other));
}

const edges = /^[\s\p{P}]*(?:(?:and|but|so|because|that|y|pero)\s+)?|(?:[,;]?\s(?:and|but|y|pero))?[\s,;:–—-]+$/giu;

/** Cuts overlapping spans out of a span. Returns each part that still says something, without edge conjunctions. */
export function subtractSpans(span: TurnSpan, overlapping: readonly TurnSpan[]): TurnSpan[] {
  if (!overlapping.length) return [span];
  const remaining: TurnSpan[] = [];
  let from = span.start;
  const cut = overlapping.toSorted((one, other) => one.start - other.start);
  for (const { start, end } of [...cut, { start: span.end, end: span.end }]) {
    if (start > from) remaining.push(...trimmedPart({ ...span, start: from, end: start }));
    from = Math.max(from, end);
  }
  return remaining;
}

function trimmedPart(span: TurnSpan): TurnSpan[] {
  const words = spanText(span);
  const trimmed = words.replaceAll(edges, '');
  if (!saysSomething(trimmed)) return [];
  const start = span.start + words.indexOf(trimmed);
  return [{ ...span, start, end: start + trimmed.length }];
}

const clauseEnd = /(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|which|because)\s)/gu;

/** The clauses of a sentence. */
export function clauseSpansOf(sentence: TurnSpan): TurnSpan[] {
  const { turn, start, end } = sentence;
  const clauses: TurnSpan[] = [];
  let from = start;
  for (const { index, 0: blank } of spanText(sentence).matchAll(clauseEnd)) {
    clauses.push({ turn, start: from, end: start + index });
    from = start + index + blank.length;
  }
  return [...clauses, { turn, start: from, end }];
}
