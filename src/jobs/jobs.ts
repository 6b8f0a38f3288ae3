import { compactConversation } from './compact-conversation.ts';
import { eraseReplaced } from './erase-replaced.ts';
import { followVectors } from './follow-vectors.ts';
import { ingestDocument } from './ingest-document.ts';
import { purgeInstance } from './purge-instance.ts';
import { reembedInstance } from './reembed-instance.ts';
import { repairVectors } from './repair-vectors.ts';
import { rotateMasterKey } from './rotate-master-key.ts';
import { sealClearText } from './seal-clear-text.ts';
import { sweepRetention } from './sweep-retention.ts';
import type { JobName } from './queue.ts';

/** Every job that a worker runs. */
export const jobs = [
  ingestDocument,
  reembedInstance,
  followVectors,
  repairVectors,
  rotateMasterKey,
  purgeInstance,
  sweepRetention,
  sealClearText,
  compactConversation,
  eraseReplaced,
] as const;

export const jobNames: readonly JobName[] = jobs.map(({ name }) => name);
