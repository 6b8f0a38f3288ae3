import type { SpanMemory } from './compaction.ts';
import { VerbatimText } from './verbatim.ts';

/**
 * The share of extracted memories that a text holds: verbatim, or by the value that replaced theirs. Read off the text
 * itself, so that whatever made it is held to the same. Pins do not count: they are in every text.
 */
export function validationScore(text: string, memories: readonly SpanMemory[]): number {
  const found = new VerbatimText(text);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const measured = memories.flatMap((memory) => currentVersionOf(memory, byId) ?? []);
  const held = measured.filter(
    ({ content, quotes }) => found.holds(content) || quotes.some((quote) => found.holds(quote.text)),
  );
  return measured.length === 0 ? 1 : held.length / measured.length;
}

/** The memory that says what this one says, as it is now; undefined where that was not said in the conversation. */
export function currentVersionOf(memory: SpanMemory, byId: ReadonlyMap<string, SpanMemory>): SpanMemory | undefined {
  const seen = new Set<string>();
  let current: SpanMemory | undefined = memory;
  while (current?.status === 'superseded' && !seen.has(current.id)) {
    seen.add(current.id);
    current = current.supersededBy === null ? undefined : byId.get(current.supersededBy);
  }
  return current?.status === 'active' && current.type !== 'episodes' ? current : undefined;
}
