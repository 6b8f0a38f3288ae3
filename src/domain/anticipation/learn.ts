import { printId, uuidOf } from '../ids.ts';
import { readableIds } from '../memories/store.ts';
import type { Metering } from '../metering/metering.ts';
import type { RetrievalDependencies } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { readerOf, type Circumstances } from './predict.ts';
import { recollect } from './recollect.ts';
import { saveTransitions } from './transition-store.ts';

/** The dependencies of learning. */
export interface Learning extends RetrievalDependencies {
  readonly metering: Metering;
  readonly now: () => Date;
}

/** Memories, by their printed ids, were of use after what was said last. */
export interface Used extends Pick<Circumstances, 'session' | 'attention'> {
  readonly memoryIds: readonly string[];
}

/**
 * Counts memories as used, and learns when they were. Ids as printed; returns those that count: what the session may
 * not read counts for nothing.
 */
export async function learn(
  deps: Learning,
  access: Access,
  { session, attention, memoryIds }: Used,
): Promise<string[]> {
  const { access: reader } = await readerOf(deps, access, session);
  const uuids = memoryIds.flatMap((id) => uuidOf('memory', id) ?? []);
  const used = await readableIds(deps.db, reader, uuids);
  deps.metering.countAccesses(reader.i, used, deps.now());
  const { asked, before } = await (await recollect(deps, reader, attention, session)).mind; // what was said may not have been looked up yet
  const said = [asked, ...before].slice(0, 2);
  const contexts = [...new Set(said.flatMap((each) => each?.terms ?? []))];
  await saveTransitions(deps.db, reader, { memoryIds: used, contexts, at: deps.now() });
  return used.map((uuid) => printId('memory', uuid));
}
