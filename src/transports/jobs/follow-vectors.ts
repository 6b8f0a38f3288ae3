import { completeJob, retryJob, type Job } from '../../db/queue.ts';
import type { Dependencies } from '../../dependencies.ts';
import { finishReceipts } from '../../domain/erasure/finish-receipts.ts';
import { accessOf } from './access-of.ts';

/** Brings the vector index to what the rows say, and ends the receipts that waited for it. */
export async function followVectors(d: Dependencies, job: Job): Promise<void> {
  const access = await accessOf(d, job);
  await finishReceipts(d, access);
  const waitMs = await d.vectors.followAll(access);
  if (waitMs === null) await completeJob(d.db, job);
  else await retryJob(d.db, job, waitMs);
}
