import { z } from 'zod';
import type { Receipt } from '../../domain/erasure/receipt.ts';
import { answerSchema, isoTimeField, presageIdField } from './fields.ts';
import { presentReceipt } from './present.ts';
import { ReceiptRecord } from './records.ts';
import { defineRoute } from './route.ts';

export const receiptRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/receipts/{receipt_id}',
    useCase: 'receipt',
    group: 'Receipts',
    summary: 'Read the receipt of a deletion',
    description: 'After a 202: shows when every store is done.',
    params: z.object({ receipt_id: presageIdField('`rcp_…`') }),
    answer: ReceiptRecord,
    errors: ['not_found'],
    handle: async (app, { access, params }) => ({ body: presentReceipt(await app.receipt(access, params.receipt_id)) }),
  }),
];

/** The schema of the answer to a deletion: of the id of what was deleted, and of the receipt. */
export const deletionRecord = <Deleted extends z.ZodRawShape>(name: string, deleted: Deleted) =>
  answerSchema(name, { ...deleted, deleted_at: isoTimeField(), receipt: ReceiptRecord });

/** The answer to a deletion: what was deleted, by its id, and the receipt. 202 while a store has yet to follow. */
export function presentDeletion<N extends object>(deleted: N, forgotten: Receipt) {
  const receipt = presentReceipt(forgotten);
  const body = { ...deleted, deleted_at: receipt.requested_at, receipt };
  return { body, status: receipt.pending.length > 0 ? 202 : 200 };
}
