import type { WriteTx } from '../invalidation/write-transaction.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { notFoundError } from '../errors.ts';
import { parseId, toPublicId } from '../ids.ts';
import { eraseTurnContents, removeDocuments } from '../ingestion/document-store.ts';
import { recordsAmong } from '../memories/indexable-store.ts';
import { citationsOf, citationsOfTurns } from '../memories/evidence-store.ts';
import { findMemoryLocations, readableIds } from '../memories/memory-store.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { erase, type ErasureDependencies, type PlannedErasure } from './erase.ts';
import type { Receipt } from './receipt.ts';
import { turnsByDocument } from './turns-by-document.ts';

/**
 * Removes a memory from every store for good. `cascade` also removes the other memories that cite its turns, and
 * blanks those turns in their documents where nothing else cites them. A record is its document, which goes with it.
 * Throws `not_found`.
 */
export async function forgetMemory(
  deps: ErasureDependencies,
  access: Access,
  id: string,
  { cascade, ...named }: SubjectIds & { cascade: boolean },
): Promise<Receipt> {
  const memoryId = parseId('memory', id);
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  const owners = async () => {
    const [readable] = await readableIds(deps.db, reader, [memoryId]);
    const homes = readable ? await findMemoryLocations(deps.db, access, [readable]) : [];
    if (!homes.length) throw notFoundError('memory');
    return homes.map((home) => home.ownerNo);
  };
  const decide = async (): Promise<PlannedErasure> => {
    const cited = turnsByDocument(await citationsOf(deps.db, reader, [memoryId]));
    const citing = cited.length ? await citationsOfTurns(deps.db, reader, cited) : [];
    const others = await readableIds(deps.db, reader, [...new Set(citing.map((row) => row.memoryId))]);
    const also = others.filter((other) => other !== memoryId);
    const documentIds = cited.map(({ documentId }) => documentId);
    if ((await recordsAmong(deps.db, reader, [memoryId])).has(memoryId)) {
      const rest = async (tx: WriteTx) => ({ rows: await removeDocuments(tx, access, documentIds), turns: 0 });
      return { memoryIds: [memoryId, ...also], documentIds, rest };
    }
    if (cascade) {
      return {
        memoryIds: [memoryId, ...also],
        documentIds: [],
        rest: async (tx) => ({ rows: 0, turns: await eraseTurnContents(tx, access, cited) }),
      };
    }
    const alsoStatedIn = {
      memoryIds: also.map((other) => toPublicId('memory', other)),
      documentIds: documentIds.map((documentId) => toPublicId('document', documentId)),
    };
    return { memoryIds: [memoryId], documentIds: [], alsoStatedIn, rest: async () => ({ rows: 0, turns: 0 }) };
  };
  return erase(deps, access, { owners, decide });
}
