import { countTokens } from '../language/count-tokens.ts';
import { isCurrent, minValidationScore, type Compaction, type CompactionTurn, type SpanMemory } from './compaction.ts';
import { VerbatimText } from './verbatim.ts';

/**
 * The share of extracted memories that a text holds, 0 to 1: verbatim, or by the value that replaced theirs. Read off
 * the text itself, so that whatever made it is held to the same. Pins do not count: they are in every text.
 */
export function validationScore(text: string, memories: readonly SpanMemory[]): number {
  const found = new VerbatimText(text);
  const measured = currentVersionsOf(memories);
  const held = measured.filter(
    ({ content, quotes }) => found.holds(content) || quotes.some((quote) => found.holds(quote.text)),
  );
  return measured.length === 0 ? 1 : held.length / measured.length;
}

/** For each memory the one that says the same as it is now, unless that was not said in the conversation. */
export function currentVersionsOf(memories: readonly SpanMemory[]): SpanMemory[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  return memories.flatMap((memory) => {
    const seen = new Set<string>();
    let current: SpanMemory | undefined = memory;
    while (current?.status === 'superseded' && !seen.has(current.id)) {
      seen.add(current.id);
      current = current.supersededBy === null ? undefined : byId.get(current.supersededBy);
    }
    return current && isCurrent(current) ? current : [];
  });
}

/** A text that goes on from the previous one may exceed the target by this: a cached prompt is worth it. */
const toleratedExcess = 1.1;

export const isWithinTarget = (tokens: number, target: number | null): boolean =>
  target === null || tokens <= target * toleratedExcess;

/** A text as it was composed, and what it was composed of. */
interface ComposedText extends Pick<
  Compaction,
  'systemPrompt' | 'narrative' | 'pins' | 'compactedTokens' | 'originalTokens' | 'firstUningestedTurn'
> {
  readonly target: number | null;
  readonly score: number;
  readonly failedTurns: readonly CompactionTurn[];
}

/** Warns the reader of a text, by what the text itself shows; null: there is nothing to warn of. */
export function qualityWarningOf(composed: ComposedText): string | null {
  const { narrative, compactedTokens, originalTokens, target, score, firstUningestedTurn, failedTurns } = composed;
  const text = new VerbatimText(composed.systemPrompt);
  const warnings: string[] = [];
  if (!isWithinTarget(compactedTokens, target)) {
    const pinned = composed.pins
      .filter((pin) => text.holds(pin.text))
      .reduce((sum, pin) => sum + countTokens(pin.text), 0);
    warnings.push(
      `the text has ${compactedTokens} tokens, more than the target of ${target}, ${pinned} of them kept word for word`,
    );
  }
  if (compactedTokens >= originalTokens)
    warnings.push(`the text is no shorter than the conversation, which has ${originalTokens} tokens`);
  if (firstUningestedTurn !== null)
    warnings.push(`what was said from turn ${firstUningestedTurn} on is not ingested yet and stays as it was said`);
  if (failedTurns.length) {
    const verbatim = failedTurns.filter(({ content }) => text.holds(content)).length;
    warnings.push(
      `turns that could not be ingested: ${failedTurns.length}, from turn ${failedTurns[0]!.n} on, of which ${verbatim} stay as they were said`,
    );
  }
  if (!narrative) warnings.push('the text holds nothing of what was said');
  else if (score < minValidationScore)
    warnings.push(`the text holds only ${Math.floor(score * 100)} % of what was extracted`);
  return warnings.join('; ') || null;
}
