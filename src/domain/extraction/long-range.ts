import type { Candidate, Turn } from './candidate.ts';
import { contentKey } from './content-key.ts';
import { contentOf } from './echoes.ts';

const alike = 0.8; // share of content words that two statements have in common
const fewWords = 6;

/** Statements that say the same become one that cites all their turns. Attributes stay: their order matters. */
export function mergeRepeated(candidates: readonly Candidate[]): Candidate[] {
  const kept: { candidate: Candidate; key: string; words: Set<string> }[] = [];
  for (const candidate of candidates) {
    const [key, words] = [contentKey(candidate.content), contentOf(candidate.content)];
    const same =
      candidate.type === 'episodes' ? undefined : kept.find((other) => isSame(other, { candidate, key, words }));
    if (!same) kept.push({ candidate: { ...candidate }, key, words });
    else {
      same.candidate.turns = [...new Set([...same.candidate.turns, ...candidate.turns])];
      same.candidate.confidence = Math.max(same.candidate.confidence, candidate.confidence);
    }
  }
  return kept.map(({ candidate }) => candidate);
}

type Statement = { candidate: Candidate; key: string; words: ReadonlySet<string> };

function isSame(one: Statement, other: Statement): boolean {
  if (one.candidate.type !== other.candidate.type) return false;
  if (one.candidate.attribute?.value !== other.candidate.attribute?.value) return false;
  if (one.key === other.key) return true;
  if (one.candidate.event?.start.getTime() !== other.candidate.event?.start.getTime()) return false;
  const shared = [...one.words].filter((word) => other.words.has(word)).length;
  const all = one.words.size + other.words.size - shared;
  return shared >= 2 && (shared === all || (shared >= 3 && shared / all >= alike));
}

/** A short reply is kept with the question it answers, which says what it is about. */
export function withQuestions(candidates: readonly Candidate[], turns: readonly Turn[]): Candidate[] {
  const places = new Map(turns.map((turn, place) => [turn.index, place]));
  return candidates.map((candidate) => {
    const turn = turns[places.get(candidate.turns[0] ?? -1) ?? -1];
    const before = turns[(places.get(candidate.turns[0] ?? -1) ?? 0) - 1];
    if (candidate.type !== 'episodes' || !turn || !before || turn.content.trim().split(/\s+/u).length > fewWords)
      return candidate;
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
