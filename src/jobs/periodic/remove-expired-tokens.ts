import { removeExpiredTokens as remove } from '../../domain/tenancy/browser-token-store.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const removeExpiredTokens: PeriodicTask = {
  name: 'remove-expired-tokens',
  description: 'Removes browser tokens that have expired.',
  everyMs: 60_000,
  run: ({ db, now }) => remove(db, now()),
};
