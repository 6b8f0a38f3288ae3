import { mapYielding } from '../flow/map-yielding.ts';
import type { CompactionTurn } from './compaction.ts';
import { lookUpOverlaps, saysSomething, spanText, type MemoryQuoteSpan } from './turn-span.ts';

/** Finds the words that state what was replaced or corrected since, wherever they stand. */
export async function findOutdatedSpans(
  turns: readonly CompactionTurn[],
  { replaced, current }: { replaced: readonly MemoryQuoteSpan[]; current: readonly MemoryQuoteSpan[] },
): Promise<MemoryQuoteSpan[]> {
  const outdated = replaced.map((quote) => ownWordsOf(quote) ?? quote);
  return [...outdated, ...(await findRepetitions(turns, outdated, current))];
}

/** The content of a memory, where it stands in the words that are quoted for it: these are often a whole sentence. */
export function ownWordsOf(quote: MemoryQuoteSpan): MemoryQuoteSpan | undefined {
  const at = spanText(quote).indexOf(quote.memory.content);
  const start = quote.start + at;
  return at < 0 ? undefined : { ...quote, start, end: start + quote.memory.content.length };
}

/**
 * Finds verbatim repetitions of superseded quotes in other turns, such as an assistant's draft that contains them.
 * Spans that a current memory quotes are not counted, since they were said again after the quote was superseded.
 */
async function findRepetitions(
  turns: readonly CompactionTurn[],
  outdated: readonly MemoryQuoteSpan[],
  current: readonly MemoryQuoteSpan[],
): Promise<MemoryQuoteSpan[]> {
  const telling = outdated.filter((quote) => saysSomething(spanText(quote)));
  const knownAt = lookUpOverlaps([...outdated, ...current]);
  const found = await mapYielding(turns, (turn) =>
    telling.flatMap((quote): MemoryQuoteSpan[] => {
      const words = spanText(quote);
      const start = turn.content.indexOf(words);
      const repetition = { ...quote, turn, start, end: start + words.length };
      return start < 0 || knownAt(repetition).length ? [] : [repetition];
    }),
  );
  return found.flat();
}
