import { toPublicId, fromPublicId } from '../ids.ts';
import { readableIds } from '../memories/memory-store.ts';
import type { Metering } from '../metering/metering.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { resolveReader, type PredictionInput } from './predict-bundle.ts';
import { lookUpCues } from './look-up-cues.ts';
import { saveAssociations } from './learned-association-store.ts';

export interface LearningDependencies extends RetrievalDependencies {
  readonly metering: Metering;
  readonly now: () => Date;
}

/** Memories, by their public ids, that were of use after what was said last. */
export interface UsedMemories extends Pick<PredictionInput, 'session' | 'window'> {
  readonly memoryIds: readonly string[];
}

/**
 * Counts memories as used, and learns when they were. Takes and returns public ids; those returned were counted: what
 * the session may not read counts for nothing.
 */
export async function learnAssociations(
  deps: LearningDependencies,
  access: Access,
  { session, window, memoryIds }: UsedMemories,
): Promise<string[]> {
  const { access: reader } = await resolveReader(deps, access, session);
  const uuids = memoryIds.flatMap((id) => fromPublicId('memory', id) ?? []);
  const used = await readableIds(deps.db, reader, uuids);
  deps.metering.countAccesses(reader.instanceNumber, used, deps.now());
  // What was said may not have been looked up yet.
  const { asked, before } = await (await lookUpCues(deps, reader, window, session)).matches;
  const said = [asked, ...before].slice(0, 2);
  const contexts = [...new Set(said.flatMap((each) => each?.terms ?? []))];
  await saveAssociations(deps.db, reader, { memoryIds: used, contexts, at: deps.now() });
  return used.map((uuid) => toPublicId('memory', uuid));
}
