import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { OutsideVectors } from '../../domain/search-index/outside-index.ts';
import type { MadeVectors } from '../../domain/search-index/vector-index.ts';
import type { VectorSpace } from '../../domain/search-index/vector-space.ts';
import type { Access } from '../../domain/tenancy/access.ts';
import { collectionOf, isAbsent, timeOf, type Stored } from './collections.ts';
import { namedAtOnce, slices } from './slices.ts';
import type { TenantOf, Tenants } from './tenants.ts';
import type { WeaviateConnection } from './weaviate-connection.ts';

/** Objects of one batch: some 2 MB of JSON at the shipped model's length. */
const putAtOnce = 200;
/** Calls at once where each is about one object. */
const amendedAtOnce = 8;
/** Ids of writes that may be half done, remembered by this process. */
const mostUncertain = 100_000;

type Writes = Pick<OutsideVectors, 'put' | 'amend' | 'remove' | 'clear'>;

export function vectorWrites(connection: WeaviateConnection, tenants: Tenants): Writes {
  // A write that was cut off may have left an object that no search finds, and repeating it does not mend that.
  const uncertain = new LRUCache<string, true>({ max: mostUncertain });

  /** Through REST: the client needs half a second a batch. */
  async function putBatch(access: Access, { space, vectors }: MadeVectors): Promise<void> {
    const objects = vectors.map((each) => ({
      class: collectionOf(space),
      tenant: access.instance,
      id: each.memoryId,
      properties: storedOf(each),
      vectors: { default: [...each.values] },
    }));
    for (let isSecond = false; ; isSecond = true) {
      const results = await connection.post<BatchResult[]>('/v1/batch/objects', { objects });
      const errors = results.flatMap(({ result }) => result?.errors?.error?.map(({ message }) => message) ?? []);
      if (!errors.length) return;
      if (isSecond || !errors.every(isAbsent)) throw connection.refuse(new Error(`vectors refused: ${errors[0]}`));
      await tenants.ensure(access, space);
    }
  }

  async function removeFrom(access: TenantOf, collection: string, ids: readonly string[]): Promise<number> {
    let removed = 0;
    for (const some of slices(ids, namedAtOnce)) {
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
      refuseWrong(space, vectors);
      for (const some of slices(vectors, putAtOnce)) {
        const ids = some.map(({ memoryId }) => memoryId);
        const doubtful = ids.filter((id) => uncertain.has(id));
        for (const id of ids) uncertain.set(id, true);
        if (doubtful.length) await removeFrom(access, collectionOf(space), doubtful);
        await putBatch(access, { space, vectors: some });
        for (const id of ids) uncertain.delete(id);
      }
    },

    async amend(access, space, amendments) {
      const limit = pLimit(amendedAtOnce);
      await Promise.all(
        amendments.map(({ memoryId, until, isOutdated }) =>
          limit(() =>
            tenants.within(access, collectionOf(space), null, async (tenant) => {
              const properties = { until: timeOf(until), ...(isOutdated ? { complete: false } : {}) };
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
      const others = (await tenants.collections()).filter((name) => !kept || name !== collectionOf(kept));
      for (const name of others) removed += await removeFrom(access, name, memoryIds);
      return removed;
    },

    async clear(access, kept) {
      const keptNames = new Set(kept.map(collectionOf));
      for (const name of await tenants.collections()) if (!keptNames.has(name)) await tenants.remove(access, name);
    },
  };
}

interface BatchResult {
  readonly result?: { readonly errors?: { readonly error?: readonly { readonly message: string }[] } };
}

const storedOf = ({ ownerNo, type, validity, isComplete }: MadeVectors['vectors'][number]): Stored => ({
  owner: ownerNo,
  type,
  from: timeOf(validity.from),
  until: timeOf(validity.until),
  complete: isComplete,
});

/** The server takes a number that is none, and answers nonsense ever after. */
function refuseWrong(space: VectorSpace, vectors: MadeVectors['vectors']): void {
  const length = recipe.sketchDimensions + space.dimensions;
  for (const { values } of vectors) {
    if (values.length !== length) throw new RangeError(`a vector of ${values.length} numbers instead of ${length}`);
    if (!values.every(Number.isFinite)) throw new RangeError('a vector holds a number that is none');
  }
}
