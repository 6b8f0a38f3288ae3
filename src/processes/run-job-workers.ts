import { vacuumPeriodically } from '../db/vacuum.ts';
import { releaseDeliveries } from '../domain/webhooks/delivery-store.ts';
import { warmUpRules } from '../domain/extraction/warm-up.ts';
import { observeQueues } from '../jobs/observe-queues.ts';
import { releaseLeases } from '../jobs/queue.ts';
import { runWorker } from '../jobs/worker.ts';
import type { Service } from './open-service.ts';

/** Documents at a time. */
const workers = 2;
/** The wait before warming up: the first request to be served is the one that asks whether we are ready. */
const warmUpAfterMs = 500;

/** Runs jobs until the service is closed; those under way are finished then, or handed back. */
export async function runJobWorkers({ deps, telemetry, onStop, onClose }: Service): Promise<void> {
  if (deps.isSingleProcess) await Promise.all([releaseLeases(deps.db), releaseDeliveries(deps.db)]); // whoever held them is gone: see the lock file
  await deps.embedding.askToReembed(); // the environment may name another model than the last time
  observeQueues(deps.db, telemetry);
  const stopping = new AbortController();
  const working = runWorker(deps, telemetry, { signal: stopping.signal, concurrency: workers });
  const notTidied = (error: unknown) => telemetry.log.error({ error }, 'tables were not tidied');
  const tidying = deps.isSingleProcess ? vacuumPeriodically(deps, stopping.signal, notTidied) : undefined; // a server does it itself
  onStop(async () => {
    stopping.abort();
    await Promise.all([working, tidying]);
  });
  const warming = setTimeout(warmUpRules, warmUpAfterMs);
  onClose(() => clearTimeout(warming));
}
