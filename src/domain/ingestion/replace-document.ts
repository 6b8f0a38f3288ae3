import type { Sql } from '../../db/database.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { archiveWithin } from '../memories/archive.ts';
import { citationsIn, citationsOf } from '../memories/evidence-store.ts';
import { WriteConflict } from '../memories/optimistic-lock.ts';
import { findMemoryLocations } from '../memories/memory-store.ts';
import type { VectorWrites } from '../search-index/vector-index.ts';
import type { Access, ReadableOwner } from '../tenancy/access.ts';
import { findOwners, lockOwnersIfUnchanged } from '../tenancy/owner-store.ts';
import { findReplacedDocument } from './document-store.ts';
import type { IngestionWork } from './ingestion-store.ts';

/** The documents whose place a document takes, and what only they state, as their owners were when that was read. */
export interface Replacement {
  readonly documentIds: ReadonlySet<string>;
  readonly owners: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[];
  readonly memories: readonly { readonly id: string; readonly ownerNo: number }[];
}

const nothing: Replacement = { documentIds: new Set(), owners: [], memories: [] };

/** Plans what to remove when this document is stored: documents without an id of the caller's replace nothing. */
export async function planReplacement(
  sql: Sql,
  access: Access,
  { ingestionId, externalId }: Pick<IngestionWork, 'ingestionId' | 'externalId'>,
): Promise<Replacement> {
  const former = externalId === null ? [] : await findReplacedDocument(sql, access, ingestionId);
  if (!former.length) return nothing;
  const owners = await findOwners(sql, access.instanceNumber, [...new Set(former.map(({ ownerNo }) => ownerNo))]);
  const documentIds = new Set(former.map(({ id }) => id));
  const cited = await citationsIn(sql, access, [...documentIds]);
  const memoryIds = [...new Set(cited.map(({ memoryId }) => memoryId))];
  const stated = await citationsOf(sql, access, memoryIds);
  const staying = new Set(stated.filter((row) => !documentIds.has(row.documentId)).map(({ memoryId }) => memoryId));
  const going = memoryIds.filter((id) => !staying.has(id));
  return { documentIds, owners, memories: await findMemoryLocations(sql, access, going) };
}

/** The owners to be locked with the others of the transaction, before any of them is revised. */
export const ownersOfReplacement = ({ owners }: Replacement): number[] => owners.map(({ ownerNo }) => ownerNo);

/** Throws `WriteConflict` when somebody wrote to an owner since it was planned. */
export async function lockReplacement(tx: WriteTx, access: Access, { owners }: Replacement): Promise<void> {
  if (!(await lockOwnersIfUnchanged(tx, access.instanceNumber, owners))) throw new WriteConflict();
}

/**
 * Takes the memories of the replaced documents out of sight in the commit that shows those of their successor, but for
 * what it repeats: a reader sees the one or the other. The job then erases what is out of sight, which needs vectors to
 * be made and takes longer than a transaction may. Returns the ids of what is out of sight.
 */
export async function applyReplacement(
  tx: WriteTx,
  vectors: VectorWrites,
  access: Access,
  { work, replacement, repeated }: { work: IngestionWork; replacement: Replacement; repeated: ReadonlySet<string> },
): Promise<string[]> {
  if (!replacement.documentIds.size) return [];
  const going = replacement.memories.filter(({ id }) => !repeated.has(id));
  for (const { ownerNo } of replacement.owners) {
    const ids = going.filter((memory) => memory.ownerNo === ownerNo).map(({ id }) => id);
    if (ids.length) await archiveWithin(tx, vectors, access, { ownerNo, ids });
  }
  await enqueue(tx, 'erase-replaced', { id: work.ingestionId, instanceNumber: access.instanceNumber });
  return going.map(({ id }) => id);
}
