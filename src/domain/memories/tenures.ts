import type { Db, Tx } from '../../db/database.ts';
import type { MeaningModel } from '../search-index/embedding-models.ts';
import type { MemoryVector, VectorWrites } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import type { ChangedTenures } from './attribute-timeline.ts';
import { vectorsBeside } from './reindex.ts';
import { findHomes, saveTenuresOfRows } from './store.ts';

/** Records until when statements hold, in the rows and in the index of vectors. */
export async function saveTenures(
  tx: Tx,
  vectors: VectorWrites,
  access: Access,
  tenures: ChangedTenures,
): Promise<void> {
  if (!tenures.length) return;
  await saveTenuresOfRows(tx, access, tenures);
  const idsByEnd = new Map<number | undefined, string[]>();
  for (const { id, tenure } of tenures) {
    const end = tenure.validUntil?.getTime();
    idsByEnd.set(end, [...(idsByEnd.get(end) ?? []), id]);
  }
  for (const [end, ids] of idsByEnd)
    await vectors.setValidity(tx, access, ids, end === undefined ? null : new Date(end));
}

/**
 * Computes the vectors beside statements whose validity changes: a superseded statement no longer contributes to them,
 * and a restored one does again.
 */
export async function vectorsBesideTenures(
  db: Db,
  model: MeaningModel,
  access: Access,
  tenures: ChangedTenures,
): Promise<MemoryVector[]> {
  if (!tenures.length) return [];
  const ids = tenures.map(({ id }) => id);
  const places = await findHomes(db, access, ids);
  const changes = new Map(tenures.map(({ id, tenure }) => [id, tenure]));
  return vectorsBeside(db, model, access, places, { gone: new Set(), moved: new Map(), tenures: changes });
}
