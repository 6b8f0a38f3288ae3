import { isHumanRole } from '../language/speaker.ts';
import type { Classification } from '../extraction/statement-classifier.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { countTokens } from '../language/count-tokens.ts';
import { spansOverlap } from '../language/text-span.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import type { PinnedContent } from './pins.ts';
import type { CandidateSentence } from './select-sentences.ts';
import {
  lookUpOverlaps,
  saysSomething,
  subtractSpans,
  spanText,
  type MemoryQuoteSpan,
  type TurnSpan,
} from './turn-span.ts';
import type { TurnSentence } from './turn-sentences.ts';

/**
 * Finds what a narrative may contain, in order: the quotes of extracted memories and the rest of the sentences, without
 * pinned spans. Sentences that state something replaced are left out.
 */
export async function findCandidates(
  sentences: readonly TurnSentence[],
  {
    stated,
    pinnedSpans,
    outdated,
    classifications,
  }: Omit<PinnedContent, 'pins'> & { classifications: SentenceClassifications },
): Promise<CandidateSentence[]> {
  const quotes = longestQuotes(stated);
  const [takenAt, outdatedAt] = [lookUpOverlaps<TurnSpan>([...pinnedSpans, ...quotes]), lookUpOverlaps(outdated)];
  const rest = await mapYielding(sentences, (sentence) => {
    if (!isHumanRole(sentence.turn) && !saysSomething(sentence.text)) return []; // "Updated."
    if (outdatedAt(sentence).length) return [];
    const worth = worthOf(classifications(sentence));
    return subtractSpans(sentence, takenAt(sentence)).map((part) => candidateOf(part, { worth, isExtracted: false }));
  });
  const extracted = quotes.map((quote) => candidateOf(quote, { worth: quote.memory.confidence, isExtracted: true }));
  return [...extracted, ...rest.flat()].toSorted((one, other) => one.turn.n - other.turn.n || one.start - other.start);
}

function candidateOf(span: TurnSpan, worth: Pick<CandidateSentence, 'worth' | 'isExtracted'>): CandidateSentence {
  const text = spanText(span);
  const { turn, start, end } = span;
  return { turn, start, end, text, tokens: countTokens(text), ...worth };
}

/** Probability of being worth keeping: what somebody else claims, or plays, says nothing about the speaker. */
const worthOf = (classified: Classification | undefined): number =>
  classified ? classified.worth * (1 - classified.quoted) : 0;

/** The longest of the quotes that overlap: it says most. */
function longestQuotes(stated: readonly MemoryQuoteSpan[]): MemoryQuoteSpan[] {
  return [...groupBy(stated, ({ turn }) => turn.n).values()].flatMap((ofTurn) => {
    const kept: MemoryQuoteSpan[] = [];
    const longestFirst = ofTurn.toSorted((one, other) => other.end - other.start - (one.end - one.start));
    for (const quote of longestFirst) if (!kept.some((other) => spansOverlap(quote, other))) kept.push(quote);
    return kept;
  });
}
