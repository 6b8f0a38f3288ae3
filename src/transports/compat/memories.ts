import { z } from 'zod';
import type { App } from '../../app.ts';
import type { DocumentType } from '../../domain/configurations/configuration.ts';
import { DomainError, hasErrorCode, invalidInputError } from '../../domain/errors.ts';
import { mapYielding } from '../../domain/flow/map-yielding.ts';
import { newUuid } from '../../domain/ids.ts';
import type { Ingestion, IngestionStatus, Submission } from '../../domain/ingestion/ingestion.ts';
import { formatLimit, isLonger, limits } from '../../domain/limits.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import { retryOnConflict } from '../../domain/memories/optimistic-lock.ts';
import { storableText } from '../../domain/plain-text.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { validate, validateOrError } from '../http/validate.ts';
import {
  withoutIdPrefix,
  optionalCallerId,
  metadataField,
  subjectFields,
  omitUndefined,
  withIdPrefix,
  timeField,
  toSubjectIds,
} from './fields.ts';
import { uploadedText } from './forms.ts';
import { isFrameworkRecord } from './records.ts';
import { optionalField, type CompatRoute } from './route.ts';
import { takeEach } from './take-each.ts';

/** The library's words for kinds of documents, in ours. The text of a PDF, image or recording comes as text here. */
const documentTypes: Readonly<Record<string, DocumentType>> = {
  'ai-chat-conversation': 'ai-chat-conversation',
  'human-chat-conversation': 'ai-chat-conversation',
  document: 'document',
  'knowledge-article': 'document',
  pdf: 'document',
  image: 'document',
  email: 'email',
  audio: 'meeting-transcript',
  'meeting-transcript': 'meeting-transcript',
  'support-ticket': 'support-ticket',
  note: 'note',
};

const text = z.string().max(limits.document.max);
const Document = z.union([text, z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const Create = z.object({
  document: Document,
  document_type: optionalField(z.enum(Object.keys(documentTypes) as [string])),
  document_id: optionalCallerId,
  document_created_at: timeField,
  ...subjectFields,
  mode: optionalField(z.enum(['fast', 'long-range'])),
  metadata: metadataField,
});

const Batch = z.object({
  documents: z.array(z.unknown()).min(1).max(limits.batch.max),
  fail_fast: optionalField(z.boolean()),
});

const Update = z.object({
  document: Document,
  merge_strategy: optionalField(z.enum(['replace', 'append', 'smart-merge'])),
  metadata: metadataField,
});

const Form = z.object({
  ...subjectFields,
  file: z.unknown().optional(),
  text: optionalField(text),
  document_type: optionalField(z.enum(Object.keys(documentTypes) as [string])),
  mode: optionalField(z.enum(['fast', 'long-range'])),
  metadata: optionalField(z.string()),
  scope: optionalField(z.string()),
});

export const memoryRoutes: readonly CompatRoute[] = [
  {
    method: 'POST',
    url: '/api/v1/memories/create',
    useCase: 'submit',
    isRepeatable: true,
    bodyLimit: limits.textBody.max,
    handle: async (app, { access, body, left }) =>
      presentAccepted(await submitMemory(app, access, validate(Create, body, 'the body'), left)),
  },
  {
    method: 'POST',
    url: '/api/v1/memories/batch',
    useCase: 'submitBatch',
    isRepeatable: true,
    bodyLimit: limits.batchBody.max,
    async handle(app, { access, body, left }) {
      const { documents, fail_fast: failFast } = validate(Batch, body, 'the body');
      const judged = await mapYielding(documents, (sent) => ({
        sent,
        document: validateOrError(Create, sent, 'the document'),
      }));
      const { results, failed } = await takeEach(
        judged,
        async ({ document }, refusedBefore) => {
          if (failFast && refusedBefore)
            throw invalidInputError('document', 'was not tried: one before it was refused');
          if (document instanceof DomainError) throw document;
          return presentAccepted(await submitMemory(app, access, document, left));
        },
        ({ sent }, error) => refused(sent, error),
      );
      const total = documents.length;
      return { batch_id: newUuid(), total, succeeded: total - failed, failed, results };
    },
  },
  {
    method: 'POST',
    url: '/api/v1/memories/upload',
    useCase: 'submit',
    isRepeatable: true,
    takesForms: true,
    bodyLimit: limits.textBody.max,
    async handle(app, { access, body, left }) {
      const { file, ...form } = validate(Form, body, 'the form');
      const document = await uploadedText(app, access, file, form.text);
      const noted = validate(metadataField, parsed('metadata', form.metadata), 'metadata');
      const type = form.document_type ?? 'document';
      const scope = validate(subjectFields.scope, parsed('scope', form.scope), 'scope');
      const input = { ...form, document, document_type: type, metadata: noted, scope };
      return presentAccepted(await submitMemory(app, access, input, left));
    },
  },
  {
    method: 'GET',
    url: '/api/v1/memories/status/:ingestion_id',
    useCase: 'ingestion',
    async handle(app, { access, params }) {
      const ingestion = await app.ingestion(access, withIdPrefix('ingestion', params['ingestion_id']!));
      return omitUndefined({
        ...presentAccepted(ingestion),
        started_at: ingestion.startedAt?.toISOString(),
        completed_at: ingestion.completedAt?.toISOString(),
        memories_created: ingestion.memoryIds.length,
        memory_ids: ingestion.memoryIds.map((id) => withoutIdPrefix('memory', id)),
      });
    },
  },
  {
    method: 'GET',
    url: '/api/v1/memories/:memory_id',
    useCase: 'memory',
    handle: async (app, { access, params }) =>
      presentMemory(await app.memory(access, withIdPrefix('memory', params['memory_id']!), {})),
  },
  {
    method: 'PATCH',
    url: '/api/v1/memories/:memory_id',
    useCase: 'correctMemory',
    async handle(app, { access, params, body }) {
      const { document, merge_strategy: strategy, metadata: noted } = validate(Update, body, 'the body');
      const id = withIdPrefix('memory', params['memory_id']!);
      const input = textOf(document);
      const content = (before: Memory) => (strategy === 'append' ? `${before.content}\n${input}` : input);
      return presentMemory(await rewriteMemory(app, access, id, { content, metadata: noted }));
    },
  },
  {
    method: 'DELETE',
    url: '/api/v1/memories/:memory_id',
    useCase: 'forgetMemory',
    async handle(app, { access, params }) {
      const id = params['memory_id']!;
      const { deletedAt } = await app.forgetMemory(access, withIdPrefix('memory', id), { cascade: false });
      return { memory_id: id.toLowerCase(), deleted_at: deletedAt.toISOString() };
    },
  },
];

/**
 * A record is answered once it can be read back, since integrations read what they have just put; or after so long, half of
 * what a caller may ask for elsewhere, as the library asks for no time and must not give up before.
 */
const recordWithinMs = (limits.wait.max / 2) * 1_000;

/** A document, accepted: one of an id that is known replaces the one before, and is the same where nothing changed. */
async function submitMemory(
  app: App,
  access: Access,
  sent: z.output<typeof Create>,
  disconnected: AbortSignal,
): Promise<Ingestion> {
  const subject = toSubjectIds(sent);
  const document = textOf(sent.document);
  const isKeptWhole = isFrameworkRecord(sent.metadata);
  const submission: Submission = {
    document,
    documentType: documentTypes[sent.document_type ?? 'ai-chat-conversation']!,
    mode: isKeptWhole ? 'verbatim' : (sent.mode ?? 'long-range'),
    documentId: sent.document_id,
    documentCreatedAt: sent.document_created_at,
    metadata: sent.metadata,
    ifExists: 'replace',
    ...subject,
    ...(subject.userId || subject.customerId ? {} : { scope: 'CLIENT' as const }),
  };
  return isKeptWhole
    ? app.submitAndWait(access, submission, { ms: recordWithinMs, signal: disconnected })
    : app.submit(access, submission);
}

function textOf(document: z.output<typeof Document>): string {
  const given = typeof document === 'string' ? document : JSON.stringify(document);
  if (!given.trim()) throw invalidInputError('document', 'must not be empty');
  return storableText(given);
}

function parsed(field: string, json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    throw invalidInputError(field, 'must be JSON');
  }
}

/** Corrects a memory to words that may be made of its present ones: anew, where these were corrected in between. */
function rewriteMemory(
  app: App,
  access: Access,
  id: string,
  { content, metadata }: { content: (before: Memory) => string; metadata: z.output<typeof metadataField> },
): Promise<Memory> {
  const read = () => app.memory(access, id, {});
  return retryOnConflict(async () => {
    const before = await read();
    const rewritten = content(before);
    if (isLonger(rewritten, limits.memory))
      throw invalidInputError('document', `must have ${formatLimit(limits.memory)} or less`);
    try {
      const correction = { content: rewritten, expectedContent: before.content, metadata };
      return await app.correctMemory(access, id, correction);
    } catch (error) {
      if (hasErrorCode(error, 'conflict') && (await read()).content !== before.content) return null;
      throw error;
    }
  });
}

/** The status of an ingestion as the library spells it: it takes any other word for a fault. */
const statusOf = (status: IngestionStatus): string =>
  status === 'queued' || status === 'completed' || status === 'failed' ? status : 'processing';

const presentAccepted = ({ id, documentId, status, queuedAt, error }: Ingestion) =>
  omitUndefined({
    ingestion_id: withoutIdPrefix('ingestion', id),
    document_id: withoutIdPrefix('document', documentId),
    status: statusOf(status),
    queued_at: queuedAt.toISOString(),
    error_message: error,
  });

/** A refused document, with every field of an accepted one: the library reads each of them. */
function refused(document: unknown, { message }: DomainError) {
  const { document_id: given } = (document ?? {}) as { document_id?: unknown };
  return {
    ingestion_id: newUuid(),
    document_id: typeof given === 'string' && given ? given : newUuid(),
    status: 'failed',
    queued_at: new Date().toISOString(),
    error_message: message,
  };
}

const typeNames = {
  facts: 'fact',
  preferences: 'preference',
  episodes: 'episode',
  emotions: 'emotion',
  temporal_events: 'temporal_event',
} as const;

const presentMemory = (memory: Memory) =>
  omitUndefined({
    memory_id: withoutIdPrefix('memory', memory.id),
    memory_type: typeNames[memory.type],
    content: memory.content,
    confidence: memory.confidence,
    created_at: memory.createdAt.toISOString(),
    category: memory.category,
    source_document_id: memory.evidence[0] && withoutIdPrefix('document', memory.evidence[0].documentId),
    scope: memory.scope.toLowerCase(),
    user_id: memory.userId,
    customer_id: memory.customerId,
    metadata: memory.metadata,
  });
