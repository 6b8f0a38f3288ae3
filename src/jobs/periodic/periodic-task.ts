import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '../../dependencies.ts';
import type { Telemetry } from '../../telemetry.ts';

/** A task that every worker repeats at an interval, such as enqueueing jobs that no caller asks for. */
export interface PeriodicTask {
  readonly name: string;
  /** One sentence, for the table in README.md. */
  readonly description: string;
  /** From the end of one run to the next. */
  readonly everyMs: number;
  /** Several workers may run it at once. */
  run(deps: Dependencies, telemetry: Telemetry, signal: AbortSignal): Promise<unknown>;
}

/** A run that failed is tried again after this, or sooner if the next one is due. */
const retryMs = 60_000;

/** Runs the task at once and from then on, until `signal` is aborted. */
export async function repeatTask(
  task: PeriodicTask,
  deps: Dependencies,
  telemetry: Telemetry,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = task.everyMs;
    try {
      await task.run(deps, telemetry, signal);
    } catch (error) {
      telemetry.logRecurring(error, 'a periodic task failed', { task: task.name });
      waitMs = Math.min(waitMs, retryMs);
    }
    await pause(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
