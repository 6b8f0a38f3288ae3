import { eventsKeptMs } from '../../domain/webhooks/delivery.ts';
import { removeEventsBefore } from '../../domain/webhooks/event-store.ts';
import type { PeriodicTask } from './periodic-task.ts';

const together = 10_000;

export const removeOldEvents: PeriodicTask = {
  name: 'remove-old-events',
  description: 'Removes events of more than 30 days ago, with their deliveries.',
  everyMs: 60_000,
  run: ({ db, now }) => removeEventsBefore(db, new Date(now().getTime() - eventsKeptMs), together),
};
