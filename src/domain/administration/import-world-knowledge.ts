import { DomainError, invalidInputError } from '../errors.ts';
import type { Batch, Submission } from '../ingestion/ingestion.ts';
import { submitBatch } from '../ingestion/submit-batch.ts';
import type { SubmissionDependencies } from '../ingestion/submit-document.ts';
import { limits, refuseLongTexts } from '../limits.ts';
import type { Access } from '../tenancy/access.ts';
import { readInstance } from './instances.ts';
import { saveInstanceAudit } from './audit-store.ts';

/** Accepts documents whose memories everybody in the instance may read. Throws `conflict` when it is not active. */
export async function importWorldKnowledge(
  deps: SubmissionDependencies,
  access: Access,
  documents: readonly Submission[],
): Promise<Batch> {
  if (!documents.length || documents.length > limits.batch.max) {
    throw invalidInputError('documents', `must be 1 to ${limits.batch.max.toLocaleString('en')}`);
  }
  for (const [index, { document, userId, customerId, conversationId }] of documents.entries()) {
    refuseLongTexts(`documents[${index}].document`, document, limits.document);
    if (userId ?? customerId ?? conversationId)
      throw invalidInputError('documents', 'must name nobody: they are for everybody');
  }
  const { state } = await readInstance(deps.db, access);
  if (state !== 'active') throw new DomainError('conflict', `this instance is ${state}`);
  const ofWorld = documents.map((document) => ({ ...document, scope: 'WORLD', provenance: 'import' }) as const);
  const batch = await submitBatch(deps, access, ofWorld, { failFast: false });
  const audited = { action: 'world.import', target: batch.id, at: deps.now() };
  await saveInstanceAudit(deps.db, access, { ...audited, after: { documents: documents.length } });
  return batch;
}
