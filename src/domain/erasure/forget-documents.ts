import type { Sql } from '../../db/database.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { removeConversations } from '../conversations/conversation-store.ts';
import { invalidInputError, notFoundError } from '../errors.ts';
import { fromPublicId } from '../ids.ts';
import { findDocuments, findReplacedDocument, removeDocuments } from '../ingestion/document-store.ts';
import { citationsIn, citationsOf, deleteCitationsIn, recomputeConfidence } from '../memories/evidence-store.ts';
import { findMemoryLocations, idsOfOwners, type MemoryPosition } from '../memories/memory-store.ts';
import { mayReadOwner, type Access, type SubjectIds } from '../tenancy/access.ts';
import { ownersOf, removeOwners } from '../tenancy/owner-store.ts';
import { hasEventsAbout, removeEventsAbout } from '../webhooks/event-store.ts';
import { erase, type ErasureDependencies, type PlannedErasure } from './erase.ts';
import type { Receipt } from './receipt.ts';

/**
 * Removes a document, by the caller's id or ours, with its ingestion and the memories that only it states. A memory
 * that another document states too stays, without this evidence. Throws `not_found`.
 */
export async function forgetDocument(
  deps: ErasureDependencies,
  access: Access,
  id: string,
  named: SubjectIds,
): Promise<Receipt> {
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  const uuid = fromPublicId('document', id);
  const find = async () => {
    const found = await findDocuments(deps.db, access, { OR: [{ externalId: id }, ...(uuid ? [{ id: uuid }] : [])] });
    const documents = found.filter(({ ownerNo }) => mayReadOwner(reader, ownerNo));
    if (!documents.length) throw notFoundError('document');
    return documents;
  };
  return eraseDocuments(deps, access, find);
}

/**
 * Erases the documents that a newly ingested document replaced. Memories that both documents state are kept. The
 * replaced documents became unreadable when the new one was stored.
 */
export async function forgetReplaced(deps: ErasureDependencies, access: Access, ingestionId: string): Promise<void> {
  const find = () => findReplacedDocument(deps.db, access, ingestionId);
  if ((await find()).length) await eraseDocuments(deps, access, find);
}

/** Erases what `find` finds, which is asked anew whenever somebody wrote in between. */
const eraseDocuments = (
  deps: ErasureDependencies,
  access: Access,
  find: () => Promise<readonly { readonly id: string; readonly ownerNo: number }[]>,
): Promise<Receipt> =>
  erase(deps, access, {
    owners: async () => [...new Set((await find()).map(({ ownerNo }) => ownerNo))],
    decide: async (ownerNos) => {
      const documents = (await find()).filter(({ ownerNo }) => ownerNos.includes(ownerNo));
      const ids = documents.map(({ id }) => id);
      return documentErasure(deps, access, ids);
    },
  });

/**
 * Removes everything of a user or a customer: documents, memories, conversations, the entities that only they
 * mention, the events about them, and the owners themselves. Throws `not_found`.
 */
export async function forgetOwner(deps: ErasureDependencies, access: Access, named: SubjectIds): Promise<Receipt> {
  if (!named.userId && !named.customerId) throw invalidInputError('user_id', 'name whom to forget');
  const ownersIn = async (sql: Sql) => {
    const found = await ownersOf(sql, access, named);
    return found.map(({ ownerNo }) => ownerNo).toSorted((one, other) => one - other);
  };
  const owners = async () => {
    const found = await ownersIn(deps.db);
    if (!found.length && !(await hasEventsAbout(deps.db, access, named)))
      throw notFoundError(named.userId ? 'user' : 'customer');
    return found;
  };
  const decide = async (ownerNos: readonly number[]): Promise<PlannedErasure> => {
    const documentsIn = async (sql: Sql) => {
      const documents = await findDocuments(sql, access, { ownerNo: { in: [...ownerNos] } });
      return documents.map((document) => document.id).toSorted();
    };
    const documentIds = await documentsIn(deps.db);
    const erasure = await documentErasure(deps, access, documentIds);
    const all = new Set([...erasure.memoryIds, ...(await idsOfOwners(deps.db, access, ownerNos))]);
    return {
      memoryIds: [...all],
      documentIds,
      isOfOwners: true,
      // A user of the customer may have come meanwhile, or a document been accepted: they are forgotten too.
      holds: async (tx) =>
        String(await ownersIn(tx)) === String(ownerNos) && String(await documentsIn(tx)) === String(documentIds),
      rest: async (tx) => {
        const { rows, turns } = await erasure.rest(tx);
        const told = (await removeConversations(tx, access, ownerNos)) + (await removeEventsAbout(tx, access, named));
        return { rows: rows + told + (await removeOwners(tx, access, ownerNos)), turns };
      },
    };
  };
  return erase(deps, access, { owners, decide });
}

async function documentErasure(
  deps: ErasureDependencies,
  access: Access,
  documentIds: readonly string[],
): Promise<PlannedErasure> {
  const cited = await citationsIn(deps.db, access, documentIds);
  const memoryIds = [...new Set(cited.map((row) => row.memoryId))];
  const going = new Set(documentIds);
  const remaining = (await citationsOf(deps.db, access, memoryIds)).filter((row) => !going.has(row.documentId));
  const staying = new Set(remaining.map((row) => row.memoryId));
  const homes = await findMemoryLocations(deps.db, access, [...staying]);
  const homeless = new Set(homes.flatMap(({ id, documentId }) => (going.has(documentId) ? id : [])));
  return {
    memoryIds: memoryIds.filter((id) => !staying.has(id)),
    documentIds,
    losingEvidence: [...staying],
    // Where the others stand, nothing changes: neither since when they hold nor what is noted of them.
    moved: new Map(
      remaining
        .filter((row) => homeless.has(row.memoryId))
        .toReversed()
        .toSorted((one, other) => other.saidAt.getTime() - one.saidAt.getTime()) // the first saying is set last
        .map(({ memoryId, documentId, turns, saidAt }): [string, MemoryPosition] => [
          memoryId,
          { documentId, turn: turns[0]!, saidAt },
        ]),
    ),
    rest: async (tx) => {
      const evidence = await deleteCitationsIn(tx, access, documentIds);
      await deps.vectors.refreshProvenance(tx, access, await recomputeConfidence(tx, access, [...staying]));
      return { rows: evidence + (await removeDocuments(tx, access, documentIds)), turns: 0 };
    },
  };
}
