import { askToFollowOverdue } from '../../domain/search-index/mark-store.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const followVectors: PeriodicTask = {
  name: 'follow-vectors',
  description: 'Enqueues `follow-vectors` where a process died before it did.',
  everyMs: 60_000,
  run: async ({ db, vectors }) => vectors.mayDiffer && askToFollowOverdue(db),
};
