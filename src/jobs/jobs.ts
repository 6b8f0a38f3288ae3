import { compactConversationJob } from './compact-conversation.ts';
import { eraseReplacedJob } from './erase-replaced.ts';
import { followVectorsJob } from './follow-vectors.ts';
import { ingestDocumentJob } from './ingest-document.ts';
import { purgeInstanceJob } from './purge-instance.ts';
import { reembedInstanceJob } from './reembed-instance.ts';
import { repairVectorsJob } from './repair-vectors.ts';
import { rotateMasterKeyJob } from './rotate-master-key.ts';
import { sweepRetentionJob } from './sweep-retention.ts';
import type { JobName } from './queue.ts';

/** Every job that a worker runs. */
export const jobs = [
  ingestDocumentJob,
  reembedInstanceJob,
  followVectorsJob,
  repairVectorsJob,
  rotateMasterKeyJob,
  purgeInstanceJob,
  sweepRetentionJob,
  compactConversationJob,
  eraseReplacedJob,
] as const;

export const jobNames: readonly JobName[] = jobs.map(({ name }) => name);
