import { randomBytes } from 'node:crypto';
import { enqueue } from '../../jobs/queue.ts';
import { transaction, type Db } from '../../db/database.ts';
import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import {
  addRemoved,
  completePurgeReceipt,
  readPurgeReceipt,
  savePurgeReceipt,
  type PurgeReceipt,
} from '../erasure/purge-receipt-store.ts';
import { notFoundError } from '../errors.ts';
import { instanceIdOf, instanceNumberOf, newUuid, parseInstanceId, type InstanceId } from '../ids.ts';
import { InstanceKeys } from '../sealing/instance-keys.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Admin } from '../tenancy/access.ts';
import { misdirectedError } from '../tenancy/authenticate.ts';
import { releaseKeysOfInstance } from '../tenancy/idempotency.ts';
import { lockInstance, readInstanceRecord, savePurged } from '../tenancy/instance-store.ts';
import type { InstanceRecord } from '../tenancy/instance.ts';
import { nextInstanceState } from './state-machines.ts';
import { countRowsOf, removeRows, tablesOfInstances } from './purge-store.ts';
import { eraseAuditContents, saveAudit } from './audit-store.ts';

export interface PurgeDependencies extends WriteDependencies {
  readonly keyRing: KeyRing;
  readonly readers: ReaderCache;
  readonly vectors: VectorIndex;
  /** The region that this process serves: another region's vectors are in another region's store. */
  readonly region: string;
  readonly now: () => Date;
}

/** So that others get their turn on the one connection of the embedded Postgres. */
const removedAtOnce = 500;
/** After this, every request, transaction and job that was let in before the purge has ended. */
const quietMs = 130_000;
const beginAgainMs = 1_000;

/** A purge that was begun: the instance as it is shown from then on, and what was removed so far. */
export interface InstancePurge {
  readonly instance: InstanceRecord;
  readonly receipt: PurgeReceipt;
}

/**
 * Ends an archived instance for good. From the commit on it opens to nobody, its streams end, and its data key is gone,
 * so that whatever is left of it, in the rows or in a backup of them, opens no more; the rows go in the background.
 * Asked for again, it tells how far that is. Throws `not_found`, `conflict` when it is not archived, and
 * `misdirectedError` for one of another region.
 */
export async function purgeInstance(deps: PurgeDependencies, admin: Admin, id: string): Promise<InstancePurge> {
  const instance = parseInstanceId(id);
  const instanceNumber = instanceNumberOf(instance);
  const at = deps.now();
  const record = await writeTransaction(deps, async (tx) => {
    const before = await lockInstance(tx, instanceNumber);
    if (!before) throw notFoundError('instance');
    if (before.region !== deps.region) throw misdirectedError(before.region);
    if (before.state === 'purged') return before;
    nextInstanceState(before.state, 'purge');
    await savePurgeReceipt(tx, instanceNumber, at);
    await saveAudit(
      tx,
      { instanceNumber, keys: deadKeys(instance) },
      { actor: admin, action: 'instance.purge', target: id, at },
    );
    await enqueue(tx, 'purge-instance', { id: newUuid(), instanceNumber });
    return savePurged(tx, instanceNumber);
  });
  deps.keyRing.forget(instance);
  deps.readers.forget(instanceNumber);
  return { instance: record, receipt: await requirePurgeReceipt(deps.db, instance) };
}

/** The progress of a purge. Throws `not_found` for an instance that is not purged. */
export async function requirePurgeReceipt(db: Db, instance: InstanceId): Promise<PurgeReceipt> {
  const receipt = await readPurgeReceipt(db, instanceNumberOf(instance));
  if (!receipt) throw notFoundError('purged instance');
  return receipt;
}

/**
 * Removes what there is of a purged instance, once at once and once more after `quiet`, when no call is left that could
 * write. It may be stopped and begun again at any point. Resolves with how long to wait before going on, or null when
 * nothing is left and the receipt says so.
 */
export async function removePurgedData(
  deps: PurgeDependencies,
  instanceNumber: bigint,
  { signal, quiet = quietMs }: { signal: AbortSignal; quiet?: number },
): Promise<number | null> {
  const receipt = await readPurgeReceipt(deps.db, instanceNumber);
  if (!receipt || receipt.completedAt) return null;
  const instance = await readInstanceRecord(deps.db, instanceNumber);
  if (instance && instance.region !== deps.region) throw misdirectedError(instance.region);
  const isLast = deps.now().getTime() >= receipt.purgedAt.getTime() + quiet; // before anything is removed
  const tables = await tablesOfInstances(deps.db);
  for (const table of tables) await removeAll(deps.db, instanceNumber, table, signal);
  if (signal.aborted) return 0;
  const purged = { instanceNumber, instance: instanceIdOf(instanceNumber) };
  await deps.vectors.dropInstance(purged); // of an index beyond the network; rows beside these went with their table
  await eraseAuditContents(deps.db, { instanceNumber });
  if (!isLast) return Math.max(beginAgainMs, receipt.purgedAt.getTime() + quiet - deps.now().getTime());
  await releaseKeysOfInstance(deps.db, instanceNumber);
  await removeAll(deps.db, instanceNumber, 'api_key', signal);
  const remaining: Record<string, number> = {};
  for (const table of [...tables, 'api_key']) remaining[table] = await countRowsOf(deps.db, instanceNumber, table);
  remaining['vectors'] = await deps.vectors.clear(purged, [], removedAtOnce);
  if (Object.values(remaining).some((count) => count > 0)) return beginAgainMs;
  await completePurgeReceipt(deps.db, instanceNumber, deps.now(), remaining);
  return null;
}

async function removeAll(db: Db, instanceNumber: bigint, table: string, signal: AbortSignal): Promise<void> {
  let count = removedAtOnce;
  while (count === removedAtOnce && !signal.aborted) {
    count = await transaction(db, async (tx) => {
      const removed = await removeRows(tx, instanceNumber, { table, limit: removedAtOnce });
      if (removed) await addRemoved(tx, instanceNumber, { store: table, count: removed });
      return removed;
    });
  }
}

/** Keys that open nothing: those of the instance are gone. */
const deadKeys = (instance: InstanceId) => new InstanceKeys(instance, randomBytes(32));
