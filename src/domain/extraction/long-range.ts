import type { Candidate, Turn } from './candidate.ts';

const manyWords = /^\s*(?:\S+\s+){6}\S/u;

/** A short reply is kept with the question it answers, which says what it is about. */
export function addAskedQuestions(candidates: readonly Candidate[], turns: readonly Turn[]): Candidate[] {
  const places = new Map(turns.map((turn, place) => [turn.index, place]));
  return candidates.map((candidate) => {
    const turn = turns[places.get(candidate.turns[0] ?? -1) ?? -1];
    const before = turns[(places.get(candidate.turns[0] ?? -1) ?? 0) - 1];
    if (candidate.type !== 'episodes' || !turn || !before || manyWords.test(turn.content)) return candidate;
    const question =
      before.content
        .trim()
        .split(/(?<=[.!?])\s+/u)
        .at(-1) ?? '';
    const isReply = question.endsWith('?') && (before.role !== turn.role || before.name !== turn.name);
    return isReply
      ? { ...candidate, content: `${question}\n${candidate.content}`, turns: [before.index, ...candidate.turns] }
      : candidate;
  });
}
