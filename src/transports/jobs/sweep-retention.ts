import { setTimeout as pause } from 'node:timers/promises';
import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { askToSweep } from '../../domain/erasure/ask-to-sweep.ts';
import { sweepRetention } from '../../domain/erasure/sweep-retention.ts';
import { removeExpiredTokens } from '../../domain/tenancy/browser-token-store.ts';
import type { Telemetry } from '../../telemetry.ts';
import { accessOf } from './access-of.ts';

/** How often a worker looks whether the hour of an instance has come. */
const lookEveryMs = 60_000;

/** One sweep of one instance; stopped, it is put back and goes on from what is left. */
export async function sweepInstance(d: Dependencies, { log }: Telemetry, job: Job, signal: AbortSignal): Promise<void> {
  const access = await accessOf(d, job);
  await d.metering.flush(d.now()); // what was read a moment ago has been accessed
  const swept = await sweepRetention(d, access, signal);
  if (swept.archived || swept.evicted) log.info({ instance: access.instance, ...swept }, 'retention');
  if (signal.aborted) await retryJob(d.db, job, 0);
  else await completeJob(d.db, job);
}

/** Asks for the sweeps that are due, and removes browser tokens that have expired, until `signal` is aborted. */
export async function keepAskingToSweep(d: Dependencies, { log }: Telemetry, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await askToSweep(d).catch((error: unknown) => log.error({ error }, 'no sweep could be asked for'));
    await removeExpiredTokens(d.db, d.now()).catch((error: unknown) => log.error({ error }, 'tokens were not tidied'));
    await pause(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
