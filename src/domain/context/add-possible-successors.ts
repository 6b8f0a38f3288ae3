import type { Sql } from '../../db/database.ts';
import { parseId } from '../ids.ts';
import { matchesTypeAndProvenance, type Evidence, type Memory } from '../memories/memory.ts';
import { placeOutdatedBehind } from '../memories/order-outdated.ts';
import { relevanceOf } from '../memories/scored-memory.ts';
import type { MemoryReader, ReaderCache } from '../reader-cache/reader-cache.ts';
import type { ContextQuery } from './context.ts';

type Hydrated = Awaited<ReturnType<ReaderCache['hydrate']>>[number];
type Found = Hydrated & { readonly relevance: number };

/** A memory that was found, with its relevance: a place among others that says which is newer leaves that as it is. */
export const withRelevance = (memory: Hydrated): Found => ({ ...memory, relevance: relevanceOf(memory.score) });

/**
 * The memories of an answer, at most `limit`, in which nobody reads what may be outdated without what may have replaced
 * it: a newer memory that was not found itself comes directly before the older one, as relevant as that, unless the
 * passage that it was said in was found. The older ones stand behind either.
 */
export async function addPossibleSuccessors(
  { db, readers }: { readonly db: Sql; readonly readers: ReaderCache },
  reader: MemoryReader,
  found: readonly Found[],
  { limit, ...query }: Pick<ContextQuery, 'types' | 'provenance' | 'asOf' | 'explain'> & { readonly limit: number },
): Promise<Found[]> {
  const newer = await readers.hydrate(db, reader, missingSuccessors(found), query);
  const wanted = newer.filter((memory) => matchesTypeAndProvenance(memory, query)).map(withRelevance);
  const passageOf = new Map<string, string>();
  for (const memory of wanted) {
    const passage = found.find((each) => each.type === 'episodes' && tellsOf(each, memory));
    if (passage) passageOf.set(memory.id, passage.id);
  }
  const added = new Map(wanted.flatMap((memory) => (passageOf.has(memory.id) ? [] : [[memory.id, memory] as const])));
  const items = found.flatMap((memory) => {
    const successor = added.get(memory.possiblyOutdatedBy ?? '');
    if (!successor) return [memory];
    added.delete(successor.id); // once, before the first that it may have replaced
    return [successor, memory];
  });
  return placeOutdatedBehind(items, passageOf).slice(0, limit);
}

/** What may have replaced memories of the answer and is not in it, with the score of the first of those. */
function missingSuccessors(found: readonly Found[]): { id: string; score: number; parts: Record<string, number> }[] {
  const shown = new Set(found.map(({ id }) => id));
  const missing = new Map<string, number>();
  for (const { possiblyOutdatedBy: newer, score } of found) {
    if (newer !== null && !shown.has(newer) && !missing.has(newer)) missing.set(newer, score);
  }
  return [...missing].map(([id, score]) => ({ id: parseId('memory', id), score, parts: { mayReplace: score } }));
}

/** Whether words that the memory rests on stand in the passage. */
const tellsOf = (passage: Pick<Memory, 'evidence'>, { evidence }: Pick<Memory, 'evidence'>): boolean =>
  evidence.some((said) => passage.evidence.some((words) => isWithin(said, words)));

const isWithin = (said: Evidence, words: Evidence): boolean =>
  said.documentId === words.documentId &&
  said.turns.some((turn) => words.turns.includes(turn)) &&
  words.quote.includes(said.quote);
