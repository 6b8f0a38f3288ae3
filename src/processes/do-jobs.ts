import { keepTidy } from '../db/tidy.ts';
import { releaseDeliveries } from '../domain/webhooks/delivery-store.ts';
import { warmUp } from '../domain/extraction/warm-up.ts';
import { observeQueues } from '../jobs/observe-queues.ts';
import { releaseLeases } from '../jobs/queue.ts';
import { runWorker } from '../jobs/worker.ts';
import type { Service } from './open-service.ts';

/** Documents at a time. */
const workers = 2;
/** Not at once: the first request to be served is the one that asks whether we are ready. */
const warmUpAfterMs = 500;

/** Runs jobs until the service is closed; those under way are finished then, or handed back. */
export async function doJobs({ d, telemetry, onClose }: Service): Promise<void> {
  if (d.isAlone) await Promise.all([releaseLeases(d.db), releaseDeliveries(d.db)]); // whoever held them is gone: see the lock file
  await d.embedding.askToReembed(); // the environment may name another model than the last time
  observeQueues(d.db, telemetry);
  const stopping = new AbortController();
  const working = runWorker(d, telemetry, { signal: stopping.signal, concurrency: workers });
  const notTidied = (error: unknown) => telemetry.log.error({ error }, 'tables were not tidied');
  const tidying = d.isAlone ? keepTidy(d, stopping.signal, notTidied) : undefined; // a server does it itself
  onClose(async () => {
    stopping.abort();
    await Promise.all([working, tidying]);
  });
  const warming = setTimeout(warmUp, warmUpAfterMs);
  onClose(() => clearTimeout(warming));
}
