import type { CompactionTurn } from './compaction.ts';

/** Words of a turn, by their place in its content: where they begin, and where they end. */
export interface Stretch {
  readonly turn: CompactionTurn;
  readonly start: number;
  readonly end: number;
}

export const wordsOf = ({ turn, start, end }: Stretch): string => turn.content.slice(start, end);

/** Whether two stretches of one turn have words in common. */
export const overlap = (
  one: { readonly start: number; readonly end: number },
  other: { readonly start: number; readonly end: number },
): boolean => one.start < other.end && other.start < one.end;

/** Fewer words than these say nothing by themselves. */
const fewestWords = 3;
const edges = /^[\s\p{P}]*(?:(?:and|but|so|because|that|y|pero)\s+)?|[\s,;:–—-]+$/giu;

/** Cuts others out of a stretch: returns each part that still says something, without its leading conjunction. */
export function without(stretch: Stretch, others: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  let from = stretch.start;
  const cut = others.filter((other) => overlap(stretch, other)).toSorted((one, other) => one.start - other.start);
  if (!cut.length) return [stretch];
  for (const { start, end } of [...cut, { start: stretch.end, end: stretch.end }]) {
    if (start > from) left.push(...sayingSomething({ ...stretch, start: from, end: start }));
    from = Math.max(from, end);
  }
  return left;
}

function sayingSomething(stretch: Stretch): Stretch[] {
  const words = wordsOf(stretch);
  const trimmed = words.replaceAll(edges, '');
  if (trimmed.split(/\s+/u).length < fewestWords) return [];
  const start = stretch.start + words.indexOf(trimmed);
  return [{ ...stretch, start, end: start + trimmed.length }];
}

const clauseEnd = /(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|which|because)\s)/gu;

/** The clauses of a sentence. */
export function clausesOf({ turn, start, end }: Stretch): Stretch[] {
  const text = turn.content.slice(start, end);
  const clauses: Stretch[] = [];
  let from = 0;
  for (const { index, 0: blank } of text.matchAll(clauseEnd)) {
    clauses.push({ turn, start: start + from, end: start + index });
    from = index + blank.length;
  }
  return [...clauses, { turn, start: start + from, end }];
}

/** Stretches by the number of their turn, in the order in which they came. */
export function byTurn<S extends Stretch>(stretches: readonly S[]): ReadonlyMap<number, readonly S[]> {
  const found = new Map<number, S[]>();
  for (const stretch of stretches) {
    const known = found.get(stretch.turn.n);
    if (known) known.push(stretch);
    else found.set(stretch.turn.n, [stretch]);
  }
  return found;
}
