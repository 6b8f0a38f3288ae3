import { askToRepairAll } from '../../domain/search-index/mark-store.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const repairVectors: PeriodicTask = {
  name: 'repair-vectors',
  description: 'Enqueues `repair-vectors` for each instance whose index may differ from its rows.',
  everyMs: 24 * 3_600_000,
  run: async ({ db, vectors }) => vectors.mayDiffer && askToRepairAll(db),
};
