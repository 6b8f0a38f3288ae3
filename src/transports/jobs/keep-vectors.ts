import { setTimeout as pause } from 'node:timers/promises';
import type { Dependencies } from '../../dependencies.ts';
import { askToFollowOverdue, askToRepairAll } from '../../domain/search-index/mark-store.ts';
import type { Telemetry } from '../../telemetry.ts';

const lookEveryMs = 60_000;
const repairEveryMs = 24 * 3_600_000;

/**
 * Asks for the jobs that nobody else asks for: of processes that died with vectors under way, and, at the start and once
 * a day, of comparing an index that may differ with the rows.
 */
export async function keepVectors(d: Dependencies, { log }: Telemetry, signal: AbortSignal): Promise<void> {
  if (!d.vectors.mayDiffer) return;
  let repairedAt = -Infinity;
  do {
    try {
      await askToFollowOverdue(d.db);
      if (performance.now() - repairedAt > repairEveryMs) {
        await askToRepairAll(d.db);
        repairedAt = performance.now();
      }
    } catch (error) {
      log.error({ error }, 'the jobs that keep the vector index could not be asked for');
    }
  } while (await pause(lookEveryMs, true, { signal, ref: false }).catch(() => false));
}
