import type { Sql } from '../../db/database.ts';
import { parseId } from '../ids.ts';
import { matchesTypeAndProvenance, type Evidence, type Memory } from '../memories/memory.ts';
import { relevanceMargin, isLikelyReplaced, placeSuccessorsBefore } from '../memories/order-outdated.ts';
import { relevanceOf } from '../memories/scored-memory.ts';
import type { ContextMemory } from '../memories/scored-memory.ts';
import type { HydratedMemory, MemoryReader, ReaderCache, ScoredId } from '../reader-cache/reader-cache.ts';
import type { ContextQuery } from './context.ts';

type RelevantMemory = ContextMemory & HydratedMemory;

/**
 * Adds newer memories that may have replaced those of an answer, at most `limit` memories in all. A newer memory of the
 * requested types and provenance that the search missed comes directly before the older one with its score where it
 * likely replaced it, otherwise directly behind it and lower by `relevanceMargin`. Where the passage that it was said
 * in was found, that passage stands for it.
 */
export async function addPossibleSuccessors(
  { db, readers }: { readonly db: Sql; readonly readers: ReaderCache },
  reader: MemoryReader,
  found: readonly RelevantMemory[],
  { limit, ...query }: Pick<ContextQuery, 'types' | 'provenance' | 'asOf' | 'explain'> & { readonly limit: number },
): Promise<RelevantMemory[]> {
  const passageOf = new Map<string, string>();
  const known = new Set(found.map(({ uuid }) => uuid));
  let memories = [...found];
  // A possible successor may have been replaced itself.
  for (let missing = missingSuccessors(memories, known); missing.length; missing = missingSuccessors(memories, known)) {
    for (const { id } of missing) known.add(id);
    for (const newer of await readers.hydrate(db, reader, missing, query)) {
      if (!matchesTypeAndProvenance(newer, query)) continue;
      const place = memories.findIndex(({ possiblyOutdatedBy }) => possiblyOutdatedBy === newer.id);
      const passage = found.find((each) => isPassageOf(each, newer, memories[place]!.validFrom));
      if (passage) passageOf.set(newer.id, passage.id);
      else {
        const behind = isLikelyReplaced(memories[place]!) ? 0 : 1;
        memories = memories.toSpliced(place + behind, 0, { ...newer, relevance: relevanceOf(newer.score) });
      }
    }
  }
  return placeSuccessorsBefore(memories, passageOf).slice(0, limit);
}

/** Finds unknown memories that may have replaced others, scored by the first that they may have replaced. */
function missingSuccessors(memories: readonly RelevantMemory[], known: ReadonlySet<string>): ScoredId[] {
  const missing = new Map<string, ScoredId>();
  for (const older of memories) {
    const id = older.possiblyOutdatedBy && parseId('memory', older.possiblyOutdatedBy);
    if (!id || known.has(id) || missing.has(id)) continue;
    const score = isLikelyReplaced(older) ? older.score : older.score - relevanceMargin;
    missing.set(id, { id, score, parts: { mayReplace: score } });
  }
  return [...missing.values()];
}

/** Whether a passage, said no earlier than `since`, contains words that the memory rests on. */
const isPassageOf = (passage: Memory, { evidence }: Pick<Memory, 'evidence'>, since: Date): boolean =>
  passage.type === 'episodes' &&
  passage.validFrom >= since &&
  evidence.some((said) => passage.evidence.some((words) => isWithin(said, words)));

const isWithin = (said: Evidence, words: Evidence): boolean =>
  said.documentId === words.documentId &&
  said.turns.some((turn) => words.turns.includes(turn)) &&
  words.quote.includes(said.quote);
