import { unavailableError } from '../errors.ts';
import { writeTransaction, type WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { RemovalDependencies } from './remove-memories.ts';

/** Thrown within `withOptimisticLock`: an owner, or the model of the vectors, is another than when this was decided. */
export class WriteConflict extends Error {}

/** The work in one transaction; null when it was overtaken: nothing of it is kept, and it is to be decided again. */
export async function withOptimisticLock<T>(
  deps: Pick<RemovalDependencies, 'db' | 'invalidation' | 'embedding'>,
  access: Access,
  work: (tx: WriteTx) => Promise<T>,
): Promise<T | null> {
  try {
    return await writeTransaction(deps, work);
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    deps.embedding.forget(access); // it may be the model that changed
    return null;
  }
}

/** An owner that is written to all the time is tried this often. */
const tries = 20;

/** Decides and writes, anew for as long as that gives null. Throws `unavailable` when it always does. */
export async function retryOnConflict<T>(decideAndWrite: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const written = await decideAndWrite();
    if (written !== null) return written;
  }
  throw unavailableError('memories of this owner are being written all the time; try again');
}
