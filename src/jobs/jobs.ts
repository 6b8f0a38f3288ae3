import { compactConversationJob } from './compact-conversation.ts';
import { ingestDocumentJob } from './ingest-document.ts';
import { instanceJobs } from './instance-jobs.ts';
import type { JobName } from './queue.ts';

/** Every job that a worker runs. */
export const jobs = [ingestDocumentJob, ...instanceJobs, compactConversationJob] as const;

export const jobNames: readonly JobName[] = jobs.map(({ name }) => name);
