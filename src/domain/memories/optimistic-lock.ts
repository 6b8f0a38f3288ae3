import pRetry, { type Options } from 'p-retry';
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

/**
 * Decides and writes, anew for as long as that gives null: an erasure of a customer whose users are all talking is
 * overtaken again and again, so the pauses between tries grow, and it goes on for as long as a caller waits. Throws
 * `unavailable` when it has not been done by then.
 */
export async function retryOnConflict<T>(decideAndWrite: () => Promise<T | null>): Promise<T> {
  const once = async () => {
    const written = await decideAndWrite();
    if (written === null) throw new WriteConflict();
    return written;
  };
  try {
    return await pRetry(once, { ...pauses, shouldRetry: ({ error }) => error instanceof WriteConflict });
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    throw unavailableError('memories of this owner are being written all the time; try again');
  }
}

const pauses = {
  retries: Infinity,
  minTimeout: 10,
  factor: 1.5,
  maxTimeout: 1_000,
  randomize: true,
  maxRetryTime: 30_000,
} satisfies Options;
