import { deliverWebhooks } from './deliver-webhooks.ts';
import { followVectors } from './follow-vectors.ts';
import { removeExpiredTokens } from './remove-expired-tokens.ts';
import { removeOldEvents } from './remove-old-events.ts';
import { repairVectors } from './repair-vectors.ts';
import { rollUpOperations } from './roll-up-operations.ts';
import { sweepRetention } from './sweep-retention.ts';
import { tendConversations } from './tend-conversations.ts';
import type { PeriodicTask } from './periodic-task.ts';

/** Every periodic task of a worker. */
export const periodicTasks: readonly PeriodicTask[] = [
  tendConversations,
  deliverWebhooks,
  sweepRetention,
  removeExpiredTokens,
  removeOldEvents,
  followVectors,
  repairVectors,
  rollUpOperations,
];
