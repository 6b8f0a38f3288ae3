import { Counter } from 'prom-client';
import { z } from 'zod';
import { instanceIdOf } from '../domain/ids.ts';
import { repairVectorIndexOf as compareAndRepair, type IndexDifferences } from '../domain/memories/repair-vectors.ts';
import { getOrCreateMetric, type Telemetry } from '../telemetry.ts';
import { accessAsWorker } from '../domain/tenancy/authenticate.ts';
import { defineJob, retryUntilDone, type JobOutcome } from './job.ts';

const toldEveryMs = 5_000;

export const repairVectorsJob = defineJob({
  name: 'repair-vectors',
  description: 'Compares the vector index of an instance with its rows, mends it, and counts the differences.',
  payload: z.object({}),
  retry: retryUntilDone,
  operation: 'repair_vectors',
  async handler({ deps, telemetry, job, signal }): Promise<JobOutcome> {
    const instance = instanceIdOf(job.instanceNumber);
    let toldAt = performance.now();
    const progress = (found: IndexDifferences) => {
      if (performance.now() - toldAt < toldEveryMs) return;
      toldAt = performance.now();
      telemetry.log.info({ instance, ...found }, 'comparing the vector index with the rows');
    };
    const found = await compareAndRepair(deps, await accessAsWorker(deps, job), { signal, progress });
    const isWrong = found.lacking + found.orphaned + found.differing > 0;
    telemetry.log[isWrong ? 'warn' : 'info']({ instance, ...found }, 'the vector index was compared with the rows');
    const counted = differences(telemetry);
    for (const kind of ['lacking', 'orphaned', 'differing'] as const) counted.inc({ kind }, found[kind]);
    return 'done';
  },
});

const differences = ({ registry }: Telemetry) =>
  getOrCreateMetric(registry, Counter<'kind'>, {
    name: 'presage_vector_differences_total',
    help: 'Differences between the vector index and the rows that were found and mended, by kind.',
    labelNames: ['kind'],
  });
