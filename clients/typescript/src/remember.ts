import type { Answered, Connection, RequestOptions } from './connection.ts';
import { pathOf } from './connection.ts';
import { DuplicateDocumentError, IngestionFailedError } from './errors.ts';
import type { Document, Ingestion, RememberParameters } from './records.ts';
import { newUuid } from './uuid.ts';

/** The service waits no longer at once. */
const longestWaitSeconds = 30;

/** What a document that is only queued has not got yet. */
const nothingYet = {
  stage: null,
  started_at: null,
  completed_at: null,
  memories_created: 0,
  memory_ids: [],
  discarded: 0,
  warnings: [],
  error: null,
} satisfies Partial<Ingestion>;

/**
 * Submits a document and waits for its memories. A document without an id gets one here: when the answer to it is lost
 * and it is sent again, the service knows it by that, also after a restart.
 */
export async function remember(
  connection: Connection,
  { document, wait, ...parameters }: RememberParameters & { document: Document; wait: number },
  options: RequestOptions,
): Promise<Answered<Ingestion>> {
  const hasOwnId = parameters.document_id === undefined && options.idempotencyKey === undefined;
  const body = {
    document_type: 'ai-chat-conversation' as const,
    ...parameters,
    ...(hasOwnId ? { document_id: newUuid() } : {}),
    document,
    wait: Math.min(wait, longestWaitSeconds),
  };
  const request = { method: 'POST', path: '/v1/memories', body, isWrite: !hasOwnId } as const;
  let answered: Answered<Ingestion>;
  try {
    answered = await connection.send<Ingestion>(request, options);
  } catch (error) {
    if (!hasOwnId || !(error instanceof DuplicateDocumentError) || !error.ingestionId) throw error;
    answered = await readIngestion(connection, { id: error.ingestionId, wait: body.wait }, options);
  }
  for (let left = wait - body.wait; left > 0 && !hasEnded(answered.data); left -= longestWaitSeconds) {
    const more = { id: answered.data.ingestion_id, wait: Math.min(left, longestWaitSeconds) };
    answered = await readIngestion(connection, more, options);
  }
  if (answered.data.status === 'failed') throw new IngestionFailedError({ ...nothingYet, ...answered.data });
  return { ...answered, data: { ...nothingYet, ...answered.data } };
}

/** How far an ingestion is, when it has ended or after so many seconds. */
export function readIngestion(
  connection: Connection,
  { id, wait }: { readonly id: string; readonly wait: number | undefined },
  options: RequestOptions,
): Promise<Answered<Ingestion>> {
  const path = pathOf('/v1/memories/{ingestion_id}/status', [id]);
  return connection.send<Ingestion>({ method: 'GET', path, query: { wait } }, withoutKey(options));
}

const hasEnded = ({ status }: Ingestion) => status === 'completed' || status === 'failed';

/** The key is of the document, and not of the question how far it is. */
const withoutKey = ({ signal, timeoutMs, maxRetries, correlationId }: RequestOptions): RequestOptions => ({
  ...(signal ? { signal } : {}),
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(maxRetries === undefined ? {} : { maxRetries }),
  ...(correlationId === undefined ? {} : { correlationId }),
});
