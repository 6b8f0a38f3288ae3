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
import { notFound } from '../errors.ts';
import { instanceIdOf, instanceNumber, newUuid, parseInstanceId, type InstanceId } from '../ids.ts';
import { InstanceKeys } from '../sealing/instance-keys.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access, Admin } from '../tenancy/access.ts';
import { misdirected } from '../tenancy/authenticate.ts';
import { releaseKeysOfInstance } from '../tenancy/idempotency.ts';
import { lockInstance, readInstanceRecord, savePurged } from '../tenancy/instance-store.ts';
import type { InstanceRecord } from '../tenancy/instance.ts';
import { instanceTransitions } from './instance-states.ts';
import { nextState } from './next-state.ts';
import { countRowsOf, removeRows, tablesOfInstances } from './purge-store.ts';
import { blankAudit, saveAudit } from './store.ts';

/** The dependencies of a purge. */
export interface Purging extends WriteDependencies {
  readonly keyRing: KeyRing;
  readonly readers: ReaderCache;
  readonly vectors: VectorIndex;
  /** The region that this process serves: another region's vectors are in another region's store. */
  readonly region: string;
  readonly now: () => Date;
}

/** So that others get their turn on the one connection of the embedded Postgres. */
const removedAtOnce = 500;
/** A call that was let in before the purge has ended after this, whatever it writes: a request, a transaction, a job. */
const quietMs = 130_000;
const beginAgainMs = 1_000;

/** A purge that was begun: the instance as it is shown from then on, and what was removed so far. */
export interface Purge {
  readonly instance: InstanceRecord;
  readonly receipt: PurgeReceipt;
}

/**
 * Ends an archived instance for good. From the commit on it opens to nobody, its streams end, and its data key is gone,
 * so that whatever is left of it, in the rows or in a backup of them, opens no more; the rows go in the background.
 * Asked for again, it tells how far that is. Throws `not_found`, `conflict` when it is not archived, and `misdirected`
 * for one of another region.
 */
export async function purgeInstance(deps: Purging, admin: Admin, id: string): Promise<Purge> {
  const instance = parseInstanceId(id);
  const i = instanceNumber(instance);
  const at = deps.now();
  const record = await writeTransaction(deps, async (tx) => {
    const before = await lockInstance(tx, i);
    if (!before) throw notFound('instance');
    if (before.region !== deps.region) throw misdirected(before.region);
    if (before.state === 'purged') return before;
    nextState(instanceTransitions, { what: 'instance', state: before.state, event: 'purge' });
    await savePurgeReceipt(tx, i, at);
    await saveAudit(tx, { i, keys: deadKeys(instance) }, { actor: admin, action: 'instance.purge', target: id, at });
    await enqueue(tx, 'purge-instance', { id: newUuid(), i });
    return savePurged(tx, i);
  });
  deps.keyRing.forget(instance);
  deps.readers.forget(i);
  return { instance: record, receipt: await purgeReceipt(deps.db, instance) };
}

/** How far the purge is. Throws `not_found` for an instance that is not purged. */
export async function purgeReceipt(db: Db, instance: InstanceId): Promise<PurgeReceipt> {
  const receipt = await readPurgeReceipt(db, instanceNumber(instance));
  if (!receipt) throw notFound('purged instance');
  return receipt;
}

/**
 * Removes what there is of a purged instance, once at once and once more after `quiet`, when no call is left that could
 * write. It may be stopped and begun again at any point. Resolves with how long to wait before going on, or null when
 * nothing is left and the receipt says so.
 */
export async function removePurged(
  deps: Purging,
  i: bigint,
  { signal, quiet = quietMs }: { signal: AbortSignal; quiet?: number },
): Promise<number | null> {
  const receipt = await readPurgeReceipt(deps.db, i);
  if (!receipt || receipt.completedAt) return null;
  const instance = await readInstanceRecord(deps.db, i);
  if (instance && instance.region !== deps.region) throw misdirected(instance.region);
  const isLast = deps.now().getTime() >= receipt.purgedAt.getTime() + quiet; // before anything is removed
  const tables = await tablesOfInstances(deps.db);
  for (const table of tables) await removeAll(deps.db, i, table, signal);
  if (signal.aborted) return 0;
  await deps.vectors.dropInstance(anyoneIn(i)); // of an index beyond the network; rows beside these went with their table
  await blankAudit(deps.db, { i });
  if (!isLast) return Math.max(beginAgainMs, receipt.purgedAt.getTime() + quiet - deps.now().getTime());
  await releaseKeysOfInstance(deps.db, i);
  await removeAll(deps.db, i, 'api_key', signal);
  const remaining: Record<string, number> = {};
  for (const table of [...tables, 'api_key']) remaining[table] = await countRowsOf(deps.db, i, table);
  remaining['vectors'] = await deps.vectors.clear(anyoneIn(i), [], removedAtOnce);
  if (Object.values(remaining).some((count) => count > 0)) return beginAgainMs;
  await completePurgeReceipt(deps.db, i, deps.now(), remaining);
  return null;
}

async function removeAll(db: Db, i: bigint, table: string, signal: AbortSignal): Promise<void> {
  let count = removedAtOnce;
  while (count === removedAtOnce && !signal.aborted) {
    count = await transaction(db, async (tx) => {
      const removed = await removeRows(tx, i, { table, limit: removedAtOnce });
      if (removed) await addRemoved(tx, i, { store: table, count: removed });
      return removed;
    });
  }
}

/** Keys that open nothing: those of the instance are gone. */
const deadKeys = (instance: InstanceId) => new InstanceKeys(instance, randomBytes(32));

const anyoneIn = (i: bigint): Access => {
  const instance = instanceIdOf(i);
  const principal = { kind: 'admin', tokenId: 'purge', role: 'owner' } as const;
  return {
    principal,
    instance,
    i,
    keys: deadKeys(instance),
    configurationVersion: 0,
    instanceRevision: 0n,
    eventTypes: [],
    reads: 'instance',
  };
};
