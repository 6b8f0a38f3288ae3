import type { Candidate, Turn } from './candidate.ts';
import { questionBefore } from './preceding-statements.ts';

const manyWords = /^\s*(?:\S+\s+){6}\S/u;

/** A short reply is kept with the question it answers, which says what it is about. */
export function addAskedQuestions(candidates: readonly Candidate[], turns: readonly Turn[]): Candidate[] {
  const places = new Map(turns.map((turn, place) => [turn.index, place]));
  return candidates.map((candidate) => {
    const place = places.get(candidate.turns[0] ?? -1) ?? -1;
    const [turn, before] = [turns[place], turns[place - 1]];
    if (candidate.type !== 'episodes' || !turn || !before || manyWords.test(turn.content)) return candidate;
    const question = questionBefore(turn, before);
    return question
      ? { ...candidate, content: `${question}\n${candidate.content}`, turns: [before.index, ...candidate.turns] }
      : candidate;
  });
}
