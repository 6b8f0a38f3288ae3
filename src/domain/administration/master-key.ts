import { enqueue } from '../../jobs/queue.ts';
import { transaction, type Db } from '../../db/database.ts';
import { instanceIdOf, type InstanceId } from '../ids.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { Admin } from '../tenancy/access.ts';
import { readServiceKey, rewrapServiceKey } from '../tenancy/service-key-store.ts';
import {
  countInstancesOfMasterKey,
  replaceWrappedKey,
  findInstancesOfOtherMasterKeys,
} from '../tenancy/instance-store.ts';
import { saveAudit } from './audit-store.ts';

export interface KeyRotationDependencies {
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly now: () => Date;
}

/** Progress of re-wrapping the data keys with the current master key. */
export interface MasterKeyRotation {
  /** Names the key and tells nothing of it. */
  readonly masterKeyId: string;
  /** Data keys that it wraps, of all: each instance's, and that of the service. */
  readonly done: number;
  readonly total: number;
}

/** The only job of its kind, however often a rotation is requested. */
const rotationJob = { id: '01900000-0000-7000-8000-6d61737465fb', instanceNumber: 0n };
const batchSize = 50;

/**
 * Wraps every instance's data key by the master key of now, in the background; the one before has to stay configured
 * until `done` is `total`. What is stored is not touched: nothing stops meanwhile.
 */
export async function rotateMasterKey(deps: KeyRotationDependencies, admin: Admin): Promise<MasterKeyRotation> {
  const target = deps.keyRing.masterKeyId;
  await transaction(deps.db, async (tx) => {
    await enqueue(tx, 'rotate-master-key', rotationJob);
    await saveAudit(tx, null, { actor: admin, action: 'master-key.rotate', target, at: deps.now() });
  });
  return readMasterKeyRotation(deps);
}

/** Counts the data keys that the current master key wraps, and all that there are. */
export async function readMasterKeyRotation(deps: Omit<KeyRotationDependencies, 'now'>): Promise<MasterKeyRotation> {
  const { masterKeyId } = deps.keyRing;
  const [instances, ofService] = await Promise.all([
    countInstancesOfMasterKey(deps.db, masterKeyId),
    readServiceKey(deps.db),
  ]);
  const isDone = ofService?.masterKeyId === masterKeyId;
  return { masterKeyId, done: instances.done + (isDone ? 1 : 0), total: instances.total + (ofService ? 1 : 0) };
}

/**
 * One pass over the data keys that another master key wraps, until `signal` is aborted. A key that cannot be opened is
 * told to `failed` and left as it is; returns how many those were. It may be stopped and begun again at any point.
 */
export async function rewrapDataKeys(
  deps: Omit<KeyRotationDependencies, 'now'>,
  signal: AbortSignal,
  failed: (instance: InstanceId, error: unknown) => void,
): Promise<number> {
  await rewrapServiceKey(deps);
  let after: bigint | null = null;
  let failures = 0;
  while (!signal.aborted) {
    const batch: Awaited<ReturnType<typeof findInstancesOfOtherMasterKeys>> = await findInstancesOfOtherMasterKeys(
      deps.db,
      {
        than: deps.keyRing.masterKeyId,
        after,
        limit: batchSize,
      },
    );
    for (const { instanceNumber, dataKey } of batch) {
      const instance = instanceIdOf(instanceNumber);
      try {
        const rewrapped = await deps.keyRing.rewrap(instance, dataKey);
        // Replaces nothing where the instance was purged, or another process was faster.
        await replaceWrappedKey(deps.db, instanceNumber, { before: dataKey, now: rewrapped });
      } catch (error) {
        failures += 1;
        failed(instance, error);
      }
      if (signal.aborted) break;
    }
    if (batch.length < batchSize) break;
    after = batch.at(-1)!.instanceNumber;
  }
  return failures;
}
