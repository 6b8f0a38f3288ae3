import type { Db, Tx } from '../../db/database.ts';
import { currentConfiguration } from '../configurations/store.ts';
import { bindConversation, conversationOwner } from '../conversations/conversation-store.ts';
import { inherit } from '../conversations/meant.ts';
import { DomainError, invalid, notFound } from '../errors.ts';
import type { Changing } from '../freshness/changing.ts';
import { newUuid, parseId, printId } from '../ids.ts';
import { isStorableTime } from '../language/calendar.ts';
import type { Access, Named, Owner, Scope } from '../tenancy/access.ts';
import { registerOwner } from '../tenancy/store.ts';
import type { Batch, DocumentType, Ingestion, Submission } from './ingestion.ts';
import { settle } from './settled-ingestion.ts';
import { findBatch, findClaim, saveBatch, saveDocument, type Refusal } from './store.ts';

/** What accepting a document needs. */
export interface Submitting {
  readonly db: Db;
  readonly now: () => Date;
  /** Tells a worker that there is work; a worker that does not hear it finds out by itself. */
  readonly wake: () => void;
}

/**
 * Accepts a document: stores it with its ingestion and its job in one statement. Throws `duplicate_document` (with
 * the first ingestion) when its id is queued, running or ingested, `invalid_input` when it has no owner.
 */
export async function submit(d: Submitting, access: Access, submission: Submission): Promise<Ingestion> {
  const ingestion = await accept(d.db, access, submission, { at: d.now(), batch: null });
  d.wake();
  return ingestion;
}

/** The same within a transaction; a worker is still to be told. */
export async function accept(
  db: Tx,
  access: Access,
  submission: Submission,
  { at, batch }: { at: Date; batch: { id: string; index: number } | null },
): Promise<Ingestion> {
  const { conversationId } = submission;
  refuseFarTimes(submission);
  const named = conversationId ? inherit(submission, await conversationOwner(db, access, conversationId)) : submission;
  const owner = await ownerFor(db, access, { ...named, scope: submission.scope }, submission.documentType);
  const [id, ingestionId] = [newUuid(), newUuid()];
  const externalId = submission.documentId ?? null;
  const document = {
    id,
    ingestionId,
    ownerNo: owner.ownerNo,
    externalId,
    type: submission.documentType,
    mode: submission.mode,
    conversationId: conversationId ? await bind(db, access, conversationId, { named, owner }) : null,
    createdAt: submission.documentCreatedAt ?? at,
    receivedAt: at,
    body: submission.document,
    metadata: submission.metadata ?? null,
    batch,
  };
  const outcome = await saveDocument(db, access, document);
  if (outcome === 'no-owner') return accept(db, access, submission, { at, batch }); // it is registered anew
  if (outcome === 'taken') throw await duplicate(db, access, externalId!);
  return {
    id: printId('ingestion', ingestionId),
    documentId: externalId ?? printId('document', id),
    status: 'queued',
    mode: submission.mode,
    queuedAt: at,
    startedAt: null,
    completedAt: null,
    memoryIds: [],
    discarded: 0,
    warnings: [],
    error: null,
  };
}

/** A conversation stays its user's, also when what is said in it belongs to the customer. */
async function bind(
  db: Tx,
  access: Access,
  conversationId: string,
  { named, owner }: { named: Named; owner: Owner },
): Promise<string> {
  const { userId, customerId } = named;
  const isUsers = userId !== undefined && owner.level !== 'USER';
  const speaker = isUsers
    ? await registerOwner(db, access.i, { level: 'USER', userId, customerId: customerId ?? '' })
    : owner;
  return bindConversation(db, access, conversationId, speaker.ownerNo);
}

function refuseFarTimes({ document, documentCreatedAt }: Submission): void {
  const isFar = (time: Date | undefined) => time !== undefined && !isStorableTime(time);
  if (isFar(documentCreatedAt)) throw invalid('document_created_at', 'must be in the years 2 to 9998');
  if (typeof document === 'string') return;
  const far = document.findIndex((turn) => isFar(turn.timestamp));
  if (far >= 0) throw invalid(`document[${far}].timestamp`, 'must be in the years 2 to 9998');
}

async function duplicate(db: Tx, access: Access, externalId: string): Promise<DomainError> {
  const first = await findClaim(db, access, externalId);
  const details: Record<string, string> = first ? { ingestion_id: printId('ingestion', first) } : {};
  return new DomainError('duplicate_document', 'a document of this document_id is queued, running or ingested', {
    fields: [{ field: 'document_id', message: 'is taken' }],
    details,
  });
}

/** The write rule of decisions, "Scopes". */
async function ownerFor(
  db: Tx,
  access: Access,
  { userId, customerId, scope }: Named & Pick<Submission, 'scope'>,
  documentType: DocumentType,
): Promise<Owner> {
  if (scope) return registerOwner(db, access.i, { level: scope, userId: '', customerId: '' });
  const configuration = await currentConfiguration(db, access);
  // Such as a ticket: a colleague of whoever wrote it is to know it too.
  const isCustomers = customerId !== undefined && configuration.customer_documents.includes(documentType);
  let level: Scope | null = userId && !isCustomers ? 'USER' : customerId ? 'CUSTOMER' : null;
  if (!level && configuration.primary_scope === 'CLIENT') level = 'CLIENT';
  if (!level) throw invalid('user_id', 'name a user_id or a customer_id: whose memories are these?');
  return registerOwner(db, access.i, { level, userId: level === 'USER' ? userId! : '', customerId: customerId ?? '' });
}

/**
 * Accepts many documents, each on its own: one that is refused does not keep the others out. With `failFast` nothing
 * after the first refusal is accepted.
 */
export async function submitBatch(
  d: Submitting,
  access: Access,
  items: readonly (Submission | Error)[],
  { failFast }: { failFast: boolean },
): Promise<Batch> {
  const id = newUuid();
  const at = d.now();
  const refused: Refusal[] = [];
  const ingestions = new Map<number, Ingestion>();
  for (const [index, item] of items.entries()) {
    if (failFast && refused.length) {
      refused.push({ index, code: 'conflict', message: 'not tried: an earlier document was refused' });
      continue;
    }
    try {
      if (item instanceof Error) throw item;
      ingestions.set(index, await accept(d.db, access, item, { at, batch: { id, index } }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ index, code: error.code, message: error.message });
    }
  }
  await saveBatch(d.db, access, { id, total: items.length, refused, at });
  d.wake();
  return batchOf(id, { total: items.length, refused, ingestions });
}

/** A batch as its documents stand now. Throws `not_found`. */
export async function readBatch(d: Changing, access: Access, id: string): Promise<Batch> {
  const uuid = parseId('batch', id);
  const found = await findBatch(d.db, access, uuid);
  if (!found) throw notFound('batch');
  await settle(d, access, found.ingestions.values());
  return batchOf(uuid, found);
}

function batchOf(
  id: string,
  { total, refused, ingestions }: { total: number; refused: readonly Refusal[]; ingestions: Map<number, Ingestion> },
): Batch {
  const errors = new Map(refused.map(({ index, code, message }) => [index, { code, message }]));
  const results = Array.from({ length: total }, (_, index) => ({
    index,
    ingestion: ingestions.get(index) ?? null,
    error: errors.get(index) ?? null,
  }));
  return { id: printId('batch', id), total, results };
}
