import { groupBy } from '../flow/group-by.ts';
import { spansOverlap, type TextSpan } from '../language/text-span.ts';
import type { CompactionTurn } from './compaction.ts';

/** Words of a turn, by their place in its content: where they begin, and where they end. */
export interface TurnSpan extends Readonly<TextSpan> {
  readonly turn: CompactionTurn;
}

export const spanText = ({ turn, start, end }: TurnSpan): string => turn.content.slice(start, end);

/** Fewer words than these say nothing by themselves. */
const fewestWords = 3;
export const saysSomething = (words: string): boolean => words.split(/\s+/u).length >= fewestWords;

const edges = /^[\s\p{P}]*(?:(?:and|but|so|because|that|y|pero)\s+)?|(?:[,;]?\s(?:and|but|y|pero))?[\s,;:–—-]+$/giu;

/** Cuts others out of a stretch: returns each part that still says something, without a conjunction at its edges. */
export function subtractSpans(stretch: TurnSpan, others: readonly TurnSpan[]): TurnSpan[] {
  const remaining: TurnSpan[] = [];
  let from = stretch.start;
  const cut = others.filter((other) => spansOverlap(stretch, other)).toSorted((one, other) => one.start - other.start);
  if (!cut.length) return [stretch];
  for (const { start, end } of [...cut, { start: stretch.end, end: stretch.end }]) {
    if (start > from) remaining.push(...trimmedPart({ ...stretch, start: from, end: start }));
    from = Math.max(from, end);
  }
  return remaining;
}

function trimmedPart(stretch: TurnSpan): TurnSpan[] {
  const words = spanText(stretch);
  const trimmed = words.replaceAll(edges, '');
  if (!saysSomething(trimmed)) return [];
  const start = stretch.start + words.indexOf(trimmed);
  return [{ ...stretch, start, end: start + trimmed.length }];
}

const clauseEnd = /(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|which|because)\s)/gu;

/** The clauses of a sentence. */
export function clauseSpansOf({ turn, start, end }: TurnSpan): TurnSpan[] {
  const text = turn.content.slice(start, end);
  const clauses: TurnSpan[] = [];
  let from = 0;
  for (const { index, 0: blank } of text.matchAll(clauseEnd)) {
    clauses.push({ turn, start: start + from, end: start + index });
    from = index + blank.length;
  }
  return [...clauses, { turn, start: start + from, end }];
}

/** Stretches by the number of their turn, in the order in which they came. */
export const groupByTurn = <S extends TurnSpan>(stretches: readonly S[]): ReadonlyMap<number, readonly S[]> =>
  groupBy(stretches, ({ turn }) => turn.n);
