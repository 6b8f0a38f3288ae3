import type { Sql } from '../../db/database.ts';
import type { Job } from '../../jobs/queue.ts';
import type { DocumentType } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { refuseFarTimes } from '../conversations/append-messages.ts';
import { conversationOwner, insertConversation } from '../conversations/conversation-store.ts';
import { mergeWithConversationSubject } from '../conversations/resolve-subject.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import { conversationUuid, newUuid, toPublicId } from '../ids.ts';
import { isStorableTime, unstorableTime } from '../time.ts';
import { formatLimit, limits, refuseLongTexts } from '../limits.ts';
import { currentTraceparent } from '../../tracing.ts';
import { requireCustomerOfUser, type Access, type SubjectIds, type Owner, type Scope } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/owner-store.ts';
import { saveDocument } from './document-store.ts';
import type { DocumentForRules } from './extract-document.ts';
import type { Ingestion, Submission } from './ingestion.ts';
import { findIngestionByExternalId, type IngestionWork } from './ingestion-store.ts';
import type { DocumentReadResult } from './read-document.ts';

/** A document that was accepted, with all that its ingestion needs: a worker of this process reads nothing again. */
export interface AcceptedDocument {
  readonly ingestion: Ingestion;
  readonly access: Access;
  readonly job: Job<'ingest-document'>;
  readonly work: IngestionWork;
  /** The candidates that the rules find in it, where reading began already. */
  readonly ruled?: Promise<DocumentReadResult> | undefined;
}

/** The time of acceptance, and the batch. */
export interface AcceptanceOptions {
  readonly at: Date;
  readonly batch: { readonly id: string; readonly index: number } | null;
  /** The conversation exists and is not bound here: that would lock its owner before the owner of the document. */
  readonly isConversationBound?: true;
  /** A worker waits: the job is its own from the start, and it reads the document while that is stored. */
  readonly readMeanwhile?: ((told: DocumentForRules) => Promise<DocumentReadResult>) | undefined;
}

/** Accepts a document within the caller's transaction; the caller still has to wake a worker. */
export async function acceptDocument(
  sql: Sql,
  access: Access,
  submission: Submission,
  options: AcceptanceOptions,
): Promise<AcceptedDocument> {
  const { at, batch, isConversationBound = false, readMeanwhile } = options;
  const { conversationId } = submission;
  const { named, owner } = await validateAndFindOwner(sql, access, submission);
  const [id, ingestionId] = [newUuid(), newUuid()];
  const externalId = submission.documentId ?? null;
  const boundConversation = () =>
    isConversationBound
      ? conversationUuid(access.instance, conversationId!).id
      : bind(sql, access, conversationId!, { named, owner });
  const told = {
    mode: submission.mode,
    type: submission.documentType,
    conversationId: conversationId ? await boundConversation() : null,
    createdAt: submission.documentCreatedAt ?? at,
    body: submission.document,
    metadata: submission.metadata ?? null,
    provenance: submission.provenance ?? null,
  };
  const job: Job<'ingest-document'> = {
    id: newUuid(),
    name: 'ingest-document',
    instanceNumber: access.instanceNumber,
    payload: { ingestionId },
    attempt: readMeanwhile ? 1 : 0,
    failures: 0,
    workerCrashes: 0,
    traceparent: currentTraceparent(),
  };
  const document = { ...told, id, ingestionId, owner, externalId, receivedAt: at, batch };
  const saving = saveDocument(sql, access, document, job);
  const ruled = readMeanwhile?.(told);
  ruled?.catch(() => undefined); // whoever runs it meets the same error, if it is stored
  const home = await saving;
  if (home === 'taken') throw await duplicateDocumentError(sql, access, externalId!);
  if (home === 'no-owner') {
    await registerOwner(sql, access.instanceNumber, owner);
    // The document is being read already: the next try hands over that reading.
    return acceptDocument(sql, access, submission, ruled ? { ...options, readMeanwhile: () => ruled } : options);
  }
  const work: IngestionWork = {
    ...told,
    ingestionId,
    documentId: id,
    externalId,
    ownerNo: home.ownerNo,
    ownerRevision: home.revision,
    customerId: owner.customerId,
    configurationVersion: access.configurationVersion,
    queuedAt: at,
    checkpoint: null,
  };
  return { ingestion: toQueuedIngestion(work), access, job, work, ruled };
}

/** The subject and owner of a document. Throws `invalid_input` or `payload_too_large` when it is not acceptable. */
export async function validateAndFindOwner(
  sql: Sql,
  access: Access,
  submission: Submission,
): Promise<{ named: SubjectIds; owner: NamedOwner }> {
  const { conversationId, document, documentCreatedAt } = submission;
  refuseLongTexts('document', document, limits.document);
  if (documentCreatedAt && !isStorableTime(documentCreatedAt))
    throw invalidInputError('document_created_at', unstorableTime);
  if (typeof document !== 'string') refuseFarTimes('document', document);
  if (submission.mode === 'verbatim') refuseLongRecord(submission);
  const speaker = conversationId ? await conversationOwner(sql, access, conversationId) : null;
  const named = mergeWithConversationSubject(submission, speaker);
  const owner = await ownerFor(sql, access, { ...named, scope: submission.scope }, submission.documentType);
  // A conversation that began before the configuration kept customers apart stays its user's.
  const isNewOfUser = !speaker && (owner.scope === 'USER' || conversationId !== undefined);
  if (isNewOfUser) requireCustomerOfUser(named, (await currentConfiguration(sql, access)).isolation);
  return { named, owner };
}

const toQueuedIngestion = ({ ingestionId, documentId, externalId, mode, queuedAt }: IngestionWork): Ingestion => ({
  id: toPublicId('ingestion', ingestionId),
  documentId: externalId ?? toPublicId('document', documentId),
  status: 'queued',
  mode,
  queuedAt,
  startedAt: null,
  completedAt: null,
  memoryIds: [],
  discarded: 0,
  warnings: [],
  error: null,
});

/** A conversation stays its user's, also when what is said in it belongs to the customer. */
async function bind(
  sql: Sql,
  access: Access,
  conversationId: string,
  { named: { userId, customerId }, owner }: { named: SubjectIds; owner: NamedOwner },
): Promise<string> {
  const isUsers = userId !== undefined && owner.scope !== 'USER';
  const speaker = isUsers ? ({ scope: 'USER', userId, customerId: customerId ?? '' } as const) : owner;
  const { ownerNo } = await registerOwner(sql, access.instanceNumber, speaker);
  return insertConversation(sql, access, conversationId, ownerNo);
}

function refuseLongRecord({ document }: Submission): void {
  if (typeof document !== 'string') throw invalidInputError('document', 'must be a text where verbatim is true');
  if (Buffer.byteLength(document) > limits.record.max)
    throw invalidInputError('document', `must be ${formatLimit(limits.record)} or less where verbatim is true`);
}

export async function duplicateDocumentError(sql: Sql, access: Access, externalId: string): Promise<DomainError> {
  const first = await findIngestionByExternalId(sql, access, externalId);
  const details: Record<string, string> = first ? { ingestion_id: toPublicId('ingestion', first) } : {};
  return new DomainError('duplicate_document', 'a document of this document_id is queued, running or ingested', {
    fields: [
      {
        field: 'document_id',
        message:
          'is taken: choose another, or replace the document that has it (`if_exists: replace`, on the command line `--replace`)',
      },
    ],
    details,
  });
}

/** An owner that may not be registered yet. */
export type NamedOwner = Omit<Owner, 'ownerNo'>;

/**
 * The owner of a document's memories: of the scope it names; else its user, or its customer where no user is named or
 * documents of its type are the customer's; without either everybody, where the configuration says so.
 */
async function ownerFor(
  sql: Sql,
  access: Access,
  { userId, customerId, scope: named }: SubjectIds & Pick<Submission, 'scope'>,
  documentType: DocumentType,
): Promise<NamedOwner> {
  if (named) return { scope: named, userId: '', customerId: '' };
  const configuration = await currentConfiguration(sql, access);
  // Such as a ticket: a colleague of whoever wrote it is to know it too.
  const isCustomers = customerId !== undefined && configuration.customer_documents.includes(documentType);
  let scope: Scope | null = userId && !isCustomers ? 'USER' : customerId ? 'CUSTOMER' : null;
  if (!scope && configuration.primary_scope === 'CLIENT') scope = 'CLIENT';
  if (!scope) throw invalidInputError('user_id', 'name a user_id or a customer_id: whose memories are these?');
  return { scope, userId: scope === 'USER' ? userId! : '', customerId: customerId ?? '' };
}
