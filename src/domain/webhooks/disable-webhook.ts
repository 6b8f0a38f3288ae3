import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { DisabledReason } from './webhook.ts';
import { lockWebhooks, readWebhook, saveDisabled } from './webhook-store.ts';

/** Disables a webhook whose receiver takes nothing any more; false when it is disabled already, or gone. */
export const disableWebhook = (
  d: WriteDependencies,
  access: Access,
  id: string,
  disabling: { reason: DisabledReason; at: Date },
): Promise<boolean> =>
  writeTransaction(d, async (tx) => {
    await lockWebhooks(tx, access);
    const webhook = await readWebhook(tx, access, id);
    if (webhook?.state !== 'active') return false;
    await saveDisabled(tx, access, id, disabling);
    return true;
  });
