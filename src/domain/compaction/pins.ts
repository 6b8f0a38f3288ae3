import { mapYielding } from '../flow/map-yielding.ts';
import { countTokens } from '../language/count-tokens.ts';
import { tokensOf } from '../language/stems.ts';
import { spansOverlap } from '../language/text-span.ts';
import {
  bindingKinds,
  type CompactionStrategy,
  type CompactionTurn,
  type PinKind,
  type PlacedPin,
  type SpanMemory,
} from './compaction.ts';
import type { CompactionSources } from './compaction-sources.ts';
import { speakerLabelOf } from './compose.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import {
  questionInContent,
  pinKindOfMemory,
  pinRank,
  findMemoryQuotes,
  type PinCriteria,
  type PinnedSpan,
  type MemoryQuoteSpan,
} from './memory-pins.ts';
import { findContextPins, withoutAnswered } from './context-pins.ts';
import { findPatternPins } from './pattern-pins.ts';
import { groupByTurn, saysSomething, spanText, subtractSpans, type TurnSpan } from './turn-span.ts';
import { normaliseWhitespace, VerbatimText } from './verbatim.ts';

/** The pins of a conversation, and the words that must not be told as if they still held. */
export interface PinnedContent {
  /** In the order in which they were said. */
  readonly pins: readonly PlacedPin[];
  /** Words that state something extracted that is no pin. */
  readonly stated: readonly MemoryQuoteSpan[];
  /** Words of pins, where they stand. */
  readonly pinned: readonly TurnSpan[];
  /** Words that state what was replaced or corrected since, wherever they stand. */
  readonly outdated: readonly MemoryQuoteSpan[];
}

/** The most tokens of turns that are not ingested which stay as they were said; with more, a text would hardly be shorter. */
export const mostUningestedTokens = 2_000;

/** What pins are found in, and by. */
interface PinSources extends Omit<CompactionSources, 'firstUningestedTurn'> {
  /** Pins of turns before these. */
  readonly earlierPins: readonly PlacedPin[];
  readonly judgements: SentenceClassifications;
  readonly strategy: CompactionStrategy;
}

/** Finds what every compaction of these turns keeps word for word. */
export async function findPins(sources: PinSources): Promise<PinnedContent> {
  const { turns, sentences, memories, failedTurns, earlierPins, judgements, strategy } = sources;
  const ranges = findMemoryQuotes(turns, memories);
  const isOutdated = ({ memory }: MemoryQuoteSpan) => memory.status === 'superseded' || memory.isReworded;
  const judging = { strategy, replacing: new Set(memories.flatMap(({ supersededBy }) => supersededBy ?? [])) };
  const active = ranges.filter(({ memory }) => isCurrent(memory) && !memory.isReworded);
  const replaced = ranges.filter(isOutdated).map((range) => ownWordsOf(range) ?? range);
  const outdated = [...replaced, ...(await findRepetitions(turns, replaced, active))];
  const pieces: PinnedSpan[] = [];
  const stated: MemoryQuoteSpan[] = [];
  const partsApart: PlacedPin[] = [];
  const outdatedIn = groupByTurn(outdated);
  for (const whole of active) {
    const kind = pinKindOfMemory(whole, judging);
    const outdatedHere = (outdatedIn.get(whole.turn.n) ?? []).filter((other) => spansOverlap(whole, other));
    if (outdatedHere.length && isToldByContent(whole, outdatedHere)) {
      partsApart.push(pinOfContent(whole, kind));
      continue;
    }
    const range = stillHolding(whole, { kind, outdated: outdatedHere });
    if (!range) continue;
    if (kind) pieces.push({ ...range, kind, memoryId: range.memory.id, asked: questionInContent(range) });
    else stated.push(range);
  }
  // Nothing is known of what they say. With the pieces of patterns, which keep their kinds, they become whole turns.
  const failed = newestWithin(failedTurns, mostUningestedTokens).flatMap((turn) =>
    subtractSpans({ turn, start: 0, end: turn.content.length }, outdatedIn.get(turn.n) ?? []),
  );
  const uningested = failed.map((span): PinnedSpan => ({ ...span, kind: 'fact', memoryId: null, asked: null }));
  const ofPatterns = await findPatternPins(sentences, { pieces, outdated, judgements, strategy });
  const found = [...pieces, ...ofPatterns];
  const context = findContextPins(sentences, found).filter(
    (pin) => !outdatedIn.get(pin.turn.n)?.some((other) => spansOverlap(pin, other)),
  );
  const joined = await withoutAnswered(joinOverlapping([...found, ...uningested, ...context]));
  const pinnedIn = groupByTurn(joined);
  const corrections = memories
    .filter((memory) => isCurrent(memory) && memory.isReworded)
    .map((memory) => pinOfCorrection(memory, { judging, turns }));
  return {
    pins: joinSameText([...earlierPins, ...joined.map(pinOf), ...partsApart, ...corrections]),
    stated: stated.filter((range) => !pinnedIn.get(range.turn.n)?.some((piece) => holdsAll(piece, range))),
    pinned: joined,
    outdated,
  };
}

/** The turns that fit into so many tokens, the newest first. */
function newestWithin(turns: readonly CompactionTurn[], max: number): CompactionTurn[] {
  let taken = 0;
  return turns.toReversed().filter(({ content }) => {
    const tokens = countTokens(content);
    if (taken + tokens > max) return false;
    taken += tokens;
    return true;
  });
}

/**
 * Finds verbatim repetitions of superseded quotes in other turns, such as an assistant's draft that contains them. Spans
 * that an active memory quotes are not counted, since they were said again after the quote was superseded.
 */
async function findRepetitions(
  turns: readonly CompactionTurn[],
  replaced: readonly MemoryQuoteSpan[],
  active: readonly MemoryQuoteSpan[],
): Promise<MemoryQuoteSpan[]> {
  const telling = replaced.filter((range) => saysSomething(spanText(range)));
  const [knownIn, activeIn] = [groupByTurn(replaced), groupByTurn(active)];
  const found = await mapYielding(turns, (turn) => {
    const known = [...(knownIn.get(turn.n) ?? []), ...(activeIn.get(turn.n) ?? [])];
    return telling.flatMap((range): MemoryQuoteSpan[] => {
      const words = spanText(range);
      const start = turn.content.indexOf(words);
      const repetition = { ...range, turn, start, end: start + words.length };
      return start < 0 || known.some((other) => spansOverlap(repetition, other)) ? [] : [repetition];
    });
  });
  return found.flat();
}

/**
 * The words of a memory that state nothing which was replaced since. Where a sentence states both, these are the
 * memory's own content, if it stands there; what binds stays in any case; of anything else nothing is left.
 * `outdated`: the words in them that do.
 */
function stillHolding(
  range: MemoryQuoteSpan,
  { kind, outdated }: { kind: PinKind | undefined; outdated: readonly TurnSpan[] },
): MemoryQuoteSpan | undefined {
  if (!outdated.length) return range;
  const own = ownWordsOf(range);
  if (own && !outdated.some((other) => holdsAll(own, other))) return own;
  return kind && bindingKinds.has(kind) ? range : undefined;
}

/** The content of a memory, where it stands in the words that are quoted for it: these are often a whole sentence. */
function ownWordsOf(range: MemoryQuoteSpan): MemoryQuoteSpan | undefined {
  const at = spanText(range).indexOf(range.memory.content);
  const start = range.start + at;
  return at < 0 ? undefined : { ...range, start, end: start + range.memory.content.length };
}

/**
 * Whether the content of a memory tells its part of a sentence without what was replaced: all its words were said, but not
 * side by side, as "I live with my cat" of "I live in Leeds with my cat".
 */
function isToldByContent(range: MemoryQuoteSpan, outdated: readonly TurnSpan[]): boolean {
  const { content } = range.memory;
  if (ownWordsOf(range)) return false;
  const [said, told] = [new Set(tokensOf(spanText(range))), new VerbatimText(content)];
  return tokensOf(content).every((word) => said.has(word)) && !outdated.some((other) => told.holds(spanText(other)));
}

/** The content of a memory in the place of its sentence, of which another part was replaced. */
const pinOfContent = ({ memory, turn, start }: MemoryQuoteSpan, kind: PinKind | undefined): PlacedPin => ({
  kind: kind ?? 'fact',
  text: memory.content,
  turns: [turn.n],
  speaker: speakerLabelOf(turn),
  memoryId: memory.id,
  start,
  end: start,
});

const isCurrent = ({ status, type }: SpanMemory) => status === 'active' && type !== 'episodes';
const holdsAll = (outer: TurnSpan, inner: TurnSpan) => outer.start <= inner.start && inner.end <= outer.end;

/** Pins of corrected memories, whose new content stands in the place of the words that were said. */
function pinOfCorrection(
  memory: SpanMemory,
  { judging, turns }: { judging: PinCriteria; turns: readonly CompactionTurn[] },
): PlacedPin {
  const said = [...new Set(memory.quotes.flatMap((quote) => quote.turns))].toSorted((one, other) => one - other);
  const first = turns.find(({ n }) => n === said[0]);
  const [start, end] = [0, 0];
  const kind = first && pinKindOfMemory({ memory, turn: first, start, end }, judging);
  return {
    kind: kind ?? 'current_value',
    text: memory.content,
    turns: said,
    speaker: first ? speakerLabelOf(first) : null,
    memoryId: memory.id,
    start,
    end,
  };
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
    const leading = pinRank(piece.kind) < pinRank(last.kind) ? piece : last;
    joined[joined.length - 1] = {
      ...last,
      end: Math.max(last.end, piece.end),
      kind: leading.kind,
      memoryId: leading.memoryId ?? last.memoryId ?? piece.memoryId,
      asked: last.asked ?? (piece.start === last.start ? piece.asked : null),
    };
  }
  return joined;
}

function pinOf({ turn, start, end, kind, memoryId, asked }: PinnedSpan): PlacedPin {
  const words = turn.content.slice(start, end);
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
function joinSameText(pins: readonly PlacedPin[]): PlacedPin[] {
  const byText = new Map<string, PlacedPin>();
  for (const pin of pins.toSorted((one, other) => one.turns[0]! - other.turns[0]!)) {
    const key = normaliseWhitespace(pin.text).toLowerCase();
    const existing = byText.get(key);
    byText.set(key, existing ? { ...existing, turns: [...new Set([...existing.turns, ...pin.turns])] } : pin);
  }
  return [...byText.values()];
}
