import { rollUp } from '../../domain/metering/roll-up.ts';
import type { PeriodicTask } from './periodic-task.ts';

export const rollUpOperations: PeriodicTask = {
  name: 'roll-up-operations',
  description: 'Adds measured operations to minutes, hours and days, and removes those that are kept no longer.',
  everyMs: 20_000,
  run: (deps, _telemetry, signal) => rollUp(deps, signal),
};
