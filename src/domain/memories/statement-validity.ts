import type { Db, Tx } from '../../db/database.ts';
import { groupBy } from '../flow/group-by.ts';
import type { SpaceEmbedder } from '../search-index/embedding-models.ts';
import type { MemoryVector, VectorWrites } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import type { ChangedValidities } from './attribute-timeline.ts';
import { neighbourVectors } from './neighbour-vectors.ts';
import { findMemoryLocations, saveValiditiesOfRows } from './memory-store.ts';

/** Records until when statements hold, in the rows and in the index of vectors. */
export async function saveValidities(
  tx: Tx,
  vectors: VectorWrites,
  access: Access,
  statementValidities: ChangedValidities,
): Promise<void> {
  if (!statementValidities.length) return;
  await saveValiditiesOfRows(tx, access, statementValidities);
  const idsByEnd = groupBy(
    statementValidities,
    ({ statementValidity }) => statementValidity.validUntil?.getTime(),
    ({ id }) => id,
  );
  for (const [end, ids] of idsByEnd)
    await vectors.setValidity(tx, access, ids, end === undefined ? null : new Date(end));
}

/**
 * Computes the vectors beside statements whose validity changes: a superseded statement no longer contributes to them,
 * and a restored one does again.
 */
export async function neighbourVectorsOfValidities(
  db: Db,
  model: SpaceEmbedder,
  access: Access,
  statementValidities: ChangedValidities,
): Promise<MemoryVector[]> {
  if (!statementValidities.length) return [];
  const ids = statementValidities.map(({ id }) => id);
  const places = await findMemoryLocations(db, access, ids);
  const changes = new Map(statementValidities.map(({ id, statementValidity }) => [id, statementValidity]));
  return neighbourVectors(db, model, access, places, {
    removed: new Set(),
    moved: new Map(),
    statementValidities: changes,
  });
}
