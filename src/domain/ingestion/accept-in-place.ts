import { transaction, type Db } from '../../db/database.ts';
import { hasErrorCode } from '../errors.ts';
import { conversationUuid } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import {
  acceptDocument,
  duplicateDocumentError,
  validateAndFindOwner,
  type AcceptanceOptions,
  type AcceptedDocument,
  type NamedOwner,
} from './accept-document.ts';
import { findDocumentByExternalId, releaseExternalId, type ClaimingDocument } from './document-store.ts';
import type { Ingestion, Submission } from './ingestion.ts';
import { findIngestionByExternalId, readIngestion } from './ingestion-store.ts';

/**
 * Accepts a document that takes the id of the one that holds it, in one transaction: a document that is refused takes
 * nothing. The same document again replaces nothing: the ingestion that it had is answered. Throws as `acceptDocument`
 * does, also where the id belongs to a document of another owner: nobody's memories go with the document of somebody
 * else.
 */
export async function acceptInPlace(
  db: Db,
  access: Access,
  submission: Submission,
  options: AcceptanceOptions,
): Promise<AcceptedDocument | Ingestion> {
  const { documentId } = submission;
  const previous = documentId === undefined ? null : await findDocumentByExternalId(db, access, documentId);
  if (!previous) {
    const accepted = await acceptDocument(db, access, submission, options).catch(nullIfTaken);
    return accepted ?? acceptInPlace(db, access, submission, options); // another one took the id meanwhile
  }
  const { owner } = await validateAndFindOwner(db, access, submission);
  if (!isSameOwner(previous.owner, owner)) throw await duplicateDocumentError(db, access, documentId!);
  const ingestionId = await findIngestionByExternalId(db, access, documentId!);
  const ingestion = ingestionId && (await readIngestion(db, access, ingestionId));
  if (ingestion && isSameDocument(access, { ...previous, mode: ingestion.mode }, submission)) return ingestion;
  const accepted = await transaction(db, async (tx) =>
    (await releaseExternalId(tx, access, previous.id, options.at))
      ? acceptDocument(tx, access, submission, options)
      : null,
  );
  return accepted ?? acceptInPlace(db, access, submission, options); // another document took its place meanwhile
}

/** Whether a document is sent again as it was, so that its memories would be the same. */
function isSameDocument(
  { instance }: Access,
  previous: ClaimingDocument & Pick<Submission, 'mode'>,
  { documentCreatedAt: createdAt = previous.createdAt, conversationId, ...sent }: Submission,
): boolean {
  const { mode, type, body, metadata, provenance } = previous;
  const conversation = conversationId === undefined ? null : conversationUuid(instance, conversationId).id;
  const before = [mode, type, previous.createdAt, previous.conversationId, body, metadata, provenance];
  const { metadata: noted = null, provenance: from = null } = sent;
  const now = [sent.mode, sent.documentType, createdAt, conversation, sent.document, noted, from];
  return JSON.stringify(before) === JSON.stringify(now);
}

/** Null for the error that says that the id of a document is taken; throws any other. */
function nullIfTaken(error: unknown): null {
  if (hasErrorCode(error, 'duplicate_document')) return null;
  throw error;
}

const isSameOwner = (one: NamedOwner, other: NamedOwner): boolean =>
  one.scope === other.scope && one.customerId === other.customerId && one.userId === other.userId;
