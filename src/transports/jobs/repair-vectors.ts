import { Counter } from 'prom-client';
import { completeJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { instanceIdOf } from '../../domain/ids.ts';
import { repairVectors, type Differences } from '../../domain/memories/repair-vectors.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

const toldEveryMs = 5_000;

/** One comparison of an instance's index with its rows; the counts go to the log and to the metrics. */
export async function repairVectorsOf(
  d: Dependencies,
  telemetry: Telemetry,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const instance = instanceIdOf(job.i);
  let toldAt = performance.now();
  const progress = (found: Differences) => {
    if (performance.now() - toldAt < toldEveryMs) return;
    toldAt = performance.now();
    telemetry.log.info({ instance, ...found }, 'comparing the vector index with the rows');
  };
  const found = await repairVectors(d, await accessOf(d, job), { signal, progress });
  const isWrong = found.lacking + found.orphaned + found.differing > 0;
  telemetry.log[isWrong ? 'warn' : 'info']({ instance, ...found }, 'the vector index was compared with the rows');
  const counted = differences(telemetry);
  for (const kind of ['lacking', 'orphaned', 'differing'] as const) counted.inc({ kind }, found[kind]);
  await completeJob(d.db, job);
}

const name = 'presage_vector_differences_total';

const differences = ({ registry }: Telemetry) =>
  (registry.getSingleMetric(name) as Counter<'kind'> | undefined) ??
  new Counter({
    name,
    help: 'Differences between the vector index and the rows that were found and mended, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
