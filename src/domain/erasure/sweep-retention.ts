import { currentConfiguration } from '../configurations/configuration-store.ts';
import { notFoundError, hasErrorCode } from '../errors.ts';
import { chunksOf } from '../flow/chunks-of.ts';
import { groupBy } from '../flow/group-by.ts';
import { eraseTurnContents, removeDocuments } from '../ingestion/document-store.ts';
import { archiveMemories } from '../memories/archive.ts';
import { citationsOf } from '../memories/evidence-store.ts';
import { expiredMemories } from '../memories/expired.ts';
import { findTransitivelySuperseded, readAgeingMemories, type AgeingMemory } from '../memories/expiry-store.ts';
import { recordsAmong } from '../memories/indexable-store.ts';
import { isExpired } from '../memories/retention.ts';
import type { Access } from '../tenancy/access.ts';
import { erase, type ErasureDependencies } from './erase.ts';
import { turnsByDocument } from './turns-by-document.ts';

/** Memories of one owner that go in one transaction. */
const batchSize = 100;
/** Other processes write the accesses that they counted within this time. */
const graceMs = 60_000;

/** The counts of one sweep. */
export interface SweepResult {
  readonly archived: number;
  readonly evicted: number;
}

/**
 * Archives or evicts what is expired, some of one owner at a time. Stopped, or killed, it goes on with what is left
 * when it is run again: what went is not found any more.
 */
export async function sweepRetention(
  deps: ErasureDependencies,
  access: Access,
  signal: AbortSignal,
): Promise<SweepResult> {
  const { retention } = await currentConfiguration(deps.db, access);
  const at = new Date(deps.now().getTime() - graceMs);
  const swept = { archived: 0, evicted: 0 };
  for await (const expired of expiredMemories(deps.db, access, { at, retention, direction: 'asc' })) {
    for (const { ownerNo, ids } of batchesOf(expired)) {
      if (signal.aborted) return swept;
      if (retention.on_expiry === 'archive') swept.archived += await archive(deps, access, { ownerNo, ids });
      else swept.evicted += await evict(deps, access, { ownerNo, ids, at });
    }
  }
  return swept;
}

function batchesOf(memories: readonly AgeingMemory[]): { ownerNo: number; ids: string[] }[] {
  const byOwner = groupBy(
    memories,
    ({ ownerNo }) => ownerNo,
    ({ id }) => id,
  );
  return [...byOwner].flatMap(([ownerNo, all]) => [...chunksOf(all, batchSize)].map((ids) => ({ ownerNo, ids })));
}

/** An owner that is written to all the time has its turn at the next sweep. */
const tries = 5;

async function archive(
  deps: ErasureDependencies,
  access: Access,
  batch: { ownerNo: number; ids: readonly string[] },
): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const archived = await archiveMemories(deps, access, batch);
    if (archived !== null) return archived;
  }
  return 0;
}

/**
 * Erases memories with a receipt, as forgetting does: also those that they replaced, and their words in the documents.
 */
async function evict(
  deps: ErasureDependencies,
  access: Access,
  { ownerNo, ids, at }: { ownerNo: number; ids: readonly string[]; at: Date },
): Promise<number> {
  const { retention } = await currentConfiguration(deps.db, access);
  try {
    const receipt = await erase(deps, access, {
      owners: async () => [ownerNo],
      decide: async () => {
        const still = (await readAgeingMemories(deps.db, access, ids)).filter((memory) =>
          isExpired(retention, memory, at),
        );
        if (!still.length) throw notFoundError('memory'); // accessed, or forgotten, since it was found
        const expired = still.map(({ id }) => id);
        const memoryIds = [...new Set([...expired, ...(await findTransitivelySuperseded(deps.db, access, expired))])];
        const cited = await citationsOf(deps.db, access, memoryIds);
        const records = await recordsAmong(deps.db, access, memoryIds);
        const recorded = turnsByDocument(cited.filter((row) => records.has(row.memoryId)));
        const spoken = turnsByDocument(cited.filter((row) => !records.has(row.memoryId)));
        const documentIds = recorded.map(({ documentId }) => documentId);
        return {
          memoryIds,
          documentIds,
          rest: async (tx) => ({
            turns: await eraseTurnContents(tx, access, spoken),
            rows: await removeDocuments(tx, access, documentIds),
          }),
        };
      },
    });
    return receipt.memoryIds.length;
  } catch (error) {
    if (hasErrorCode(error, 'unavailable', 'not_found')) return 0;
    throw error;
  }
}
