import { askToSweep } from '../../domain/erasure/ask-to-sweep.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const sweepRetention: PeriodicTask = {
  name: 'sweep-retention',
  description: 'Enqueues `sweep-retention` for each instance once an hour.',
  everyMs: 60_000,
  run: (deps) => askToSweep(deps),
};
