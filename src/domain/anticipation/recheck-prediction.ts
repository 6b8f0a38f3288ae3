import type { Db } from '../../db/database.ts';
import { instanceOwnerNo } from '../invalidation/invalidation.ts';
import { sumTokens } from '../language/count-tokens.ts';
import type { MemoryEdition } from '../memories/read.ts';
import { readCurrentEditions } from '../memories/standing-store.ts';
import { readVersionsOf, type Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import type { Prediction } from './predict-bundle.ts';

/** The rest of a prediction of which something changed. */
export type RemainingPrediction = Pick<Prediction, 'memories' | 'totalTokens' | 'asOf'>;

/**
 * Checks the memories of a prediction again, and leaves out those that hold no more, or in other words; where an owner
 * is written to all the time, predicting anew would never come to an end. Null when it is the instance that changed:
 * what may be read may be another then.
 */
export async function recheckPrediction(
  db: Db,
  access: Access,
  before: RemainingPrediction,
): Promise<RemainingPrediction | null> {
  const { revisions } = before.asOf;
  if (revisions.get(instanceOwnerNo) !== access.instanceRevision) return null;
  const owners = await findOwners(db, access.instanceNumber, [...revisions.keys()]); // their revisions before their memories
  const reader = { ...access, reads: owners };
  const uuids = before.memories.map(({ uuid }) => uuid);
  const editions = new Map((await readCurrentEditions(db, reader, uuids)).map(({ uuid, edition }) => [uuid, edition]));
  const isCurrent = ({ uuid, edition }: MemoryEdition) => editions.get(uuid) === edition;
  const lost = before.memories.filter((memory) => !isCurrent(memory));
  return {
    memories: before.memories.filter(isCurrent),
    totalTokens: before.totalTokens - sumTokens(lost),
    asOf: readVersionsOf(reader),
  };
}
