import { setImmediate } from 'node:timers/promises';
import { transaction, type Db, type Sql } from '../../db/database.ts';
import type { Job } from '../../jobs/queue.ts';
import type { ResumeWaiter } from '../../db/wake-signal.ts';
import type { DocumentType } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { refuseFarTimes } from '../conversations/append-messages.ts';
import { conversationOwner, insertConversation } from '../conversations/conversation-store.ts';
import { mergeWithConversationSubject } from '../conversations/resolve-subject.ts';
import { DomainError, invalidInputError, hasErrorCode } from '../errors.ts';
import { conversationUuid, newUuid, toPublicId } from '../ids.ts';
import { isStorableTime, unstorableTime } from '../language/calendar.ts';
import { formatLimit, limits, refuseLongTexts } from '../limits.ts';
import { currentTraceparent } from '../../tracing.ts';
import type { Access, SubjectIds, Owner, Scope } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/owner-store.ts';
import { extractByRules, type DocumentForRules } from './extract-document.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import type { Ingestion, Submission } from './ingestion.ts';
import type { DocumentReadResult } from './read-document.ts';
import {
  findIngestionByExternalId,
  findDocumentByExternalId,
  releaseExternalId,
  readIngestion,
  saveDocument,
  type ClaimingDocument,
  type IngestionWork,
} from './ingestion-store.ts';

/** The dependencies of accepting a document. */
export interface SubmissionDependencies {
  readonly db: Db;
  readonly now: () => Date;
  /** Tells a worker that there is work; a worker that does not hear it finds out by itself. */
  readonly wake: () => void;
  /** Keeps a worker of this process that waits for work, if there is one. */
  readonly reserveWorker: () => ResumeWaiter<AcceptedDocument> | null;
  /** The rules, wherever they run. */
  readonly read: IngestionDependencies['read'];
}

/** A document that was accepted, with all that its ingestion needs: a worker of this process reads nothing again. */
export interface AcceptedDocument {
  readonly ingestion: Ingestion;
  readonly access: Access;
  readonly job: Job<'ingest-document'>;
  readonly work: IngestionWork;
  /** The candidates that the rules find in it, where reading began already. */
  readonly ruled?: Promise<DocumentReadResult> | undefined;
}

/**
 * Accepts a document: stores it with its ingestion and its job in one statement. Throws `duplicate_document` (with
 * the first ingestion) when its id is queued, running or ingested, `invalid_input` when it has no owner, and
 * `payload_too_large`.
 */
export async function submitDocument(
  deps: SubmissionDependencies,
  access: Access,
  submission: Submission,
): Promise<Ingestion> {
  const handOver = deps.reserveWorker();
  try {
    const readMeanwhile = handOver ? (told: DocumentForRules) => readOnceSent(deps, access, told) : undefined;
    const options = { at: deps.now(), batch: null, readMeanwhile };
    const accepted =
      submission.ifExists === 'replace'
        ? await acceptInPlace(deps.db, access, submission, options)
        : await acceptDocument(deps.db, access, submission, options);
    if (!('job' in accepted)) {
      handOver?.();
      return accepted;
    }
    if (handOver) handOver(accepted);
    else deps.wake();
    return accepted.ingestion;
  } catch (error) {
    handOver?.();
    throw error;
  }
}

/**
 * Accepts a document that takes the id of the one that holds it, in one transaction: a document that is refused takes
 * nothing. The same document again replaces nothing: the ingestion that it had is answered. Throws as `acceptDocument`
 * does, also where the id belongs to a document of another owner: nobody's memories go with the document of somebody
 * else.
 */
async function acceptInPlace(
  db: Db,
  access: Access,
  submission: Submission,
  options: AcceptanceOptions,
): Promise<AcceptedDocument | Ingestion> {
  const { documentId } = submission;
  const former = documentId === undefined ? null : await findDocumentByExternalId(db, access, documentId);
  if (!former) {
    const accepted = await acceptDocument(db, access, submission, options).catch(nullIfTaken);
    return accepted ?? acceptInPlace(db, access, submission, options); // another one took the id meanwhile
  }
  const { owner } = await validateAndFindOwner(db, access, submission);
  if (!isSameOwner(former.owner, owner)) throw await duplicate(db, access, documentId!);
  const ingestionId = await findIngestionByExternalId(db, access, documentId!);
  const ingestion = ingestionId && (await readIngestion(db, access, ingestionId));
  if (ingestion && isSameDocument(access, { ...former, mode: ingestion.mode }, submission)) return ingestion;
  const accepted = await transaction(db, async (tx) =>
    (await releaseExternalId(tx, access, former.id, options.at))
      ? acceptDocument(tx, access, submission, options)
      : null,
  );
  return accepted ?? acceptInPlace(db, access, submission, options); // another document took its place meanwhile
}

/** Whether a document is sent again as it was, so that its memories would be the same. */
function isSameDocument(
  { instance }: Access,
  former: ClaimingDocument & Pick<Submission, 'mode'>,
  { documentCreatedAt: createdAt = former.createdAt, conversationId, ...sent }: Submission,
): boolean {
  const { mode, type, body, metadata, provenance } = former;
  const conversation = conversationId === undefined ? null : conversationUuid(instance, conversationId).id;
  const before = [mode, type, former.createdAt, former.conversationId, body, metadata, provenance];
  const { metadata: noted = null, provenance: from = null } = sent;
  const now = [sent.mode, sent.documentType, createdAt, conversation, sent.document, noted, from];
  return JSON.stringify(before) === JSON.stringify(now);
}

/** Null for the error that says that the id of a document is taken; throws any other. */
function nullIfTaken(error: unknown): null {
  if (hasErrorCode(error, 'duplicate_document')) return null;
  throw error;
}

/** Reads a document by rules once the statement that stores it has left, since reading keeps this thread busy. */
async function readOnceSent(
  deps: SubmissionDependencies,
  access: Access,
  told: DocumentForRules,
): Promise<DocumentReadResult> {
  await setImmediate();
  return extractByRules(deps, told, await currentConfiguration(deps.db, access));
}

/** How a document is accepted: when, and in which batch. */
interface AcceptanceOptions {
  readonly at: Date;
  readonly batch: { readonly id: string; readonly index: number } | null;
  /** Its conversation is there, and is not bound: that would lock the owner of it before the owner of the document. */
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
  if (home === 'taken') throw await duplicate(sql, access, externalId!);
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

/**
 * Whom a document is about, and whose its memories will be. Throws `invalid_input` or `payload_too_large` for one that
 * cannot be accepted.
 */
async function validateAndFindOwner(
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
  const named = conversationId
    ? mergeWithConversationSubject(submission, await conversationOwner(sql, access, conversationId))
    : submission;
  const owner = await ownerFor(sql, access, { ...named, scope: submission.scope }, submission.documentType);
  return { named, owner };
}

const isSameOwner = (one: NamedOwner, other: NamedOwner): boolean =>
  one.level === other.level && one.customerId === other.customerId && one.userId === other.userId;

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
  const isUsers = userId !== undefined && owner.level !== 'USER';
  const speaker = isUsers ? ({ level: 'USER', userId, customerId: customerId ?? '' } as const) : owner;
  const { ownerNo } = await registerOwner(sql, access.instanceNumber, speaker);
  return insertConversation(sql, access, conversationId, ownerNo);
}

function refuseLongRecord({ document }: Submission): void {
  if (typeof document !== 'string') throw invalidInputError('document', 'must be a text where mode is verbatim');
  if (Buffer.byteLength(document) > limits.record.most)
    throw invalidInputError('document', `must be ${formatLimit(limits.record)} or less where mode is verbatim`);
}

async function duplicate(sql: Sql, access: Access, externalId: string): Promise<DomainError> {
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
type NamedOwner = Omit<Owner, 'ownerNo'>;

/**
 * Where a document's memories live: in the scope it names; else with its user, or with its customer where no user is
 * named or documents of its type are the customer's; without either with everybody, where the configuration says so.
 */
async function ownerFor(
  sql: Sql,
  access: Access,
  { userId, customerId, scope }: SubjectIds & Pick<Submission, 'scope'>,
  documentType: DocumentType,
): Promise<NamedOwner> {
  if (scope) return { level: scope, userId: '', customerId: '' };
  const configuration = await currentConfiguration(sql, access);
  // Such as a ticket: a colleague of whoever wrote it is to know it too.
  const isCustomers = customerId !== undefined && configuration.customer_documents.includes(documentType);
  let level: Scope | null = userId && !isCustomers ? 'USER' : customerId ? 'CUSTOMER' : null;
  if (!level && configuration.primary_scope === 'CLIENT') level = 'CLIENT';
  if (!level) throw invalidInputError('user_id', 'name a user_id or a customer_id: whose memories are these?');
  return { level, userId: level === 'USER' ? userId! : '', customerId: customerId ?? '' };
}
