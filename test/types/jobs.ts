import { newUuid } from '../../src/domain/ids.ts';
import type { Sql } from '../../src/db/database.ts';
import type { jobs } from '../../src/jobs/jobs.ts';
import { enqueue, enqueueSql, type Job, type JobName } from '../../src/jobs/queue.ts';

const id = newUuid();
const queued = { id, instanceNumber: 1n, attempt: 0, traceparent: null };

/** `npm run check` compiles these calls; nothing runs them. A call that should not compile, and does, is an error. */
export const calls = {
  payload: () => enqueueSql('ingest-document', { ...queued, payload: { ingestionId: id } }, 'saved'),
  // @ts-expect-error: the schema of the payload wants an id of an ingestion
  noPayload: () => enqueueSql('ingest-document', { ...queued, payload: {} }, 'saved'),
  instance: (sql: Sql) => enqueue(sql, 'purge-instance', { id, instanceNumber: 1n }),
  requested: (sql: Sql) =>
    enqueue(sql, 'compact-conversation', { id, instanceNumber: 1n, payload: { conversationId: id } }),
  // @ts-expect-error: an ingestion is no job of a whole instance
  noInstance: (sql: Sql) => enqueue(sql, 'ingest-document', { id, instanceNumber: 1n }),
  // @ts-expect-error: nobody declared such a job
  undeclared: (sql: Sql) => enqueue(sql, 'ingest-documents', { id, instanceNumber: 1n }),
  handled: (job: Job<'ingest-document'>): string => job.payload.ingestionId,
  // @ts-expect-error: its schema has no such field
  handledOtherwise: (job: Job<'ingest-document'>): string => job.payload.documentId,
};

/** A job that nobody lists would be enqueued and never run. */
export const everyJobIsListed: JobName extends (typeof jobs)[number]['name'] ? true : false = true;
