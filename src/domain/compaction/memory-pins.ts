import { pinKinds, type CompactionStrategy, type CompactionTurn, type PinKind, type SpanMemory } from './compaction.ts';
import { splitSentences } from '../language/sentences.ts';
import { hasNameOrNumber, isCorrection } from './pin-patterns.ts';
import { spanText, type TurnSpan } from './turn-span.ts';

/** Words of a turn that state a memory. */
export interface MemoryQuoteSpan extends TurnSpan {
  readonly memory: SpanMemory;
}

/** Words to be kept, before those that overlap are one. */
export interface PinnedSpan extends TurnSpan {
  readonly kind: PinKind;
  readonly memoryId: string | null;
  /** The question that the words answer, without which they say nothing. */
  readonly asked: { readonly text: string; readonly turns: readonly number[] } | null;
}

/** The more binding, the lower. */
export const pinRank = (kind: PinKind): number => pinKinds.indexOf(kind);

/** A preference that is surer than this to be worth keeping binds like a limit. */
const surePreference = 0.5;
/**
 * How sure a fact must be to stay in any case: where little room is aimed at, only what is hardly in doubt. A fact that
 * names nobody and counts nothing must be surer.
 */
const sureFact = { named: 0.5, other: 0.8 };
const sureFactInLittleRoom = { named: 0.9, other: 0.9 };

/** Whether words state a fact that is sure enough to stay in any case. */
export function isSureFact(
  words: string,
  { probability, strategy }: { probability: number; strategy: CompactionStrategy },
) {
  const least = strategy === 'aggressive' ? sureFactInLittleRoom : sureFact;
  return probability >= least[hasNameOrNumber(words) ? 'named' : 'other'];
}

/** An answer of more words says by itself what it is about. */
export const maxShortAnswerWords = 2;

/** Where the quotes of memories stand in the turns. */
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

export interface PinCriteria {
  /** The memories that replaced another one. */
  readonly replacing: ReadonlySet<string>;
  readonly strategy: CompactionStrategy;
}

/** Why the words of a memory are kept in any case; undefined: they are only told where there is room. */
export function pinKindOfMemory(range: MemoryQuoteSpan, { replacing, strategy }: PinCriteria): PinKind | undefined {
  const { id, type, category, isScheduled, confidence } = range.memory;
  if (category === 'instruction') return 'instruction';
  if (category === 'health') return 'constraint';
  if (category === 'identity') return 'fact';
  if (type === 'temporal_events' || isScheduled) return 'event';
  const words = spanText(range);
  if (replacing.has(id) || isCorrection(words)) return 'current_value';
  if (type === 'preferences' && confidence >= surePreference) return 'preference';
  if (type === 'episodes' || (type === 'emotions' && !hasNameOrNumber(words))) return undefined;
  // `adaptive` chooses the cheapest memories itself, by the score.
  return strategy !== 'adaptive' && isSureFact(words, { probability: confidence, strategy }) ? 'fact' : undefined;
}

/** The question before the words of a memory, where its content has it; null: the words stand alone. */
export function questionInContent({ memory, turn, start, end }: MemoryQuoteSpan): PinnedSpan['asked'] {
  const words = turn.content.slice(start, end);
  if (!memory.content.endsWith(words)) return null;
  const before = splitSentences(memory.content.slice(0, -words.length)).at(-1)?.text ?? '';
  if (!before.endsWith('?') || words.split(/\s+/u).length > maxShortAnswerWords) return null;
  // A memory may also rest on a turn before the question, which tells of what it asks.
  const asked = memory.quotes.find(({ text }) => text === words)?.turns.filter((n) => n < turn.n) ?? [];
  return { text: before, turns: asked.length ? [Math.max(...asked), turn.n] : [turn.n] };
}
