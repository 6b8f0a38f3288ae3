import { transaction } from '../../db/database.ts';
import type { ReembeddingDependencies } from '../memories/reembed.ts';
import { vectorIndexState, type VectorIndexState } from '../memories/repair-vectors.ts';
import { enqueueRepair } from '../search-index/stale-vector-store.ts';
import type { Access } from '../tenancy/access.ts';
import { saveInstanceAudit } from './audit-store.ts';

/** Asks for the job that compares the index with the rows and mends it; answers how they stand now. */
export async function repairVectorIndex(deps: ReembeddingDependencies, access: Access): Promise<VectorIndexState> {
  await transaction(deps.db, async (tx) => {
    await enqueueRepair(tx, access);
    await saveInstanceAudit(tx, access, { action: 'vectors.repair', target: access.instance, at: deps.now() });
  });
  return vectorIndexState(deps, access);
}
