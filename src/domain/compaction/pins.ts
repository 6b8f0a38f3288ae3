import type { CompactionStrategy, CompactionTurn, PinKind, PlacedPin, SpanMemory } from './compaction.ts';
import { speakerOf } from './compose.ts';
import type { Judgements } from './judge-sentences.ts';
import {
  askedOf,
  kindOfMemory,
  rank,
  statedStretches,
  type Judging,
  type Piece,
  type StatedStretch,
} from './memory-pins.ts';
import { patterned } from './pattern-pins.ts';
import { byTurn, overlap, type Stretch } from './stretch.ts';
import type { TurnSentence } from './turn-sentences.ts';
import { normalised } from './verbatim.ts';

/** The pins of a conversation, and the words that must not be told as if they still held. */
export interface Keepsakes {
  /** In the order in which they were said. */
  readonly pins: readonly PlacedPin[];
  /** Words that state something extracted that is no pin. */
  readonly stated: readonly StatedStretch[];
  /** Words of pins, where they stand. */
  readonly pinned: readonly Stretch[];
  /** Words that state what was replaced or corrected since. */
  readonly outdated: readonly StatedStretch[];
}

/** The turns, sentences and memories in which pins are found. */
export interface PinSources {
  readonly turns: readonly CompactionTurn[];
  readonly sentences: readonly TurnSentence[];
  readonly memories: readonly SpanMemory[];
  readonly judgements: Judgements;
  readonly strategy: CompactionStrategy;
}

/** Finds what every compaction of these turns keeps word for word. */
export function findPins({ turns, sentences, memories, judgements, strategy }: PinSources): Keepsakes {
  const ranges = statedStretches(turns, memories);
  const isOutdated = ({ memory }: StatedStretch) => memory.status === 'superseded' || isCorrected(memory);
  const outdated = ranges.filter(isOutdated);
  const judging = { strategy, replacing: new Set(memories.flatMap(({ supersededBy }) => supersededBy ?? [])) };
  const active = ranges.filter(({ memory }) => isCurrent(memory) && !isCorrected(memory));
  const pieces: Piece[] = [];
  const stated: StatedStretch[] = [];
  const outdatedIn = byTurn(outdated);
  for (const whole of active) {
    const kind = kindOfMemory(whole, judging);
    const range = stillHolding(whole, { kind, outdated: outdatedIn.get(whole.turn.n) ?? [] });
    if (!range) continue;
    if (kind) pieces.push({ ...range, kind, memoryId: range.memory.id, asked: askedOf(range) });
    else stated.push(range);
  }
  const joined = joinOverlapping([...pieces, ...patterned(sentences, { pieces, outdated, judgements })]);
  const pinnedIn = byTurn(joined);
  const corrections = memories
    .filter((memory) => isCurrent(memory) && isCorrected(memory))
    .map((memory) => pinOfCorrection(memory, { judging, turns }));
  return {
    pins: together([...joined.map(pinOf), ...corrections]),
    stated: stated.filter((range) => !pinnedIn.get(range.turn.n)?.some((piece) => holdsAll(piece, range))),
    pinned: joined,
    outdated,
  };
}

const binding: ReadonlySet<PinKind> = new Set(['instruction', 'constraint']);

/**
 * The words of a memory that state nothing which was replaced since. Where a sentence states both, these are the memory's
 * own content, if it stands there; what binds stays in any case; of anything else nothing is left.
 */
function stillHolding(
  range: StatedStretch,
  { kind, outdated }: { kind: PinKind | undefined; outdated: readonly Stretch[] },
): StatedStretch | undefined {
  if (!outdated.some((other) => overlap(range, other))) return range;
  const { content } = range.memory;
  const start = range.turn.content.indexOf(content, range.start);
  const own = { ...range, start, end: start + content.length };
  if (start >= 0 && !outdated.some((other) => holdsAll(own, other))) return own;
  return kind && binding.has(kind) ? range : undefined;
}

const isCurrent = ({ status, type }: SpanMemory) => status === 'active' && type !== 'episodes';
const isCorrected = ({ edition }: SpanMemory) => edition > 0;
const holdsAll = (outer: Stretch, inner: Stretch) => outer.start <= inner.start && inner.end <= outer.end;

/** Pins of corrected memories, whose new content stands in the place of the words that were said. */
function pinOfCorrection(
  memory: SpanMemory,
  { judging, turns }: { judging: Judging; turns: readonly CompactionTurn[] },
): PlacedPin {
  const said = [...new Set(memory.quotes.flatMap((quote) => quote.turns))].toSorted((one, other) => one - other);
  const first = turns.find(({ n }) => n === said[0]);
  const [start, end] = [0, 0];
  const kind = first && kindOfMemory({ memory, turn: first, start, end }, judging);
  return {
    kind: kind ?? 'current_value',
    text: memory.content,
    turns: said,
    speaker: first ? speakerOf(first) : null,
    memoryId: memory.id,
    start,
    end,
  };
}

/** Pieces that overlap become one, of the most binding kind. */
function joinOverlapping(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces.toSorted((one, other) => one.turn.n - other.turn.n || one.start - other.start)) {
    const last = joined.at(-1);
    if (!last || last.turn.n !== piece.turn.n || last.end <= piece.start) {
      joined.push(piece);
      continue;
    }
    const leading = rank(piece.kind) < rank(last.kind) ? piece : last;
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

function pinOf({ turn, start, end, kind, memoryId, asked }: Piece): PlacedPin {
  const words = turn.content.slice(start, end);
  return {
    kind,
    text: asked ? `${asked.text} ${words}` : words,
    turns: asked ? asked.turns : [turn.n],
    speaker: speakerOf(turn),
    memoryId,
    start,
    end,
  };
}

/** Words that were said several times are kept once, with all their turns. */
function together(pins: readonly PlacedPin[]): PlacedPin[] {
  const byText = new Map<string, PlacedPin>();
  for (const pin of pins.toSorted((one, other) => one.turns[0]! - other.turns[0]!)) {
    const key = normalised(pin.text).toLowerCase();
    const known = byText.get(key);
    byText.set(key, known ? { ...known, turns: [...new Set([...known.turns, ...pin.turns])] } : pin);
  }
  return [...byText.values()];
}
