import type { Turn } from './candidate.ts';

/** What somebody else asked at the end of the turn before. */
export function questionBefore(turn: Turn, before: Turn | undefined): string | undefined {
  if (!before || (before.role === turn.role && before.name === turn.name)) return undefined;
  const last = before.content
    .trim()
    .split(/(?<=[.!?])\s+/u)
    .at(-1);
  return last?.endsWith('?') ? last : undefined;
}
