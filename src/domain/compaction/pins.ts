import { countTokens } from '../language/count-tokens.ts';
import { isCurrent, moreBindingKind, type CompactionStrategy, type CompactionTurn, type Pin } from './compaction.ts';
import type { CompactionSources } from './compaction-sources.ts';
import { speakerLabelOf } from './compose.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import { findContextPins, withoutAnswered } from './context-pins.ts';
import { findMemoryPins, findMemoryQuotes, pinOfCorrection } from './memory-pins.ts';
import { findOutdatedSpans } from './outdated-spans.ts';
import { findPatternPins } from './pattern-pins.ts';
import type { TurnSentence } from './turn-sentences.ts';
import {
  containsSpan,
  lookUpOverlaps,
  pinSpan,
  spanText,
  subtractSpans,
  type MemoryQuoteSpan,
  type OverlapLookup,
  type PinnedSpan,
  type TurnSpan,
} from './turn-span.ts';
import { normaliseWhitespace } from './verbatim.ts';

/** The pins of a conversation, and the words that must not be told as if they still held. */
export interface PinnedContent {
  /** In the order in which they were said. */
  readonly pins: readonly Pin[];
  /** Words that state something extracted that is no pin. */
  readonly stated: readonly MemoryQuoteSpan[];
  /** Where the words of the pins stand in the turns. */
  readonly pinnedSpans: readonly TurnSpan[];
  /** Words that state what was replaced or corrected since, wherever they stand. */
  readonly outdated: readonly MemoryQuoteSpan[];
}

/** The turns and memories in which pins are found, and how. */
interface PinSources extends Pick<CompactionSources, 'turns' | 'memories' | 'failedTurns'> {
  readonly sentences: readonly TurnSentence[];
  readonly classifications: SentenceClassifications;
  /** Pins of turns before these. */
  readonly earlierPins: readonly Pin[];
  readonly strategy: CompactionStrategy;
}

/** Finds what every compaction of these turns keeps word for word. */
export async function findPins(sources: PinSources): Promise<PinnedContent> {
  const { turns, sentences, memories, failedTurns, earlierPins, classifications, strategy } = sources;
  const criteria = { strategy, replacing: new Set(memories.flatMap(({ supersededBy }) => supersededBy ?? [])) };
  const quotes = findMemoryQuotes(turns, memories);
  const current = quotes.filter(({ memory }) => isCurrent(memory) && !memory.isReworded);
  const replaced = quotes.filter(({ memory }) => memory.status === 'superseded' || memory.isReworded);
  const outdated = await findOutdatedSpans(turns, { replaced, current });
  const outdatedAt = lookUpOverlaps(outdated);

  const ofMemories = findMemoryPins(current, { outdatedAt, criteria });
  const { pinned } = ofMemories;
  const ofPatterns = await findPatternPins(sentences, { pinned, outdatedAt, classifications, strategy });
  const ofFailedTurns = pinFailedTurns(failedTurns, outdatedAt);
  const found = [...pinned, ...ofPatterns];
  const ofContext = findContextPins(sentences, found).filter((pin) => !outdatedAt(pin).length);
  const joined = await withoutAnswered(joinOverlapping([...found, ...ofFailedTurns, ...ofContext]));

  const corrections = memories
    .filter((memory) => isCurrent(memory) && memory.isReworded)
    .map((memory) => pinOfCorrection(memory, turns, criteria));
  const pinnedAt = lookUpOverlaps(joined);
  return {
    pins: joinSameText([...earlierPins, ...joined.map(pinOf), ...ofMemories.restated, ...corrections]),
    stated: ofMemories.stated.filter((quote) => !pinnedAt(quote).some((pin) => containsSpan(pin, quote))),
    pinnedSpans: joined,
    outdated,
  };
}

/** The most tokens of uningested turns that stay as they were said; with more, a text would hardly be shorter. */
export const mostUningestedTokens = 2_000;

/**
 * Pins the newest turns whose ingestion failed, since nothing is known of what they say. Joined with the pins of
 * patterns, which keep their kinds, they become whole turns.
 */
function pinFailedTurns(turns: readonly CompactionTurn[], outdatedAt: OverlapLookup<TurnSpan>): PinnedSpan[] {
  let room = mostUningestedTokens;
  return turns.toReversed().flatMap((turn) => {
    const tokens = countTokens(turn.content);
    if (tokens > room) return [];
    room -= tokens;
    const whole = { turn, start: 0, end: turn.content.length };
    return subtractSpans(whole, outdatedAt(whole)).map((part) => pinSpan(part, 'fact'));
  });
}

/** Pieces that overlap become one, of the most binding kind. */
function joinOverlapping(pieces: readonly PinnedSpan[]): PinnedSpan[] {
  const joined: PinnedSpan[] = [];
  for (const piece of pieces.toSorted((one, other) => one.turn.n - other.turn.n || one.start - other.start)) {
    const last = joined.at(-1);
    if (!last || last.turn.n !== piece.turn.n || last.end <= piece.start) {
      joined.push(piece);
      continue;
    }
    const kind = moreBindingKind(last.kind, piece.kind);
    const [leading, other] = kind === last.kind ? [last, piece] : [piece, last];
    joined[joined.length - 1] = {
      ...last,
      end: Math.max(last.end, piece.end),
      kind,
      memoryId: leading.memoryId ?? other.memoryId,
      asked: last.asked ?? (piece.start === last.start ? piece.asked : null),
    };
  }
  return joined;
}

function pinOf(pin: PinnedSpan): Pin {
  const { turn, start, end, kind, memoryId, asked } = pin;
  const words = spanText(pin);
  return {
    kind,
    text: asked ? `${asked.text} ${words}` : words,
    turns: asked ? asked.turns : [turn.n],
    speaker: speakerLabelOf(turn),
    memoryId,
    start,
    end,
  };
}

/** Words that were said several times are kept once, with all their turns. */
function joinSameText(pins: readonly Pin[]): Pin[] {
  const byText = new Map<string, Pin>();
  for (const pin of pins.toSorted((one, other) => one.turns[0]! - other.turns[0]!)) {
    const key = normaliseWhitespace(pin.text).toLowerCase();
    const existing = byText.get(key);
    byText.set(key, existing ? { ...existing, turns: [...new Set([...existing.turns, ...pin.turns])] } : pin);
  }
  return [...byText.values()];
}
