import { setImmediate } from 'node:timers/promises';
import { countTokens } from '../language/count-tokens.ts';
import { minValidationScore, type CompactionTurn } from './compaction.ts';
import type { CompactionSources } from './compaction-sources.ts';
import { composePrompt, type NarrativeSegment } from './compose.ts';
import type { PinnedContent } from './pins.ts';
import { selectSentences, type CandidateSentence } from './select-sentences.ts';
import { validationScore } from './validation.ts';
import { VerbatimText } from './verbatim.ts';

/** The share of the target that the last turns, which are kept verbatim, may take. */
export const lastTurnsShare = 0.25;
/** The share of the original tokens that they may take when there is no target. */
const lastTurnsShareWithoutTarget = 0.02;
/** The tokens that a line of the narrative takes beside its words, for its turn and speaker. */
export const lineTokens = 3;

/** The turns, pins and sentences that a segment is selected from. */
export interface SegmentSources
  extends
    Pick<CompactionSources, 'turns' | 'memories' | 'firstUningestedTurn'>,
    Pick<PinnedContent, 'pins' | 'outdated'> {
  readonly candidates: readonly CandidateSentence[];
  readonly originalTokens: number;
}

/** The text that a segment goes on from: of the version before, or none. */
export interface SegmentBase {
  /** The first turn that the text does not cover. */
  readonly from: number;
  readonly systemPrompt: string;
  /** Tokens of the whole text, the base included; null: as few as keep the score. */
  readonly target: number | null;
}

/** Selects the segment of the turns since its base within the target: all pins, the last turns, and other sentences. */
export async function selectSegment(sources: SegmentSources, base: SegmentBase): Promise<NarrativeSegment> {
  const { from, systemPrompt, target } = base;
  const room = (target ?? Infinity) - countTokens(systemPrompt);
  const before = new VerbatimText(systemPrompt);
  const newPins = sources.pins.filter(({ text }) => !before.holds(text));
  const through = sources.turns.at(-1)?.n ?? -1;
  const bare = { from, through, pins: newPins, sentences: [], lastTurns: [] };
  const lastTurns = lastTurnsWithin({ room, free: room - countTokens(composePrompt(bare)) }, sources, from);
  const lastWords = new VerbatimText(...lastTurns.map(({ content }) => content));
  const pins = newPins.filter(({ text }) => !lastWords.holds(text));
  const firstOfLast = lastTurns[0]?.n ?? Infinity;
  const candidates = sources.candidates.filter(({ turn }) => turn.n >= from && turn.n < firstOfLast);
  const segment = { ...bare, pins, lastTurns };
  const sentences =
    target === null
      ? await fewestSentences(candidates, (chosen) =>
          validationScore(systemPrompt + composePrompt({ ...segment, sentences: chosen }), sources.memories),
        )
      : await selectSentences(candidates, {
          budget: room - countTokens(composePrompt(segment)),
          overhead: lineTokens,
          told: new Set(pins.flatMap((pin) => pin.turns)),
        });
  const isEmpty = !pins.length && !sentences.length && !lastTurns.length;
  return { ...segment, sentences: isEmpty ? mostWorth(candidates) : sentences };
}

/** The sentence that is worth most, however little room there is. */
const mostWorth = (candidates: readonly CandidateSentence[]): CandidateSentence[] =>
  candidates.toSorted((one, other) => other.worth - one.worth).slice(0, 1);

/**
 * The last turns that fit beside the pins: at least one, unless it alone would take the room of all. Turns that say
 * something outdated end them. From the first turn on that was not ingested all are kept, since nothing is known of
 * what they say.
 */
function lastTurnsWithin(
  { room, free }: { room: number; free: number },
  { turns, outdated, originalTokens, firstUningestedTurn }: SegmentSources,
  from: number,
): CompactionTurn[] {
  const stale = new Set(outdated.map(({ turn }) => turn.n));
  const share = Number.isFinite(room) ? room * lastTurnsShare : originalTokens * lastTurnsShareWithoutTarget;
  const last: CompactionTurn[] = [];
  let tokens = 0;
  for (const turn of turns.filter(({ n }) => n >= from).toReversed()) {
    tokens += countTokens(turn.content) + lineTokens;
    const isUningested = firstUningestedTurn !== null && turn.n >= firstUningestedTurn;
    const fits = tokens <= Math.min(free, last.length ? share : Math.max(share, room / 2));
    if (!isUningested && (stale.has(turn.n) || !fits)) break;
    last.unshift(turn);
  }
  return last;
}

/** The shortest sentences that bring the score to what `adaptive` wants. */
async function fewestSentences(
  candidates: readonly CandidateSentence[],
  scoreWith: (chosen: readonly CandidateSentence[]) => number,
): Promise<CandidateSentence[]> {
  const shortest = candidates
    .filter(({ isExtracted }) => isExtracted)
    .toSorted((one, other) => one.tokens - other.tokens);
  const chosen = (count: number) => {
    const among = new Set(shortest.slice(0, count));
    return candidates.filter((candidate) => among.has(candidate));
  };
  let [low, high] = [0, shortest.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scoreWith(chosen(middle)) >= minValidationScore) high = middle;
    else low = middle + 1;
    await setImmediate();
  }
  return chosen(low);
}
