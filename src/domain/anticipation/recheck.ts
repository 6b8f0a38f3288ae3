import type { Db } from '../../db/database.ts';
import { instanceItself } from '../invalidation/invalidation.ts';
import { tokensIn } from '../language/count-tokens.ts';
import type { MemoryEdition } from '../memories/read.ts';
import { currentEditions } from '../memories/standing-store.ts';
import { readVersionsOf, type Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/store.ts';
import type { Prediction } from './predict.ts';

/** The rest of a prediction of which something changed. */
export type Left = Pick<Prediction, 'memories' | 'totalTokens' | 'asOf'>;

/**
 * Checks the memories of a prediction again, and leaves out those that hold no more, or in other words; where an owner is written to all the time, predicting
 * anew would never come to an end. Null when it is the instance that changed: what may be read may be another then.
 */
export async function recheck(db: Db, access: Access, before: Left): Promise<Left | null> {
  const { revisions } = before.asOf;
  if (revisions.get(instanceItself) !== access.instanceRevision) return null;
  const owners = await findOwners(db, access.i, [...revisions.keys()]); // their revisions before their memories
  const reader = { ...access, reads: owners };
  const uuids = before.memories.map(({ uuid }) => uuid);
  const editions = new Map((await currentEditions(db, reader, uuids)).map(({ uuid, edition }) => [uuid, edition]));
  const isCurrent = ({ uuid, edition }: MemoryEdition) => editions.get(uuid) === edition;
  const lost = before.memories.filter((memory) => !isCurrent(memory));
  return {
    memories: before.memories.filter(isCurrent),
    totalTokens: before.totalTokens - tokensIn(lost),
    asOf: readVersionsOf(reader),
  };
}
