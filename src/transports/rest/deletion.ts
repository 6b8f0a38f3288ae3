import type { Receipt } from '../../domain/erasure/receipt.ts';
import { presentReceipt } from './present.ts';

/** The answer to a deletion: what was deleted, by its id, and the receipt. 202 while a store has yet to follow. */
export function presentDeletion<N extends object>(deleted: N, forgotten: Receipt) {
  const receipt = presentReceipt(forgotten);
  const body = { ...deleted, deleted_at: receipt.deleted_at, receipt };
  return { body, status: receipt.pending.length > 0 ? 202 : 200 };
}
