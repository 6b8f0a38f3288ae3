import { endsWithQuestionMark, splitSentences } from '../language/sentences.ts';
import { tokensOf } from '../language/stems.ts';
import {
  bindingKinds,
  type CompactionStrategy,
  type CompactionTurn,
  type PinKind,
  type Pin,
  turnsOfMemory,
  type SpanMemory,
} from './compaction.ts';
import { speakerLabelOf } from './compose.ts';
import { isCorrection } from './dialogue-acts.ts';
import { hasNameOrNumber } from './exact-values.ts';
import { ownWordsOf } from './outdated-spans.ts';
import {
  containsSpan,
  spanText,
  type MemoryQuoteSpan,
  type OverlapLookup,
  type PinnedSpan,
  type TurnSpan,
} from './turn-span.ts';
import { VerbatimText } from './verbatim.ts';

/** Finds where the quotes of memories stand in the turns. */
export function findMemoryQuotes(turns: readonly CompactionTurn[], memories: readonly SpanMemory[]): MemoryQuoteSpan[] {
  const byNumber = new Map(turns.map((turn) => [turn.n, turn]));
  return memories.flatMap((memory) =>
    memory.quotes.flatMap(({ text, turns: ns }) =>
      ns.flatMap((n) => {
        const turn = byNumber.get(n);
        const start = turn?.content.indexOf(text) ?? -1;
        return !turn || start < 0 ? [] : { memory, turn, start, end: start + text.length };
      }),
    ),
  );
}

/** The words that state current memories, apart. */
interface MemoryPins {
  readonly pinned: readonly PinnedSpan[];
  /** Words that are no pins, and are told where there is room. */
  readonly stated: readonly MemoryQuoteSpan[];
  /** Pins of the memory's content, where its sentence was outdated in another part. */
  readonly restated: readonly Pin[];
}

/** Separates the words that state current memories into pins and others. */
export function findMemoryPins(
  quotes: readonly MemoryQuoteSpan[],
  { outdatedAt, criteria }: { outdatedAt: OverlapLookup<TurnSpan>; criteria: PinCriteria },
): MemoryPins {
  const found = quotes.map((quote) => {
    const kind = pinKindOfMemory(quote, criteria);
    const outdated = outdatedAt(quote);
    if (outdated.length && isToldByContent(quote, outdated)) return { restated: pinOfContent(quote, kind) };
    const stated = stillHolding(quote, { kind, outdated });
    if (!stated || !kind) return { stated };
    return { pinned: { ...stated, kind, memoryId: quote.memory.id, asked: questionInContent(stated) } };
  });
  return {
    pinned: found.flatMap(({ pinned }) => pinned ?? []),
    stated: found.flatMap(({ stated }) => stated ?? []),
    restated: found.flatMap(({ restated }) => restated ?? []),
  };
}

export interface PinCriteria {
  /** The memories that replaced another one. */
  readonly replacing: ReadonlySet<string>;
  readonly strategy: CompactionStrategy;
}

/** A preference that is surer than this to be worth keeping binds like a limit. */
const surePreference = 0.5;

/** Why the words of a memory are kept in any case; undefined: they are only told where there is room. */
function pinKindOfMemory(quote: MemoryQuoteSpan, { replacing, strategy }: PinCriteria): PinKind | undefined {
  const { id, type, category, isScheduled, confidence } = quote.memory;
  if (category === 'instruction') return 'instruction';
  if (category === 'health') return 'constraint';
  if (category === 'identity') return 'fact';
  if (type === 'temporal_events' || isScheduled) return 'event';
  const words = spanText(quote);
  if (replacing.has(id) || isCorrection(words)) return 'current_value';
  if (type === 'preferences' && confidence >= surePreference) return 'preference';
  if (type === 'episodes' || (type === 'emotions' && !hasNameOrNumber(words))) return undefined;
  // `adaptive` chooses the cheapest memories itself, by the score.
  return strategy !== 'adaptive' && isSureFact(words, { probability: confidence, strategy }) ? 'fact' : undefined;
}

/**
 * The least probability of a fact that stays in any case: where little room is aimed at, it must hardly be in doubt. A
 * fact that names nobody and counts nothing must be surer.
 */
const sureFact = { named: 0.5, other: 0.8 };
const sureFactInLittleRoom = { named: 0.9, other: 0.9 };

/** Whether words state a fact that is sure enough to stay in any case. */
export function isSureFact(
  words: string,
  { probability, strategy }: { probability: number; strategy: CompactionStrategy },
): boolean {
  const least = strategy === 'aggressive' ? sureFactInLittleRoom : sureFact;
  return probability >= least[hasNameOrNumber(words) ? 'named' : 'other'];
}

/**
 * The words of a memory that state nothing which was replaced since. Where a sentence states both, these are the
 * memory's own content, if it stands there; what binds stays in any case; of anything else nothing is left.
 */
function stillHolding(
  quote: MemoryQuoteSpan,
  { kind, outdated }: { kind: PinKind | undefined; outdated: readonly TurnSpan[] },
): MemoryQuoteSpan | undefined {
  if (!outdated.length) return quote;
  const own = ownWordsOf(quote);
  if (own && !outdated.some((other) => containsSpan(own, other))) return own;
  return kind && bindingKinds.has(kind) ? quote : undefined;
}

/**
 * Whether the content of a memory tells its part of a sentence without what was replaced: all its words were said, but
 * not side by side, as "I live with my cat" of "I live in Leeds with my cat".
 */
function isToldByContent(quote: MemoryQuoteSpan, outdated: readonly TurnSpan[]): boolean {
  const { content } = quote.memory;
  if (ownWordsOf(quote)) return false;
  const [said, told] = [new Set(tokensOf(spanText(quote))), new VerbatimText(content)];
  return tokensOf(content).every((word) => said.has(word)) && !outdated.some((other) => told.holds(spanText(other)));
}

/** The content of a memory in the place of its sentence, of which another part was replaced. */
const pinOfContent = ({ memory, turn, start }: MemoryQuoteSpan, kind: PinKind | undefined): Pin => ({
  kind: kind ?? 'fact',
  text: memory.content,
  turns: [turn.n],
  speaker: speakerLabelOf(turn),
  memoryId: memory.id,
  start,
  end: start,
});

/** Pins a corrected memory: its new content stands in the place of the words that were said. */
export function pinOfCorrection(memory: SpanMemory, turns: readonly CompactionTurn[], criteria: PinCriteria): Pin {
  const said = turnsOfMemory(memory);
  const first = turns.find(({ n }) => n === said[0]);
  const [start, end] = [0, 0];
  const kind = first && pinKindOfMemory({ memory, turn: first, start, end }, criteria);
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

/** An answer of more words says by itself what it is about. */
const maxShortAnswerWords = 2;

/** The question before the words of a memory, where its content has it; null: the words stand alone. */
function questionInContent(quote: MemoryQuoteSpan): PinnedSpan['asked'] {
  const { memory, turn } = quote;
  const words = spanText(quote);
  if (!memory.content.endsWith(words)) return null;
  const before = splitSentences(memory.content.slice(0, -words.length)).at(-1)?.text ?? '';
  if (!endsWithQuestionMark(before) || words.split(/\s+/u).length > maxShortAnswerWords) return null;
  // A memory may also rest on a turn before the question, which tells of what it asks.
  const asked = memory.quotes.find(({ text }) => text === words)?.turns.filter((n) => n < turn.n) ?? [];
  return { text: before, turns: asked.length ? [Math.max(...asked), turn.n] : [turn.n] };
}
