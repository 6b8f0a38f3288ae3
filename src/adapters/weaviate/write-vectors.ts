import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { vectorRecipe, type VectorSpace } from '../../domain/vectors/vector-recipe.ts';
import { chunksOf } from '../../domain/flow/chunks-of.ts';
import type { ExternalVectors } from '../../domain/search-index/external-index.ts';
import type { ComputedVectors } from '../../domain/search-index/vector-index.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import {
  collectionNameOf,
  isNotFoundError,
  toTimestamp,
  maxIdsPerRequest,
  type StoredProperties,
} from './collections.ts';
import type { TenantReference, Tenants } from './tenants.ts';
import type { WeaviateConnection } from './weaviate-connection.ts';

/** Objects of one batch: some 2 MB of JSON at the shipped model's length. */
const putAtOnce = 200;
/** Calls at once where each is about one object. */
const amendedAtOnce = 8;
/** Ids of writes that may be half done, remembered by this process. */
const mostUncertain = 100_000;

type Writes = Pick<ExternalVectors, 'put' | 'amend' | 'remove' | 'clear'>;

export function vectorWrites(connection: WeaviateConnection, tenants: Tenants): Writes {
  // A write that was cut off may have left an object that no search finds, and repeating it does not mend that.
  const uncertain = new LRUCache<string, true>({ max: mostUncertain });

  /** Through REST: the client needs half a second a batch. */
  async function putBatch(access: Access, { space, vectors }: ComputedVectors): Promise<void> {
    const objects = vectors.map((each) => ({
      class: collectionNameOf(space),
      tenant: access.instance,
      id: each.memoryId,
      properties: storedOf(each),
      vectors: { default: [...each.values] },
    }));
    for (let isSecond = false; ; isSecond = true) {
      const results = await connection.post<BatchResult[]>('/v1/batch/objects', { objects });
      const errors = results.flatMap(({ result }) => result?.errors?.error?.map(({ message }) => message) ?? []);
      if (!errors.length) return;
      if (isSecond || !errors.every(isNotFoundError))
        throw connection.refuse(new Error(`vectors refused: ${errors[0]}`));
      await tenants.ensure(access, space);
    }
  }

  async function removeFrom(access: TenantReference, collection: string, ids: readonly string[]): Promise<number> {
    let removed = 0;
    for (const some of chunksOf(ids, maxIdsPerRequest)) {
      removed += await tenants.within(access, collection, 0, async (tenant) => {
        const { successful, failed } = await tenant.data.deleteMany(tenant.filter.byId().containsAny(some));
        if (failed) throw new Error('Weaviate kept some objects');
        return successful;
      });
    }
    return removed;
  }

  return {
    async put(access, { space, vectors }) {
      requireFiniteVectors(space, vectors);
      for (const some of chunksOf(vectors, putAtOnce)) {
        const ids = some.map(({ memoryId }) => memoryId);
        const doubtful = ids.filter((id) => uncertain.has(id));
        for (const id of ids) uncertain.set(id, true);
        if (doubtful.length) await removeFrom(access, collectionNameOf(space), doubtful);
        await putBatch(access, { space, vectors: some });
        for (const id of ids) uncertain.delete(id);
      }
    },

    async amend(access, space, amendments) {
      const limit = pLimit(amendedAtOnce);
      await Promise.all(
        amendments.map(({ memoryId, until, isUnsure }) =>
          limit(() =>
            tenants.within(access, collectionNameOf(space), null, async (tenant) => {
              const properties = { until: toTimestamp(until), ...(isUnsure ? { complete: false } : {}) };
              await tenant.data.update({ id: memoryId, properties });
              return null;
            }),
          ),
        ),
      );
    },

    async remove(access, memoryIds, kept) {
      if (!memoryIds.length) return 0;
      let removed = 0;
      const others = (await tenants.collections()).filter((name) => !kept || name !== collectionNameOf(kept));
      for (const name of others) removed += await removeFrom(access, name, memoryIds);
      return removed;
    },

    async clear(access, kept) {
      const keptNames = new Set(kept.map(collectionNameOf));
      for (const name of await tenants.collections()) if (!keptNames.has(name)) await tenants.remove(access, name);
    },
  };
}

interface BatchResult {
  readonly result?: { readonly errors?: { readonly error?: readonly { readonly message: string }[] } };
}

const storedOf = ({ ownerNo, type, validity, isComplete }: ComputedVectors['vectors'][number]): StoredProperties => ({
  owner: ownerNo,
  type,
  from: toTimestamp(validity.from),
  until: toTimestamp(validity.until),
  complete: isComplete,
});

/** Weaviate accepts NaN and infinity, and then answers with wrong distances. */
function requireFiniteVectors(space: VectorSpace, vectors: ComputedVectors['vectors']): void {
  const length = vectorRecipe.sketchDimensions + space.dimensions;
  for (const { values } of vectors) {
    if (values.length !== length) throw new RangeError(`a vector of ${values.length} numbers instead of ${length}`);
    if (!values.every(Number.isFinite)) throw new RangeError('a vector holds a number that is none');
  }
}
