import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import { newUuid, parseId, toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Batch, Ingestion, Submission } from './ingestion.ts';
import { awaitIngestionsVisible } from './acknowledged-ingestion.ts';
import { findBatch, saveBatch, saveRefused, type BatchRefusal } from './batch-store.ts';
import { acceptDocument } from './accept-document.ts';
import type { SubmissionDependencies } from './submit-document.ts';

/** Ends what is tried of a batch: each of a thousand documents would wait for a database that does not answer. */
const outage: Omit<BatchRefusal, 'index'> = {
  code: 'unavailable',
  message: 'the service failed before it was stored; send it again',
};

/**
 * Accepts many documents, each on its own: one that is refused does not keep the others out. With `failFast` nothing
 * after the first refusal is accepted. Whatever fails once the first is accepted, the answer says what became of each:
 * a caller who learns nothing sends all of them again, and those that have no id of their own are remembered twice.
 */
export async function submitBatch(
  deps: SubmissionDependencies,
  access: Access,
  items: readonly (Submission | Error)[],
  { failFast }: { failFast: boolean },
): Promise<Batch> {
  const id = newUuid();
  const at = deps.now();
  const refused: BatchRefusal[] = [];
  const ingestions = new Map<number, Ingestion>();
  let hasFailed = false;
  // First, since each document names it; until the end, what is not accepted counts as what the service failed on.
  const untried = items.map((_, index) => ({ index, ...outage }));
  await saveBatch(deps.db, access, { id, total: items.length, refused: untried, at });
  for (const [index, item] of items.entries()) {
    if (hasFailed) {
      refused.push({ index, ...outage });
      continue;
    }
    if (failFast && refused.length) {
      refused.push({ index, code: 'conflict', message: 'not tried: an earlier document was refused' });
      continue;
    }
    try {
      if (item instanceof Error) throw item;
      if (item.ifExists === 'replace')
        throw invalidInputError('if_exists', 'replace is for a document that is sent alone');
      const { ingestion } = await acceptDocument(deps.db, access, item, { at, batch: { id, index } });
      ingestions.set(index, ingestion);
    } catch (error) {
      hasFailed = !(error instanceof DomainError) || error.code === 'unavailable';
      if (hasFailed && !ingestions.size) throw error; // nothing was accepted, so that all of it may be sent again
      refused.push({ index, ...(hasFailed ? outage : refusalOf(error as DomainError)) });
    }
  }
  deps.wake();
  await saveRefused(deps.db, access, id, refused).catch(() => undefined); // the answer says it in any case
  return batchOf(id, { total: items.length, refused, ingestions });
}

const refusalOf = ({ code, message }: DomainError): Omit<BatchRefusal, 'index'> => ({ code, message });

/** A batch as its documents stand now. Throws `not_found`. */
export async function readBatch(deps: WriteDependencies, access: Access, id: string): Promise<Batch> {
  const uuid = parseId('batch', id);
  const found = await findBatch(deps.db, access, uuid);
  if (!found) throw notFoundError('batch');
  await awaitIngestionsVisible(deps, access, found.ingestions.values());
  return batchOf(uuid, found);
}

function batchOf(
  id: string,
  {
    total,
    refused,
    ingestions,
  }: { total: number; refused: readonly BatchRefusal[]; ingestions: Map<number, Ingestion> },
): Batch {
  const errors = new Map(refused.map(({ index, code, message }) => [index, { code, message }]));
  const results = Array.from({ length: total }, (_, index) => {
    const ingestion = ingestions.get(index) ?? null;
    return { index, ingestion, error: ingestion ? null : (errors.get(index) ?? null) };
  });
  return { id: toPublicId('batch', id), total, results };
}
