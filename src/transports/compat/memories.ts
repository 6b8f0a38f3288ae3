import { z } from 'zod';
import type { App } from '../../app.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import { mapInTurns } from '../../domain/flow/map-in-turns.ts';
import { newUuid } from '../../domain/ids.ts';
import {
  documentBytes,
  type DocumentType,
  type Ingestion,
  type IngestionStatus,
  type Submission,
} from '../../domain/ingestion/ingestion.ts';
import { amountOf, limits } from '../../domain/limits.ts';
import type { Memory } from '../../domain/memories/memory.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import { bare, foreignId, iso, metadata, named, present, printed, requireCustomer, time, toNamed } from './fields.ts';
import { uploadedText } from './forms.ts';
import { isRecord } from './records.ts';
import { absent, type CompatRoute } from './route.ts';

/** The client's words for kinds of documents, in ours. The text of a PDF, image or recording comes as text here. */
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

const Document = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);

const Create = z.object({
  document: Document,
  document_type: absent(z.enum(Object.keys(documentTypes) as [string])),
  document_id: foreignId,
  document_created_at: time,
  ...named,
  mode: absent(z.enum(['fast', 'long-range'])),
  metadata,
});

const Batch = z.object({
  documents: z.array(z.unknown()).min(1).max(limits.batch.most),
  fail_fast: absent(z.boolean()),
});

const Update = z.object({
  document: Document,
  merge_strategy: absent(z.enum(['replace', 'append', 'smart-merge'])),
  metadata,
});

const Form = z.object({
  ...named,
  file: z.unknown().optional(),
  text: absent(z.string()),
  document_type: absent(z.enum(Object.keys(documentTypes) as [string])),
  mode: absent(z.enum(['fast', 'long-range'])),
  metadata: absent(z.string()),
  scope: absent(z.string()),
});

export const memories: readonly CompatRoute[] = [
  {
    method: 'POST',
    url: '/api/v1/memories/create',
    useCase: 'submit',
    isRepeatable: true,
    bodyLimit: limits.textBody.most,
    handle: async (app, { access, body, left }) =>
      presentAccepted(await remember(app, access, validate(Create, body, 'the body'), left)),
  },
  {
    method: 'POST',
    url: '/api/v1/memories/batch',
    useCase: 'submitBatch',
    isRepeatable: true,
    bodyLimit: limits.batchBody.most,
    async handle(app, { access, body, left }) {
      const { documents, fail_fast: failFast } = validate(Batch, body, 'the body');
      const results: object[] = [];
      let failed = 0;
      const judged = await mapInTurns(documents, documentOrError);
      for (const [n, document] of judged.entries()) {
        try {
          if (failFast && failed) throw invalid('document', 'was not tried: one before it was refused');
          if (document instanceof DomainError) throw document;
          results.push(presentAccepted(await remember(app, access, document, left)));
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          failed += 1;
          results.push(refused(documents[n], error));
        }
      }
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
    bodyLimit: limits.textBody.most,
    async handle(app, { access, body, left }) {
      const { file, ...form } = validate(Form, body, 'the form');
      const document = await uploadedText(app, access, file, form.text);
      const noted = validate(metadata, parsed('metadata', form.metadata), 'metadata');
      const type = form.document_type ?? 'document';
      const scope = validate(named.scope, parsed('scope', form.scope), 'scope');
      const input = { ...form, document, document_type: type, metadata: noted, scope };
      return presentAccepted(await remember(app, access, input, left));
    },
  },
  {
    method: 'GET',
    url: '/api/v1/memories/status/:ingestion_id',
    useCase: 'ingestion',
    async handle(app, { access, params }) {
      const ingestion = await app.ingestion(access, printed('ingestion', params['ingestion_id']!));
      return present({
        ...presentAccepted(ingestion),
        started_at: ingestion.startedAt && iso(ingestion.startedAt),
        completed_at: ingestion.completedAt && iso(ingestion.completedAt),
        memories_created: ingestion.memoryIds.length,
        memory_ids: ingestion.memoryIds.map((id) => bare('memory', id)),
      });
    },
  },
  {
    method: 'GET',
    url: '/api/v1/memories/:memory_id',
    useCase: 'memory',
    handle: async (app, { access, params }) =>
      presentMemory(await app.memory(access, printed('memory', params['memory_id']!), {})),
  },
  {
    method: 'PATCH',
    url: '/api/v1/memories/:memory_id',
    useCase: 'correctMemory',
    async handle(app, { access, params, body }) {
      const { document, merge_strategy: strategy, metadata: noted } = validate(Update, body, 'the body');
      const id = printed('memory', params['memory_id']!);
      const before = await app.memory(access, id, {});
      const given = textOf(document);
      const content = strategy === 'append' ? `${before.content}\n${given}` : given;
      if (content.length > limits.memory.most)
        throw invalid('document', `must have ${amountOf(limits.memory)} or less`);
      return presentMemory(await app.correctMemory(access, id, { content, metadata: noted }));
    },
  },
  {
    method: 'DELETE',
    url: '/api/v1/memories/:memory_id',
    useCase: 'forgetMemory',
    async handle(app, { access, params }) {
      const id = params['memory_id']!;
      const { deletedAt } = await app.forgetMemory(access, printed('memory', id), { cascade: false });
      return { memory_id: id.toLowerCase(), deleted_at: iso(deletedAt) };
    },
  },
];

function documentOrError(document: unknown): z.output<typeof Create> | DomainError {
  try {
    return validate(Create, document, 'the document');
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/**
 * A record is answered once it can be read back, since integrations read what they have just put; or after so long, half of
 * what a caller may ask for elsewhere, as the client asks for no time and must not give up before.
 */
const recordWithinMs = (limits.wait.most / 2) * 1_000;

/** A document, accepted: one of an id that is known replaces the one before, and is the same where nothing changed. */
export async function remember(
  app: App,
  access: Access,
  sent: z.output<typeof Create>,
  left: AbortSignal,
): Promise<Ingestion> {
  const whose = toNamed(sent);
  await requireCustomer(app, access, whose);
  const document = textOf(sent.document);
  if (!document.trim()) throw invalid('document', 'must not be empty');
  if (documentBytes(document) > limits.document.most)
    throw invalid('document', `must be ${amountOf(limits.document)} of text or less`);
  const isKeptWhole = isRecord(sent.metadata);
  const submission: Submission = {
    document,
    documentType: documentTypes[sent.document_type ?? 'ai-chat-conversation']!,
    mode: isKeptWhole ? 'verbatim' : (sent.mode ?? 'long-range'),
    documentId: sent.document_id,
    documentCreatedAt: sent.document_created_at,
    metadata: sent.metadata,
    ifExists: 'replace',
    ...whose,
    ...(whose.userId || whose.customerId ? {} : { scope: 'CLIENT' as const }),
  };
  return isKeptWhole
    ? app.submitAndWait(access, submission, { ms: recordWithinMs, signal: left })
    : app.submit(access, submission);
}

const textOf = (document: z.output<typeof Document>): string =>
  (typeof document === 'string' ? document : JSON.stringify(document)).replaceAll(/\p{Cs}|\0/gu, '\uFFFD');

function parsed(field: string, json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    throw invalid(field, 'must be JSON');
  }
}

/** The status of an ingestion as the client spells it: it takes any other word for a fault. */
const statusOf = (status: IngestionStatus): string =>
  status === 'queued' || status === 'completed' || status === 'failed' ? status : 'processing';

const presentAccepted = ({ id, documentId, status, queuedAt, error }: Ingestion) =>
  present({
    ingestion_id: bare('ingestion', id),
    document_id: bare('document', documentId),
    status: statusOf(status),
    queued_at: iso(queuedAt),
    error_message: error,
  });

/** A refused document, with every field of an accepted one: the client reads each of them. */
function refused(document: unknown, { message }: DomainError) {
  const { document_id: given } = (document ?? {}) as { document_id?: unknown };
  return {
    ingestion_id: newUuid(),
    document_id: typeof given === 'string' && given ? given : newUuid(),
    status: 'failed',
    queued_at: iso(new Date()),
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
  present({
    memory_id: bare('memory', memory.id),
    memory_type: typeNames[memory.type],
    content: memory.content,
    confidence: memory.confidence,
    created_at: iso(memory.createdAt),
    category: memory.category,
    source_document_id: memory.evidence[0] && bare('document', memory.evidence[0].documentId),
    scope: memory.scope.toLowerCase(),
    user_id: memory.userId,
    customer_id: memory.customerId,
    metadata: memory.metadata,
  });
