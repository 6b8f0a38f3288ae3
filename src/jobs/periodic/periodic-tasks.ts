import { removeSingleUsesBefore } from '../../domain/anticipation/learned-association-store.ts';
import { removeTurnsBefore } from '../../domain/conversations/turn-anticipation-store.ts';
import { enqueueDueSweeps } from '../../domain/erasure/enqueue-due-sweeps.ts';
import { enqueueUnfinishedReceipts } from '../../domain/erasure/finish-receipts.ts';
import { rollUp } from '../../domain/metering/roll-up.ts';
import { enqueueStaleVectors, enqueueRepairOfAll } from '../../domain/search-index/stale-vector-store.ts';
import { removeExpiredTokens } from '../../domain/tenancy/browser-token-store.ts';
import { eventRetentionMs } from '../../domain/webhooks/delivery.ts';
import { removeEventsBefore } from '../../domain/webhooks/event-store.ts';
import { dayMs, hourMs, minuteMs } from '../../domain/time.ts';
import { deliverWebhooksTask } from './deliver-webhooks.ts';
import type { PeriodicTask } from './periodic-task.ts';
import { processDueConversationsTask } from './process-due-conversations.ts';

/** Old rows of one kind that go in one statement. */
const removedTogether = 10_000;
const turnsKeptMs = 30 * dayMs;
/** A single use is chance by then, most likely: what a conversation needs regularly is used again. */
const singleUsesKeptMs = 90 * dayMs;

/** However many have become old since the last run. */
async function removeAll(remove: (limit: number) => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await remove(removedTogether)) === removedTogether);
}

/** Every periodic task of a worker. */
export const periodicTasks: readonly PeriodicTask[] = [
  processDueConversationsTask,
  deliverWebhooksTask,
  {
    name: 'sweep-retention',
    description: 'Enqueues `sweep-retention` for each instance once an hour.',
    everyMs: minuteMs,
    run: (deps) => enqueueDueSweeps(deps),
  },
  {
    name: 'remove-expired-tokens',
    description: 'Removes browser tokens that have expired.',
    everyMs: minuteMs,
    run: ({ db, now }) => removeExpiredTokens(db, now()),
  },
  {
    name: 'remove-old-events',
    description: 'Removes events of more than 30 days ago, with their deliveries.',
    everyMs: minuteMs,
    run: ({ db, now }, _telemetry, signal) =>
      removeAll((limit) => removeEventsBefore(db, new Date(now().getTime() - eventRetentionMs), limit), signal),
  },
  {
    name: 'remove-old-turns',
    description: 'Removes what is kept of the memories that streams pushed for a turn more than 30 days ago.',
    everyMs: minuteMs,
    run: ({ db, now }, _telemetry, signal) =>
      removeAll((limit) => removeTurnsBefore(db, new Date(now().getTime() - turnsKeptMs), limit), signal),
  },
  {
    name: 'remove-single-uses',
    description: 'Removes what streams learned of a memory that was of use after a word once, more than 90 days ago.',
    everyMs: hourMs,
    run: ({ db, now }, _telemetry, signal) =>
      removeAll((limit) => removeSingleUsesBefore(db, new Date(now().getTime() - singleUsesKeptMs), limit), signal),
  },
  {
    name: 'follow-vectors',
    description: 'Enqueues `follow-vectors` where a process died before it did, or before it completed a receipt.',
    everyMs: minuteMs,
    run: async ({ db, vectors, now }) => {
      if (vectors.needsReconciliation) await enqueueStaleVectors(db);
      await enqueueUnfinishedReceipts({ db, now });
    },
  },
  {
    name: 'repair-vectors',
    description: 'Enqueues `repair-vectors` for each instance whose index may differ from its rows.',
    everyMs: dayMs,
    run: async ({ db, vectors }) => vectors.needsReconciliation && enqueueRepairOfAll(db),
  },
  {
    name: 'roll-up-operations',
    description: 'Adds measured operations to minutes, hours and days, and removes those that are kept no longer.',
    everyMs: 20_000,
    run: (deps, _telemetry, signal) => rollUp(deps, signal),
  },
];
