import type { Classification } from '../extraction/statement-classifier.ts';
import { countTokens } from '../language/count-tokens.ts';
import { isOfPeople } from '../language/speaker.ts';
import type { Judgements } from './judge-sentences.ts';
import type { StatedStretch } from './memory-pins.ts';
import type { Keepsakes } from './pins.ts';
import type { CandidateSentence } from './select-sentences.ts';
import { byTurn, overlap, without, wordsOf, type Stretch } from './stretch.ts';
import type { TurnSentence } from './turn-sentences.ts';

/**
 * What a narrative may tell, in order: the words that state something extracted, and what else the sentences say, without
 * what is pinned. A sentence that states what was replaced is told by nothing but what still holds of it.
 */
export function candidatesOf(
  sentences: readonly TurnSentence[],
  { stated, pinned, outdated, judgements }: Keepsakes & { judgements: Judgements },
): CandidateSentence[] {
  const told = apart(stated);
  const taken = byTurn<Stretch>([...pinned, ...told]);
  const stale = byTurn(outdated);
  const rest = sentences.flatMap(({ turn, start, text }) => {
    const whole = { turn, start, end: start + text.length };
    if (stale.get(turn.n)?.some((other) => overlap(whole, other))) return [];
    const worth = worthOf(judgements({ turn, start }));
    return without(whole, taken.get(turn.n) ?? []).map((stretch) =>
      candidateOf(stretch, { worth, isExtracted: false }),
    );
  });
  const extracted = told.map((stretch) =>
    candidateOf(stretch, { worth: stretch.memory.confidence, isExtracted: true }),
  );
  return [...extracted, ...rest].toSorted((one, other) => one.turn.n - other.turn.n || one.start - other.start);
}

function candidateOf(stretch: Stretch, worth: Pick<CandidateSentence, 'worth' | 'isExtracted'>): CandidateSentence {
  const text = wordsOf(stretch);
  const { turn, start } = stretch;
  return { turn, start, text, tokens: countTokens(text), isOfPeople: isOfPeople(turn), ...worth };
}

/** How much a sentence is worth: what somebody else claims, or plays, says nothing about the speaker. */
const worthOf = (judged: Classification | undefined): number => (judged ? judged.worth * (1 - judged.borrowed) : 0);

/** The longest of those that overlap: it says most. */
function apart(stated: readonly StatedStretch[]): StatedStretch[] {
  return [...byTurn(stated).values()].flatMap((ofTurn) => {
    const kept: StatedStretch[] = [];
    const longestFirst = ofTurn.toSorted((one, other) => other.end - other.start - (one.end - one.start));
    for (const stretch of longestFirst) if (!kept.some((other) => overlap(stretch, other))) kept.push(stretch);
    return kept;
  });
}
