import { setImmediate } from 'node:timers/promises';
import { mapYielding } from '../flow/map-yielding.ts';
import { countTokens } from '../language/count-tokens.ts';
import {
  targetShareByStrategy,
  minValidationScore,
  type Compaction,
  type CompactionBody,
  type CompactionStrategy,
  type CompactionTurn,
  type ExtractedMemory,
} from './compaction.ts';
import type { CompactionSources } from './compaction-sources.ts';
import { composeNarrative, composePrompt, type NarrativeSegment } from './compose.ts';
import { findPins, type PinnedContent } from './pins.ts';
import { selectSentences, type CandidateSentence } from './select-sentences.ts';
import type { SentenceClassifications } from './classify-sentences.ts';
import { sentenceCandidatesOf } from './candidates.ts';
import { spanText } from './turn-span.ts';
import { currentVersionOf, validationScore } from './validation-score.ts';
import { VerbatimText } from './verbatim.ts';

/** What is kept of a conversation beside its text. */
export type Extractions = Pick<CompactionBody, 'pins' | 'memories'>;

export interface CompactionInput extends CompactionSources {
  /** What the version before keeps of turns before these, as far as it still holds. */
  readonly earlier: Extractions;
  /** The statement model's classifications of sentences from which nothing was extracted. */
  readonly judgements: SentenceClassifications;
}

export interface CompactionTarget {
  readonly strategy: CompactionStrategy;
  /** Tokens that the text is to have at most; left out: as the strategy says. */
  readonly targetTokens: number | null;
}

/** The version before: its text, and which turns it covers. */
export type PreviousCompaction = Pick<
  Compaction,
  'systemPrompt' | 'narrative' | 'isWritten' | 'throughTurn' | 'firstUningestedTurn'
>;

/** A compaction as it was made, before it is kept. */
export interface CompactedTurns extends CompactionBody {
  readonly throughTurn: number;
  readonly originalTokens: number;
  readonly compactedTokens: number;
  readonly validationScore: number;
  readonly extendsPrevious: boolean;
}

/** A span read once, for however many texts are made of it. */
interface ReadSpan extends CompactionInput, PinnedContent {
  readonly candidates: readonly CandidateSentence[];
  readonly originalTokens: number;
}

/** The share of the target that the last turns, which are kept verbatim, may take. */
const lastTurnsShare = 0.25;
/** The tokens that a line of the narrative takes beside its words, for its turn and speaker. */
const lineTokens = 3;
/** A text that goes on from the previous one may exceed the target by this: a cached prompt is worth it. */
const toleratedExcess = 1.1;

/** What a narrative is held to. */
export interface NarrativeLimits {
  /** Words that state what was replaced since. */
  readonly replaced: readonly string[];
  /** The tokens that it may take, pins included; null: as few as they can be. */
  readonly room: number | null;
}

/** Writes the narrative of a segment in place of its sentences; undefined: these stay. */
export type NarrativeWriter = (segment: NarrativeSegment, limits: NarrativeLimits) => Promise<string | undefined>;

/**
 * Compacts a conversation: pins verbatim, then the most informative other sentences in order, then the last turns
 * verbatim. Extends the previous version's unchanged text, unless that contains something replaced since or leaves no
 * room. Null: there is nothing to add to the previous version.
 */
export async function compactTurns(
  span: CompactionInput,
  aim: CompactionTarget,
  { previous, write }: { previous: PreviousCompaction | null; write?: NarrativeWriter },
): Promise<CompactedTurns | null> {
  const read = await readSpan(span, aim);
  const target = targetOf(aim, read.originalTokens);
  const made = async (base: PreviousCompaction | null) => finish(read, base, { target, write });
  if (!previous || saysOutdated(previous, read) || wasIngestedSince(previous, read)) return made(null);
  if (addsNothing(previous, read)) return null;
  if (!leavesRoom(previous, read, aim)) return made(null);
  const extended = await made(previous);
  if (target === null || extended.compactedTokens <= target * toleratedExcess) return extended;
  const anew = await made(null);
  return anew.compactedTokens <= target ? anew : extended;
}

async function readSpan(span: CompactionInput, { strategy: asked, targetTokens }: CompactionTarget): Promise<ReadSpan> {
  // `adaptive` chooses facts by the score, which a target takes no account of.
  const strategy = asked === 'adaptive' && targetTokens !== null ? 'balanced' : asked;
  const { earlier, judgements } = span;
  const keepsakes = await findPins({ ...span, earlierPins: earlier.pins, strategy });
  const candidates = await sentenceCandidatesOf(span.sentences, { ...keepsakes, judgements });
  const tokens = await mapYielding(span.turns, ({ content }) => countTokens(content));
  const originalTokens = tokens.reduce((sum, each) => sum + each, 0);
  return { ...span, ...keepsakes, candidates, originalTokens };
}

/** Null: as few as keep the score. */
function targetOf({ strategy, targetTokens }: CompactionTarget, originalTokens: number): number | null {
  if (targetTokens !== null) return targetTokens;
  return strategy === 'adaptive' ? null : Math.ceil(originalTokens * targetShareByStrategy[strategy]);
}

function saysOutdated({ systemPrompt }: PreviousCompaction, read: ReadSpan): boolean {
  const text = new VerbatimText(systemPrompt);
  return replacedIn(read).some((words) => text.holds(words));
}

/** What the version holds as it was said, for it was not ingested, has been ingested since. */
const wasIngestedSince = ({ firstUningestedTurn: first }: PreviousCompaction, read: ReadSpan): boolean =>
  first !== null && first !== read.firstUningestedTurn;

/** Words that state what was replaced, and nothing that holds. */
function replacedIn({ outdated, stated, pins }: ReadSpan): string[] {
  const current = new VerbatimText(...pins.map((pin) => pin.text), ...stated.map(spanText));
  return [...new Set(outdated.map(spanText))].filter((words) => !current.holds(words));
}

/** Nothing was said since, and nothing was remembered since of what was said before. */
function addsNothing({ systemPrompt, throughTurn }: PreviousCompaction, { turns, pins }: ReadSpan): boolean {
  const text = new VerbatimText(systemPrompt);
  return lastNumberOf(turns) <= throughTurn && pins.every((pin) => text.holds(pin.text));
}

const lastNumberOf = (turns: readonly CompactionTurn[]): number => turns.at(-1)?.n ?? -1;

/**
 * Whether the previous version leaves what was said since the room that last turns have, or all that it takes. A share of
 * the tokens grows with what is said; a target that is given leaves less each time.
 */
function leavesRoom(previous: PreviousCompaction, read: ReadSpan, { targetTokens }: CompactionTarget): boolean {
  if (targetTokens === null) return true;
  const tokens = turnsSince(previous, read).reduce((sum, { content }) => sum + countTokens(content) + lineTokens, 0);
  return targetTokens - countTokens(previous.systemPrompt) >= Math.min(tokens, targetTokens * lastTurnsShare);
}

const turnsSince = (previous: PreviousCompaction, { turns }: ReadSpan): CompactionTurn[] =>
  turns.filter(({ n }) => n > previous.throughTurn);

async function finish(
  read: ReadSpan,
  previous: PreviousCompaction | null,
  { target, write }: { target: number | null; write: NarrativeWriter | undefined },
): Promise<CompactedTurns> {
  const ruled = await segmentOf(read, previous, target);
  const before = previous?.systemPrompt ?? '';
  const taken = countTokens(before + composePrompt({ ...ruled, pins: [], sentences: [] }));
  const room = target === null ? null : Math.max(0, target - taken);
  const written = await write?.(ruled, { replaced: replacedIn(read), room });
  const segment = { ...ruled, written };
  const systemPrompt = before + composePrompt(segment);
  const compactedTokens = countTokens(systemPrompt);
  const narrative = (previous?.narrative ?? '') + composeNarrative(segment);
  const score = narrative ? validationScore(systemPrompt, read.memories) : 0;
  return {
    systemPrompt,
    narrative,
    pins: read.pins,
    memories: extractedOf(read),
    throughTurn: segment.through,
    originalTokens: read.originalTokens,
    compactedTokens,
    validationScore: Math.round(score * 1_000) / 1_000,
    extendsPrevious: previous !== null,
    isWritten: written !== undefined || (previous?.isWritten ?? false),
    firstUningestedTurn: read.firstUningestedTurn,
    qualityWarning: warningsOf(read, { target, systemPrompt, narrative, compactedTokens, score }).join('; ') || null,
  };
}

/** The segment of the turns since the previous version, within the target. */
async function segmentOf(
  read: ReadSpan,
  previous: PreviousCompaction | null,
  target: number | null,
): Promise<NarrativeSegment> {
  const from = previous ? previous.throughTurn + 1 : (read.turns[0]?.n ?? 0);
  const turns = previous ? turnsSince(previous, read) : read.turns;
  const room = (target ?? Infinity) - (previous ? countTokens(previous.systemPrompt) : 0);
  const before = new VerbatimText(previous?.systemPrompt ?? '');
  const newPins = read.pins.filter(({ text }) => !before.holds(text));
  const bare = { from, through: lastNumberOf(read.turns), pins: newPins, sentences: [], lastTurns: [] };
  const lastTurns = lastOf(turns, { room, free: room - countTokens(composePrompt(bare)) }, read);
  const lastWords = new VerbatimText(...lastTurns.map(({ content }) => content));
  const pins = newPins.filter(({ text }) => !lastWords.holds(text));
  const firstOfLast = lastTurns[0]?.n ?? Infinity;
  const candidates = read.candidates.filter(({ turn }) => turn.n >= from && turn.n < firstOfLast);
  const segment = { ...bare, pins, lastTurns };
  const sentences =
    target === null
      ? await leastSentences(read, previous, segment, candidates)
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
 * The last turns that fit beside the pins: at least one, unless it alone would take the room of all. What says something
 * outdated is none. From the first turn on that was not ingested all are, since nothing is known of what they say.
 */
function lastOf(
  turns: readonly CompactionTurn[],
  { room, free }: { room: number; free: number },
  { outdated, originalTokens, firstUningestedTurn }: ReadSpan,
): CompactionTurn[] {
  const stale = new Set(outdated.map(({ turn }) => turn.n));
  const share = Number.isFinite(room) ? room * lastTurnsShare : originalTokens * adaptiveLastShare;
  const last: CompactionTurn[] = [];
  let tokens = 0;
  for (const turn of turns.toReversed()) {
    tokens += countTokens(turn.content) + lineTokens;
    const isUningested = firstUningestedTurn !== null && turn.n >= firstUningestedTurn;
    const fits = tokens <= Math.min(free, last.length ? share : Math.max(share, room / 2));
    if (!isUningested && (stale.has(turn.n) || !fits)) break;
    last.unshift(turn);
  }
  return last;
}

/** The share of the original tokens that the last turns may take when there is no target. */
const adaptiveLastShare = 0.02;

/** The cheapest sentences that bring the score to what `adaptive` wants. */
async function leastSentences(
  read: ReadSpan,
  previous: PreviousCompaction | null,
  segment: NarrativeSegment,
  candidates: readonly CandidateSentence[],
): Promise<CandidateSentence[]> {
  const score = (sentences: readonly CandidateSentence[]) =>
    validationScore((previous?.systemPrompt ?? '') + composePrompt({ ...segment, sentences }), read.memories);
  const cheapest = candidates
    .filter(({ isExtracted }) => isExtracted)
    .toSorted((one, other) => one.tokens - other.tokens);
  const chosen = (count: number) => {
    const among = new Set(cheapest.slice(0, count));
    return candidates.filter((candidate) => among.has(candidate));
  };
  let [low, high] = [0, cheapest.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (score(chosen(middle)) >= minValidationScore) high = middle;
    else low = middle + 1;
    await setImmediate();
  }
  return chosen(low);
}

function extractedOf({ memories, earlier }: CompactionInput): ExtractedMemory[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const current = new Set(memories.flatMap((memory) => currentVersionOf(memory, byId) ?? []));
  const before = earlier.memories.filter(({ memoryId }) => !byId.has(memoryId));
  const extracted = [...current].map(({ id, type, category, content, quotes }) => ({
    memoryId: id,
    type,
    category,
    content,
    turns: [...new Set(quotes.flatMap(({ turns }) => turns))].toSorted((one, other) => one - other),
  }));
  return [...before, ...extracted];
}

/** What is to be known of a text, each read off the text itself. */
function warningsOf(
  { pins, originalTokens, firstUningestedTurn, failedTurns }: ReadSpan,
  {
    target,
    systemPrompt,
    narrative,
    compactedTokens,
    score,
  }: Pick<CompactionBody, 'systemPrompt' | 'narrative'> & {
    target: number | null;
    compactedTokens: number;
    score: number;
  },
): string[] {
  const text = new VerbatimText(systemPrompt);
  const pinned = pins.filter((pin) => text.holds(pin.text)).reduce((sum, pin) => sum + countTokens(pin.text), 0);
  const verbatim = failedTurns.filter(({ content }) => text.holds(content));
  const isLong = target !== null && compactedTokens > target * toleratedExcess;
  return [
    ...(isLong
      ? [
          `the text has ${compactedTokens} tokens, more than the target of ${target}, ${pinned} of them kept word for word`,
        ]
      : []),
    ...(compactedTokens >= originalTokens
      ? [`the text is no shorter than the conversation, which has ${originalTokens} tokens`]
      : []),
    ...(firstUningestedTurn === null
      ? []
      : [`what was said from turn ${firstUningestedTurn} on is not ingested yet and stays as it was said`]),
    ...(failedTurns.length
      ? [
          `turns that could not be ingested: ${failedTurns.length}, from turn ${failedTurns[0]!.n} on, of which ${verbatim.length} stay as they were said`,
        ]
      : []),
    ...(narrative ? [] : ['the text holds nothing of what was said']),
    ...(narrative && score < minValidationScore
      ? [`the text holds only ${Math.floor(score * 100)} % of what was extracted`]
      : []),
  ];
}
