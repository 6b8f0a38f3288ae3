import type { Configuration } from '../configurations/configuration.ts';
import { holds } from '../memories/memory.ts';
import type { OwnedAccess } from '../tenancy/access.ts';
import type { HydratedMemory } from './hydrated-memories.ts';
import type { Hit, Retrieving } from './search.ts';
import type { ScoredMemory } from './scored-memory.ts';

/**
 * The memories of the hits, in their order, as of when the reader's owners were read or later. Postgres is the truth: a
 * hit whose row was gone, not readable, or says that it does not hold at the time, is dropped.
 */
export async function hydrate(
  { db, hydrated }: Pick<Retrieving, 'db' | 'hydrated'>,
  access: OwnedAccess,
  configuration: Configuration,
  hits: readonly Hit[],
  { explain, asOf }: { explain: boolean; asOf?: Date | undefined },
): Promise<(ScoredMemory & HydratedMemory)[]> {
  const memories = await hydrated.read(
    db,
    access,
    configuration,
    hits.map((hit) => hit.id),
  );
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  const held = memories.filter(({ status, validFrom, validUntil }) => holds(status, validFrom, validUntil, asOf));
  return held.map((memory) => {
    const { score, parts } = byId.get(memory.uuid)!;
    return { ...memory, score, parts: explain ? parts : null };
  });
}
