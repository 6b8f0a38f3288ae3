import type { Db } from '../../db/database.ts';
import { instanceOwnerNo } from '../invalidation/invalidation.ts';
import { sumTokens } from '../language/count-tokens.ts';
import type { MemoryVersion } from '../memories/read.ts';
import { readCurrentVersions } from '../memories/standing-store.ts';
import { readVersionsOf, type Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import type { Prediction } from './predict-bundle.ts';

/** The rest of a prediction of which something changed. */
export type RemainingPrediction = Pick<Prediction, 'memories' | 'totalTokens' | 'asOf'>;

/**
 * Rechecks the memories of a prediction and drops those that ended or were reworded; where an owner is written to
 * constantly, predicting anew would never finish. Null when the instance itself changed, since other memories may be
 * readable then.
 */
export async function recheckPrediction(
  db: Db,
  access: Access,
  before: RemainingPrediction,
): Promise<RemainingPrediction | null> {
  const { revisions } = before.asOf;
  if (revisions.get(instanceOwnerNo) !== access.instanceRevision) return null;
  // Revisions are read before their memories.
  const owners = await findOwners(db, access.instanceNumber, [...revisions.keys()]);
  const reader = { ...access, readableOwners: owners };
  const uuids = before.memories.map(({ uuid }) => uuid);
  const versions = new Map(
    (await readCurrentVersions(db, reader, uuids)).map(({ uuid, contentVersion }) => [uuid, contentVersion]),
  );
  const isCurrent = ({ uuid, contentVersion }: MemoryVersion) => versions.get(uuid) === contentVersion;
  const lost = before.memories.filter((memory) => !isCurrent(memory));
  return {
    memories: before.memories.filter(isCurrent),
    totalTokens: before.totalTokens - sumTokens(lost),
    asOf: readVersionsOf(reader),
  };
}
