import { splitSentences } from '../language/sentences.ts';
import type { Turn } from './candidate.ts';

/** In characters of a turn: what is asked stands at its end. */
const readBefore = 400;

/** The sentences at the end of a turn; one that begins before what is read of it is left out. */
export function lastSentencesOf({ content }: Turn): string[] {
  const sentences = splitSentences(content.slice(-readBefore)).map(({ text }) => text);
  return content.length > readBefore ? sentences.slice(1) : sentences;
}

/** What somebody else asked at the end of the turn before. */
export function questionBefore(turn: Turn, before: Turn | undefined): string | undefined {
  if (!before || isSameSpeaker(turn, before)) return undefined;
  const last = lastSentencesOf(before).at(-1);
  return last?.endsWith('?') ? last : undefined;
}

/** One for all turns of a speaker. */
export const speakerKey = ({ role, name }: Turn): string => `${role}\n${name ?? ''}`;

export const isSameSpeaker = (one: Turn, other: Turn): boolean => speakerKey(one) === speakerKey(other);
