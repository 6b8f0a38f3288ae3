import { reindexMemory } from '../memories/reindex-memory.ts';
import type { MemoryToChange } from '../memories/change-memory.ts';
import { saveCorrectedRecord } from '../memories/correction-store.ts';
import type { Memory } from '../memories/memory.ts';
import { readIndexable } from '../memories/indexable-store.ts';
import { withOptimisticLock } from '../memories/optimistic-lock.ts';
import { deletePossibleSupersessions } from '../memories/possible-supersession-store.ts';
import { prepareIndex } from '../search-index/index-memories.ts';
import type { Access } from '../tenancy/access.ts';
import { correctedTimes, eventOf } from './corrected-event.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { rewriteDocument } from './document-store.ts';
import { noteCorrection } from './note-correction.ts';
import { quoteOfRecord } from './verbatim.ts';

/**
 * Gives a record other words, other metadata, another type or other times: it is found by these words and metadata and
 * by no others, and its document has them.
 */
export async function rewriteRecord(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { before, correction }: { before: Memory; correction: Correction },
): Promise<true | null> {
  const { content, metadata, type = before.type } = correction;
  const times = correctedTimes({ event: eventOf(before), dueAt: before.dueAt }, correction);
  const { id, documentId } = memory;
  const [record] = await readIndexable(deps.db, access, { ids: [id] });
  if (!record) return null; // archived or forgotten a moment ago
  const text = content ?? record.text;
  const noted = metadata === undefined ? record.noted : (metadata ?? {});
  const model = await deps.embedding.serving(access);
  const entries = await prepareIndex(model, access, [{ ...record, text, noted, type }]);
  const vectors = entries.map(({ vector }) => vector);
  const prepared = await deps.vectors.prepare(access, { space: model.space, vectors }, { allowDeferred: true });
  return withOptimisticLock(deps, access, async (tx) => {
    await reindexMemory(tx, deps, access, memory, { entries, prepared });
    await saveCorrectedRecord(tx, access, { id, type, ...times, content: text, quote: quoteOfRecord(text) });
    await noteCorrection(tx, deps, access, { id, correction });
    await rewriteDocument(tx, access, { id: documentId, body: text, metadata });
    if (text !== record.text) await deletePossibleSupersessions(tx, access, id);
    await deps.removeCompactions(tx, access, { memoryIds: [id], conversationIds: [] });
    return true as const;
  });
}
