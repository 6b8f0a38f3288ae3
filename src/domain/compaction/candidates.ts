import { isHumanRole } from '../language/speaker.ts';
import type { Classification } from '../extraction/statement-classifier.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { countTokens } from '../language/count-tokens.ts';
import { spansOverlap } from '../language/text-span.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import type { MemoryQuoteSpan } from './memory-pins.ts';
import type { PinnedContent } from './pins.ts';
import type { CandidateSentence } from './select-sentences.ts';
import { groupByTurn, saysSomething, subtractSpans, spanText, type TurnSpan } from './turn-span.ts';
import type { TurnSentence } from './turn-sentences.ts';

/**
 * What a narrative may contain, in order: the quotes of extracted memories and the rest of the sentences, without
 * pinned spans. Of a sentence that states something replaced, only the parts that still hold.
 */
export async function sentenceCandidatesOf(
  sentences: readonly TurnSentence[],
  { stated, pinned, outdated, judgements }: PinnedContent & { judgements: SentenceClassifications },
): Promise<CandidateSentence[]> {
  const told = apart(stated);
  const taken = groupByTurn<TurnSpan>([...pinned, ...told]);
  const stale = groupByTurn(outdated);
  const rest = await mapYielding(sentences, ({ turn, start, text }) => {
    if (!isHumanRole(turn) && !saysSomething(text)) return []; // "Updated."
    const whole = { turn, start, end: start + text.length };
    if (stale.get(turn.n)?.some((other) => spansOverlap(whole, other))) return [];
    const worth = worthOf(judgements({ turn, start }));
    return subtractSpans(whole, taken.get(turn.n) ?? []).map((stretch) =>
      candidateOf(stretch, { worth, isExtracted: false }),
    );
  });
  const extracted = told.map((stretch) =>
    candidateOf(stretch, { worth: stretch.memory.confidence, isExtracted: true }),
  );
  return [...extracted, ...rest.flat()].toSorted((one, other) => one.turn.n - other.turn.n || one.start - other.start);
}

function candidateOf(stretch: TurnSpan, worth: Pick<CandidateSentence, 'worth' | 'isExtracted'>): CandidateSentence {
  const text = spanText(stretch);
  const { turn, start } = stretch;
  return { turn, start, text, tokens: countTokens(text), ...worth };
}

/** How much a sentence is worth: what somebody else claims, or plays, says nothing about the speaker. */
const worthOf = (judged: Classification | undefined): number => (judged ? judged.worth * (1 - judged.quoted) : 0);

/** The longest of those that overlap: it says most. */
function apart(stated: readonly MemoryQuoteSpan[]): MemoryQuoteSpan[] {
  return [...groupByTurn(stated).values()].flatMap((ofTurn) => {
    const kept: MemoryQuoteSpan[] = [];
    const longestFirst = ofTurn.toSorted((one, other) => other.end - other.start - (one.end - one.start));
    for (const stretch of longestFirst) if (!kept.some((other) => spansOverlap(stretch, other))) kept.push(stretch);
    return kept;
  });
}
