import { transaction, type Db, type Tx } from '../../db/database.ts';
import { replaced } from '../../db/direct-statements.ts';
import type { Freshness, Revised } from './freshness.ts';

const announced = Symbol('announced');

/** A transaction that may change what readers see. Only `changing` makes one, so that none is acknowledged too early. */
export type ChangingTx = Tx & { readonly [announced]: Revised[] };

/** What writing for readers needs. */
export interface Changing {
  readonly db: Db;
  readonly freshness: Freshness;
}

/**
 * The work in one transaction, as `transaction` has it. Resolves when nobody is shown any more what it ended: a
 * change may be acknowledged then, and not before.
 */
export async function changing<T>(d: Changing, work: (tx: ChangingTx) => Promise<T>): Promise<T> {
  const change = d.freshness.announce();
  try {
    const result = await transaction(d.db, (tx) => {
      change.revised.length = 0; // of a try that is done again
      return work(replaced(tx, { [announced]: change.revised }) as ChangingTx);
    });
    await change.passed();
    return result;
  } finally {
    change.end();
  }
}

/** Says which revisions the change raised: whoever raises one calls it. */
export const announce = (tx: ChangingTx, ...revised: readonly Revised[]): void => void tx[announced].push(...revised);
