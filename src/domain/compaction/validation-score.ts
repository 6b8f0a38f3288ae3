import type { Pin, SpanMemory } from './compaction.ts';
import { VerbatimText } from './verbatim.ts';

/** The pins and memories that a compaction's text is measured against. */
export interface ValidationReference {
  readonly pins: readonly Pin[];
  readonly memories: readonly SpanMemory[];
}

/**
 * The share of pins and extracted memories that a text holds: verbatim, or by the value that replaced theirs. Read off
 * the text itself, so that whatever made it is held to the same.
 */
export function validationScore(text: string, { pins, memories }: ValidationReference): number {
  const found = new VerbatimText(text);
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const isHeld = ({ content, quotes }: SpanMemory) =>
    found.holds(content) || quotes.some((quote) => found.holds(quote.text));
  const measured = memories.flatMap((memory) => currentVersionOf(memory, byId) ?? []);
  const held = [...pins.map((pin) => found.holds(pin.text)), ...measured.map(isHeld)];
  return held.length === 0 ? 1 : held.filter(Boolean).length / held.length;
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
