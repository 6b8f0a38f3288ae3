import { reindexMemory } from '../memories/reindex-memory.ts';
import type { MemoryToChange } from '../memories/change-memory.ts';
import { saveCorrectedRecord, saveMetadata } from '../memories/correction-store.ts';
import { readIndexable } from '../memories/indexable-store.ts';
import { withOptimisticLock } from '../memories/optimistic-lock.ts';
import { deletePossibleSupersessions } from '../memories/possible-supersession-store.ts';
import { prepareIndex } from '../search-index/index-memories.ts';
import type { Access } from '../tenancy/access.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { rewriteDocument } from './document-store.ts';
import { quoteOfRecord } from './verbatim.ts';

/** Gives a record other words, other metadata or both: it is found by them and by no others, and so is its document. */
export async function rewriteRecord(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { content, metadata }: Pick<Correction, 'content' | 'metadata'>,
): Promise<true | null> {
  const { id, documentId } = memory;
  const [record] = await readIndexable(deps.db, access, { places: [], ids: [id], reach: 0 });
  if (!record) return null; // archived or forgotten a moment ago
  const text = content ?? record.text;
  const noted = metadata === undefined ? record.noted : (metadata ?? {});
  const model = await deps.embedding.serving(access);
  const entries = await prepareIndex(model, access, [{ ...record, text, noted }]);
  const vectors = entries.map(({ vector }) => vector);
  const prepared = await deps.vectors.prepare(access, { space: model.space, vectors }, { allowDeferred: true });
  return withOptimisticLock(deps, access, async (tx) => {
    await reindexMemory(tx, deps, access, memory, { entries, prepared });
    await saveCorrectedRecord(tx, access, { id, content: text, quote: quoteOfRecord(text) });
    if (metadata !== undefined) await saveMetadata(tx, access, id, metadata);
    await rewriteDocument(tx, access, { id: documentId, body: text, metadata });
    if (text !== record.text) await deletePossibleSupersessions(tx, access, id);
    await deps.removeCompactions(tx, access, { memoryIds: [id], conversationIds: [] });
    return true as const;
  });
}
