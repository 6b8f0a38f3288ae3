import type { compactionFormats, compactionStrategies } from '../configurations/configuration.ts';
import type { StatedMemory } from '../memories/memory.ts';
import type { MemoryType } from '../memory-types.ts';

export type CompactionStrategy = (typeof compactionStrategies)[number];
export type CompactionFormat = (typeof compactionFormats)[number];

/** The share of the original tokens that a strategy aims at. `adaptive` aims at a score instead. */
export const targetShareByStrategy = { aggressive: 0.1, balanced: 0.25, conservative: 0.5 } as const;

/** `adaptive` uses the shortest text with at least this score; below it, every strategy warns. */
export const minValidationScore = 0.95;

/** Why words are kept as they were said. In the order in which a compaction shows them. */
export const pinKinds = [
  'instruction',
  'constraint',
  'preference',
  'decision',
  'commitment',
  'event',
  'question',
  'current_value',
  'identifier',
  'fact',
] as const;
export type PinKind = (typeof pinKinds)[number];

/** The more binding of two kinds. */
export const moreBindingKind = (one: PinKind, other: PinKind): PinKind =>
  pinKinds.indexOf(other) < pinKinds.indexOf(one) ? other : one;

/** Kinds of pins that an agent has to obey. */
export const bindingKinds: ReadonlySet<PinKind> = new Set(['instruction', 'constraint']);

/** Words of a conversation that every compaction keeps verbatim. */
export interface Pin {
  readonly kind: PinKind;
  readonly text: string;
  /** The numbers of the turns in which they were said, ascending. */
  readonly turns: readonly number[];
  /** The speaker of these words; null when it was the user. */
  readonly speaker: string | null;
  /** The memory that was made of them; UUID. Null: a pattern found them. */
  readonly memoryId: string | null;
  /** The place of the words in the last of their turns. */
  readonly start: number;
  readonly end: number;
}

/** A turn of a conversation by its number, which counts from 0. */
export interface CompactionTurn {
  readonly n: number;
  readonly role: string;
  readonly name: string | null;
  readonly content: string;
}

/** A memory that rests on turns of the conversation. */
export interface SpanMemory extends Omit<
  StatedMemory,
  'ownerNo' | 'contentVersion' | 'documentId' | 'turns' | 'quote'
> {
  /** Words of the conversation that state it, each with the numbers of the turns, ascending. */
  readonly quotes: readonly { readonly text: string; readonly turns: readonly number[] }[];
}

/** Whether a memory holds now, and is not merely a passage that was said. */
export const isCurrent = ({ status, type }: SpanMemory): boolean => status === 'active' && type !== 'episodes';

/** The numbers of the turns that a memory rests on, ascending. */
export const turnsOfMemory = ({ quotes }: SpanMemory): number[] =>
  [...new Set(quotes.flatMap(({ turns }) => turns))].toSorted((one, other) => one - other);

/** A memory that was extracted from the conversation, as the format `full` shows it. */
export interface ExtractedMemory {
  readonly memoryId: string;
  readonly type: MemoryType;
  readonly category: string;
  readonly content: string;
  readonly turns: readonly number[];
}

/** The texts of a compaction: what is sealed of it. */
export interface CompactionBody {
  /** The block for a prompt. */
  readonly systemPrompt: string;
  /** The narrative alone, for the format `full`. */
  readonly narrative: string;
  readonly pins: readonly Pin[];
  readonly memories: readonly ExtractedMemory[];
  readonly qualityWarning: string | null;
  /** A language model wrote of it, in words that need not be those of the conversation. */
  readonly isWritten: boolean;
  /** The first turn of a person that was not ingested when it was made; null: all were. */
  readonly firstUningestedTurn: number | null;
}

/** One version of the compaction of a conversation. */
export interface Compaction extends CompactionBody {
  /** `cmp_…` */
  readonly id: string;
  /** The UUID of the conversation. */
  readonly conversationId: string;
  /** From 1. */
  readonly version: number;
  readonly strategy: CompactionStrategy;
  /** The number of the last turn that it covers. */
  readonly throughTurn: number;
  readonly originalTokens: number;
  readonly compactedTokens: number;
  /** The share of extracted memories that the text holds, 0 to 1. */
  readonly validationScore: number;
  /** Its text begins with the whole text of the version before. */
  readonly extendsPrevious: boolean;
  readonly createdAt: Date;
}

/** Compacted tokens for each original one. */
export const compressionRatio = ({ originalTokens, compactedTokens }: Compaction): number =>
  originalTokens === 0 ? 1 : Math.round((compactedTokens / originalTokens) * 10_000) / 10_000;
