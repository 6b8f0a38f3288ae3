import { oncePer } from '../flow/once-per.ts';
import { passageKeyOf } from '../retrieval/candidate.ts';
import type { RecalledMemory } from '../retrieval/recall.ts';

/** Shorter words are said again without being the same memory: "yes, please". */
const minChars = 15;

/** Words alone: neither case nor spaces nor marks tell two texts apart. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

const wordsSaid = oncePer((turn: { readonly text: string }) => wordsOf(turn.text));
const wordsOfMemory = oncePer((memory: RecalledMemory) => wordsOf(memory.opening));

/**
 * Creates a filter for memories that the agent already has in its context window: a memory whose words were just said
 * in this session, and every other memory of the same passage.
 */
export function createInContextFilter(
  said: readonly { readonly text: string }[],
  lists: Iterable<readonly RecalledMemory[]>,
): (memory: RecalledMemory) => boolean {
  const texts = said.map(wordsSaid);
  const memories = new Map([...lists].flat().map((memory) => [memory.id, memory]));
  const passages = new Set<string>();
  for (const memory of memories.values()) {
    const words = wordsOfMemory(memory).trimEnd(); // it may have been cut within a word
    if (words.length > minChars && texts.some((each) => each.includes(words))) passages.add(passageKeyOf(memory));
  }
  return (memory) => passages.has(passageKeyOf(memory));
}
