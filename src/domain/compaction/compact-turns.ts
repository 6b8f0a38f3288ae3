import { mapYielding } from '../flow/map-yielding.ts';
import { countTokens } from '../language/count-tokens.ts';
import { findCandidates } from './candidates.ts';
import type { ClassificationInput, SentenceClassifications } from './classify-sentences.ts';
import {
  targetShareByStrategy,
  turnsOfMemory,
  type Compaction,
  type CompactionBody,
  type CompactionStrategy,
  type CompactionTurn,
  type ExtractedMemory,
  type Pin,
  type SpanMemory,
} from './compaction.ts';
import type { CompactionSources } from './compaction-sources.ts';
import { composeNarrative, composePrompt } from './compose.ts';
import { findPins, type PinnedContent } from './pins.ts';
import { lastTurnsShare, lineTokens, selectSegment } from './select-segment.ts';
import { splitTurnsIntoSentences } from './turn-sentences.ts';
import { spanText } from './turn-span.ts';
import { currentVersionsOf, isWithinTarget, qualityWarningOf, validationScore } from './validation.ts';
import { VerbatimText } from './verbatim.ts';
import type { NarrativeWriter } from './write-narrative.ts';

/** The pins and memories that are kept beside the text of a compaction. */
export type Extractions = Pick<CompactionBody, 'pins' | 'memories'>;

interface CompactionInput extends CompactionSources {
  /** The extractions of the version before from turns before these, as far as they still hold. */
  readonly earlier: Extractions;
}

export interface CompactionTarget {
  readonly strategy: CompactionStrategy;
  /** Tokens that the text is to have at most; null: as the strategy says. */
  readonly targetTokens: number | null;
}

/** The version before: its text, and which turns it covers. */
type PreviousCompaction = Pick<
  Compaction,
  'systemPrompt' | 'narrative' | 'isWritten' | 'throughTurn' | 'firstUningestedTurn'
>;

/** A compaction as it was made, before it is kept. */
type CompactedTurns = Omit<Compaction, 'id' | 'conversationId' | 'version' | 'strategy' | 'createdAt'>;

interface CompactionSteps {
  readonly classify: (input: ClassificationInput) => Promise<SentenceClassifications>;
  /** Writes the narrative of a segment in place of its sentences. Default: these stay. */
  readonly write?: NarrativeWriter | undefined;
  readonly previous: PreviousCompaction | null;
  /** The previous version is shown to nobody, so that there must be another. */
  readonly isWithheld?: boolean;
}

/**
 * Compacts a conversation: turns -> sentences -> classified -> pins, kept verbatim -> the most informative other
 * sentences and the last turns, within the target -> text -> validated. Extends the previous version's unchanged text,
 * unless that contains something replaced since or leaves no room. Null: there is nothing to add to the previous
 * version.
 */
export async function compactTurns(
  { earlier, ...sources }: CompactionInput,
  aim: CompactionTarget,
  { classify, write, previous, isWithheld = false }: CompactionSteps,
): Promise<CompactedTurns | null> {
  const { turns, memories, firstUningestedTurn } = sources;
  const sentences = await splitTurnsIntoSentences(turns);
  const classifications = await classify({ turns, sentences, memories });
  // `adaptive` chooses facts by the score, which a target takes no account of.
  const strategy = aim.strategy === 'adaptive' && aim.targetTokens !== null ? 'balanced' : aim.strategy;
  const content = await findPins({ ...sources, sentences, classifications, earlierPins: earlier.pins, strategy });
  const candidates = await findCandidates(sentences, { ...content, classifications });
  const replaced = replacedWordsOf(content);
  const originalTokens = await countTurnTokens(turns);
  const target = targetOf(aim, originalTokens);

  const compose = async (base: PreviousCompaction | null): Promise<CompactedTurns> => {
    const before = base?.systemPrompt ?? '';
    const selected = await selectSegment(
      { ...sources, ...content, candidates, originalTokens },
      { from: base ? base.throughTurn + 1 : (turns[0]?.n ?? 0), systemPrompt: before, target },
    );
    const frame = before + composePrompt({ ...selected, pins: [], sentences: [] });
    const room = target === null ? null : Math.max(0, target - countTokens(frame));
    const written = await write?.(selected, { replaced, room });
    const segment = { ...selected, written };
    const systemPrompt = before + composePrompt(segment);
    const narrative = (base?.narrative ?? '') + composeNarrative(segment);
    const compactedTokens = countTokens(systemPrompt);
    const score = narrative ? validationScore(systemPrompt, memories) : 0;
    const composed = {
      systemPrompt,
      narrative,
      pins: content.pins,
      originalTokens,
      compactedTokens,
      firstUningestedTurn,
    };
    return {
      ...composed,
      memories: extractedMemoriesOf(memories, earlier.memories),
      throughTurn: segment.through,
      validationScore: Math.round(score * 1_000) / 1_000,
      extendsPrevious: base !== null,
      isWritten: written !== undefined || (base?.isWritten ?? false),
      qualityWarning: qualityWarningOf({ ...composed, failedTurns: sources.failedTurns, target, score }),
    };
  };

  if (!previous || isOutdated(previous, { replaced, firstUningestedTurn })) return compose(null);
  if (addsNothing(previous, turns, content.pins)) return isWithheld ? compose(null) : null;
  if (!leavesRoom(previous, turns, aim)) return compose(null);
  const extended = await compose(previous);
  if (isWithinTarget(extended.compactedTokens, target)) return extended;
  const anew = await compose(null);
  return anew.compactedTokens <= (target ?? Infinity) ? anew : extended;
}

/** The words that state what was replaced, and nothing that holds. */
function replacedWordsOf({ outdated, stated, pins }: PinnedContent): string[] {
  const current = new VerbatimText(...pins.map((pin) => pin.text), ...stated.map(spanText));
  return [...new Set(outdated.map(spanText))].filter((words) => !current.holds(words));
}

export async function countTurnTokens(turns: readonly Pick<CompactionTurn, 'content'>[]): Promise<number> {
  const tokens = await mapYielding(turns, ({ content }) => countTokens(content));
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** Tokens that the text is to have at most; null: as few as keep the score. */
function targetOf({ strategy, targetTokens }: CompactionTarget, originalTokens: number): number | null {
  if (targetTokens !== null) return targetTokens;
  return strategy === 'adaptive' ? null : Math.ceil(originalTokens * targetShareByStrategy[strategy]);
}

/** Whether a version holds words that were replaced, or holds as it was said what has been ingested since. */
function isOutdated(
  { systemPrompt, firstUningestedTurn: first }: PreviousCompaction,
  { replaced, firstUningestedTurn }: { replaced: readonly string[]; firstUningestedTurn: number | null },
): boolean {
  const text = new VerbatimText(systemPrompt);
  return (first !== null && first !== firstUningestedTurn) || replaced.some((words) => text.holds(words));
}

/** Whether nothing was said since, and nothing was remembered since of what was said before. */
function addsNothing(
  { systemPrompt, throughTurn }: PreviousCompaction,
  turns: readonly CompactionTurn[],
  pins: readonly Pin[],
): boolean {
  const text = new VerbatimText(systemPrompt);
  return (turns.at(-1)?.n ?? -1) <= throughTurn && pins.every((pin) => text.holds(pin.text));
}

/**
 * Whether the previous version leaves what was said since the room that last turns have, or all that it takes. A share
 * of the tokens grows with what is said; a target that is given leaves less each time.
 */
function leavesRoom(
  { systemPrompt, throughTurn }: PreviousCompaction,
  turns: readonly CompactionTurn[],
  { targetTokens }: CompactionTarget,
): boolean {
  if (targetTokens === null) return true;
  const since = turns.filter(({ n }) => n > throughTurn);
  const tokens = since.reduce((sum, { content }) => sum + countTokens(content) + lineTokens, 0);
  return targetTokens - countTokens(systemPrompt) >= Math.min(tokens, targetTokens * lastTurnsShare);
}

/** The memories of the version before that rest on none of these turns, and those of these turns as they are now. */
function extractedMemoriesOf(memories: readonly SpanMemory[], earlier: readonly ExtractedMemory[]): ExtractedMemory[] {
  const ids = new Set(memories.map(({ id }) => id));
  const current = [...new Set(currentVersionsOf(memories))].map((memory) => {
    const { id, type, category, content } = memory;
    return { memoryId: id, type, category, content, turns: turnsOfMemory(memory) };
  });
  return [...earlier.filter(({ memoryId }) => !ids.has(memoryId)), ...current];
}
