import { transaction, type Db, type Tx } from '../../db/database.ts';
import { withReplacedMembers } from '../../db/direct-statements.ts';
import type { Invalidation, Revision } from './invalidation.ts';

const raised = Symbol('raised');

/**
 * A transaction that may change what readers see. Only `writeTransaction` makes one: none is acknowledged too early.
 */
export type WriteTx = Tx & { readonly [raised]: Revision[] };

export interface WriteDependencies {
  readonly db: Db;
  readonly invalidation: Invalidation;
}

/**
 * Does the work in one transaction, as `transaction` does. Resolves when nobody is shown any more what it ended: a
 * change may be acknowledged then, and not before.
 */
export async function writeTransaction<T>(deps: WriteDependencies, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const change = deps.invalidation.beginChange();
  try {
    const result = await transaction(deps.db, (tx) => {
      change.revised.length = 0; // of a try that is done again
      return work(withReplacedMembers(tx, { [raised]: change.revised }) as WriteTx);
    });
    await change.propagate();
    return result;
  } finally {
    change.end();
  }
}

/** Records which revisions a write transaction raised: whoever raises one calls it. */
export const recordRevisions = (tx: WriteTx, ...revised: readonly Revision[]): void => void tx[raised].push(...revised);
