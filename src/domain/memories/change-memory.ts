import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { notFoundError } from '../errors.ts';
import { parseId } from '../ids.ts';
import type { Access, SubjectIds } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import { readMemory } from './list-memories.ts';
import type { Memory } from './memory.ts';
import { retryOnConflict } from './optimistic-lock.ts';
import type { RemovalDependencies } from './remove-memories.ts';
import { findMemoryLocations, readableIds, type MemoryLocation } from './memory-store.ts';

/** A memory about to be changed: where it is, and the revision of its owner on which that is decided. */
export type MemoryToChange = MemoryLocation & { readonly expectedRevision: bigint };

/**
 * Changes one memory that the caller reads, decided anew for as long as `change` gives null since somebody wrote in
 * between; the memory as it is then. Throws `not_found`, and `unavailable` when somebody always did.
 */
export async function changeMemory(
  deps: RemovalDependencies,
  access: Access,
  { id, named, change }: { id: string; named: SubjectIds; change: (memory: MemoryToChange) => Promise<true | null> },
): Promise<Memory> {
  const memoryId = parseId('memory', id);
  const reader = await narrowIfSubjectGiven(deps.db, access, named);
  return retryOnConflict(async () => {
    const [readable] = await readableIds(deps.db, reader, [memoryId]);
    const [home] = readable ? await findMemoryLocations(deps.db, access, [readable]) : [];
    if (!home) throw notFoundError('memory');
    // Read first: what is decided below rests on its revision.
    const [owner] = await findOwners(deps.db, access.instanceNumber, [home.ownerNo]);
    if (!owner) return null; // forgotten a moment ago
    const isChanged = await change({ ...home, expectedRevision: owner.revision });
    return isChanged && readMemory(deps.db, access, id, named);
  });
}

export interface MemoryChangeDependencies extends RemovalDependencies {
  readonly now: () => Date;
}

/** Defines the use case that changes a memory by `change`. Throws what `change` and `changeMemory` throw. */
export const defineMemoryChange =
  (change: (deps: MemoryChangeDependencies, access: Access, memory: MemoryToChange) => Promise<true | null>) =>
  (deps: MemoryChangeDependencies, access: Access, id: string, named: SubjectIds): Promise<Memory> =>
    changeMemory(deps, access, { id, named, change: (memory) => change(deps, access, memory) });
