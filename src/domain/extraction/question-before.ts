import type { Turn } from './candidate.ts';

/** What somebody else asked at the end of the turn before. */
export function questionBefore(turn: Turn, before: Turn | undefined): string | undefined {
  if (!before || isSameSpeaker(turn, before)) return undefined;
  const last = before.content
    .trim()
    .split(/(?<=[.!?])\s+/u)
    .at(-1);
  return last?.endsWith('?') ? last : undefined;
}

export const isSameSpeaker = (one: Turn, other: Turn): boolean => one.role === other.role && one.name === other.name;
