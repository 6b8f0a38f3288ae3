import type { WriteDependencies } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import type { Ingestion } from './ingestion.ts';
import { readIngestion, type OwnedIngestion } from './ingestion-store.ts';

/**
 * An ingestion as it stands, by UUID; null when this instance has none. `completed` acknowledges what it changed, also
 * when its worker died before it could wait: nobody is shown what it replaced once this resolves.
 */
export async function readAcknowledgedIngestion(
  deps: WriteDependencies,
  access: Access,
  id: string,
): Promise<Ingestion | null> {
  const ingestion = await readIngestion(deps.db, access, id);
  if (ingestion) await awaitIngestionsVisible(deps, access, [ingestion]);
  return ingestion;
}

/** Waits until no reader is shown what these ingestions replaced; those that are not completed replaced nothing. */
export async function awaitIngestionsVisible(
  deps: WriteDependencies,
  access: Access,
  ingestions: Iterable<OwnedIngestion>,
): Promise<void> {
  const completed = [...ingestions].filter(({ status }) => status === 'completed');
  if (completed.length)
    await deps.invalidation.awaitPropagation(access.instanceNumber, [
      ...new Set(completed.map(({ ownerNo }) => ownerNo)),
    ]);
}
