import { LRUCache } from 'lru-cache';
import type { CandidateReads } from '../../domain/retrieval/candidate-reads.ts';
import { versionVectorOf, type NarrowedAccess } from '../../domain/tenancy/access.ts';

type SuccessorQuery = Parameters<CandidateReads['findSuccessors']>[2];

/** So many passages are kept, those of all readers together; each takes some 300 bytes. */
const passagesAtMost = 20_000;
/** A memory may expire, which raises no revision. */
const keptMs = 60_000;

/**
 * Caches which memories hold in the place of what passages tell, under the version vector of all owners that were read:
 * nothing is found any more once one of them changed. It holds ids alone.
 */
export class SuccessorCache {
  readonly #known = new LRUCache<string, readonly string[]>({ max: passagesAtMost, ttl: keptMs });

  /** Finds successors as `CandidateReads.findSuccessors` does; `read` is asked for the passages that are not cached. */
  async find(
    access: NarrowedAccess,
    { ids, ...selection }: SuccessorQuery,
    read: (passages: SuccessorQuery) => ReturnType<CandidateReads['findSuccessors']>,
  ): ReturnType<CandidateReads['findSuccessors']> {
    const prefix = `${access.instanceNumber}/${versionVectorOf(access.readableOwners)}/${JSON.stringify(selection)}`;
    const known = new Map(ids.map((id) => [id, this.#known.get(`${prefix}/${id}`)]));
    const unknown = ids.filter((id) => !known.get(id));
    if (unknown.length) {
      const found = await read({ ...selection, ids: unknown });
      for (const id of unknown) {
        const successors = found.get(id) ?? [];
        this.#known.set(`${prefix}/${id}`, successors);
        known.set(id, successors);
      }
    }
    return new Map([...known].flatMap(([id, successors]) => (successors?.length ? [[id, successors]] : [])));
  }
}
