import { DomainError, invalid, notFound } from '../errors.ts';
import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import { newUuid, parseId, printId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { Batch, Ingestion, Submission } from './ingestion.ts';
import { settle } from './settled-ingestion.ts';
import { findBatch, saveBatch, type Refusal } from './batch-store.ts';
import { accept, type Submitting } from './submit.ts';

/**
 * Accepts many documents, each on its own: one that is refused does not keep the others out. With `failFast` nothing
 * after the first refusal is accepted.
 */
export async function submitBatch(
  deps: Submitting,
  access: Access,
  items: readonly (Submission | Error)[],
  { failFast }: { failFast: boolean },
): Promise<Batch> {
  const id = newUuid();
  const at = deps.now();
  const refused: Refusal[] = [];
  const ingestions = new Map<number, Ingestion>();
  for (const [index, item] of items.entries()) {
    if (failFast && refused.length) {
      refused.push({ index, code: 'conflict', message: 'not tried: an earlier document was refused' });
      continue;
    }
    try {
      if (item instanceof Error) throw item;
      if (item.ifExists === 'replace') throw invalid('if_exists', 'replace is for a document that is sent alone');
      const { ingestion } = await accept(deps.db, access, item, { at, batch: { id, index } });
      ingestions.set(index, ingestion);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ index, code: error.code, message: error.message });
    }
  }
  await saveBatch(deps.db, access, { id, total: items.length, refused, at });
  deps.wake();
  return batchOf(id, { total: items.length, refused, ingestions });
}

/** A batch as its documents stand now. Throws `not_found`. */
export async function readBatch(deps: WriteDependencies, access: Access, id: string): Promise<Batch> {
  const uuid = parseId('batch', id);
  const found = await findBatch(deps.db, access, uuid);
  if (!found) throw notFound('batch');
  await settle(deps, access, found.ingestions.values());
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
