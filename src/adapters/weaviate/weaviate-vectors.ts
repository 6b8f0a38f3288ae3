import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Filters, type Collection, type FilterValue, type WeaviateClient } from 'weaviate-client';
import { recipe } from '../../domain/language/vector-recipe.ts';
import type { OutsideVectors } from '../../domain/search-index/outside-index.ts';
import type { MadeVectors, VectorScore, VectorSearch } from '../../domain/search-index/vector-index.ts';
import type { VectorSpace } from '../../domain/search-index/vector-space.ts';
import { ownerNumbers, type Access, type OwnedAccess } from '../../domain/tenancy/access.ts';
import { byScore, scorer } from '../score-vector.ts';
import {
  collectionOf,
  createCollection,
  endless,
  isAbsent,
  isThere,
  ourCollections,
  type Stored,
} from './collections.ts';
import type { WeaviateConnection } from './weaviate-connection.ts';

type Tenant = Collection;

/** Objects of one batch: some 2 MB of JSON at the shipped model's length. */
const putAtOnce = 200;
/** The same of one answer, which is read on the thread that answers calls. */
const readAtOnce = 100;
/** Ids of one filter. */
const namedAtOnce = 500;
/** Calls at once where each is about one object. */
const amendedAtOnce = 8;
/** Ids of writes that may be half done, remembered by this process. */
const mostUncertain = 100_000;

/**
 * Vectors in Weaviate: a collection a space, a tenant an instance, made when the first vector comes. Objects carry the
 * memory's id, the owner's number, the type and when it holds; no text, and no id that a caller chose.
 */
export function weaviateVectors(connection: WeaviateConnection): OutsideVectors {
  // A write that was cut off may have left an object that no search finds, and repeating it does not mend that.
  const uncertain = new LRUCache<string, true>({ max: mostUncertain });

  /** Within the tenant; `absent` where there is none yet. */
  const inTenant = <T>({ instance }: TenantOf, collection: string, absent: T, work: (tenant: Tenant) => Promise<T>) =>
    connection.run(
      (client) => work(client.collections.use(collection).withTenant(instance)),
      (error) => (isAbsent(error) ? absent : undefined),
    );

  const collections = () => connection.run(ourCollections, () => undefined);

  async function ensureTenant({ instance }: TenantOf, space: VectorSpace): Promise<void> {
    const ignored = (error: unknown) => (isThere(error) ? true : undefined);
    const done = (work: (client: WeaviateClient) => Promise<unknown>) =>
      connection.run(async (client) => (await work(client), true), ignored);
    await done(async (client) => {
      if (!(await client.collections.exists(collectionOf(space)))) await createCollection(client, space);
    });
    await done((client) => client.collections.use(collectionOf(space)).tenants.create([{ name: instance }]));
  }

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
      await ensureTenant(access, space);
    }
  }

  async function removeFrom(access: TenantOf, collection: string, ids: readonly string[]): Promise<number> {
    let removed = 0;
    for (const some of slices(ids, namedAtOnce)) {
      removed += await inTenant(access, collection, 0, async (tenant) => {
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

    async nearest(access, { vector, limit, ...filter }) {
      const found = await inTenant(access, collectionOf(vector.space), [], (tenant) =>
        scored(vector.values, async () => {
          return tenant.query.nearVector([...vector.values], {
            limit,
            filters: filtersOf(tenant, access, filter),
            includeVector: true,
            returnProperties: [],
          });
        }),
      );
      return found.toSorted(byScore);
    },

    async score(access, vector, memoryIds) {
      const found: VectorScore[] = [];
      for (const some of slices(memoryIds, namedAtOnce)) {
        const more = await inTenant(access, collectionOf(vector.space), [], (tenant) =>
          scored(vector.values, () =>
            tenant.query.fetchObjects({
              limit: some.length,
              filters: Filters.and(readable(tenant, access), tenant.filter.byId().containsAny(some)),
              includeVector: true,
              returnProperties: [],
            }),
          ),
        );
        found.push(...more);
      }
      return found;
    },

    async read(access, space, memoryIds) {
      const found = new Map<string, Float32Array>();
      for (const some of slices(memoryIds, readAtOnce)) {
        const objects = await inTenant(access, collectionOf(space), [], async (tenant) => {
          const filters = tenant.filter.byId().containsAny(some);
          const asked = { limit: some.length, filters, includeVector: true, returnProperties: [] };
          return (await tenant.query.fetchObjects(asked)).objects;
        });
        for (const { uuid, vectors } of objects) found.set(uuid, valuesOf(vectors));
      }
      return found;
    },

    async amend(access, space, amendments) {
      const limit = pLimit(amendedAtOnce);
      await Promise.all(
        amendments.map(({ memoryId, until, isOutdated }) =>
          limit(() =>
            inTenant(access, collectionOf(space), null, async (tenant) => {
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
      const others = (await collections()).filter((name) => !kept || name !== collectionOf(kept));
      for (const name of others) removed += await removeFrom(access, name, memoryIds);
      return removed;
    },

    async count(access, memoryIds) {
      let count = 0;
      for (const name of memoryIds.length ? await collections() : []) {
        for (const ids of slices(memoryIds, namedAtOnce)) {
          count += (await inTenant(access, name, [], (tenant) => idsOf(tenant, ids))).length;
        }
      }
      return count;
    },

    async lacking(access, space, memoryIds) {
      const lacking: string[] = [];
      for (const ids of slices(memoryIds, namedAtOnce)) {
        const there = new Set(
          await inTenant(access, collectionOf(space), [], (tenant) =>
            idsOf(tenant, ids, tenant.filter.byProperty('complete').equal(true)),
          ),
        );
        lacking.push(...ids.filter((id) => !there.has(id)));
      }
      return lacking;
    },

    size: (access, space) =>
      inTenant(access, collectionOf(space), 0, async (tenant) => {
        const filters = tenant.filter.byProperty('complete').equal(true);
        return (await tenant.aggregate.overAll({ filters })).totalCount;
      }),

    page: (access, space, after, limit) =>
      inTenant(access, collectionOf(space), [], async (tenant) => {
        const { objects } = await tenant.query.fetchObjects({
          limit,
          ...(after ? { after } : {}),
          returnProperties: ['owner', 'from', 'until'],
        });
        return objects.map(({ uuid, properties }) => {
          const { owner, from, until } = properties as unknown as Stored;
          return {
            memoryId: uuid,
            ownerNo: owner,
            validity: { from: new Date(from), until: until === endless ? null : new Date(until) },
          };
        });
      }),

    async clear({ instance }, kept) {
      const keptNames = new Set(kept.map(collectionOf));
      for (const name of (await collections()).filter((each) => !keptNames.has(each))) {
        await connection.run(
          (client) =>
            client.collections
              .use(name)
              .tenants.remove([instance])
              .then(() => true),
          (error) => (isAbsent(error) ? true : undefined),
        );
      }
    },
  };
}

type TenantOf = Pick<Access, 'instance'>;

interface BatchResult {
  readonly result?: { readonly errors?: { readonly error?: readonly { readonly message: string }[] } };
}

const timeOf = (at: Date | null) => at?.getTime() ?? endless;

const storedOf = ({ ownerNo, type, validity, isComplete }: MadeVectors['vectors'][number]): Stored => ({
  owner: ownerNo,
  type,
  from: timeOf(validity.from),
  until: timeOf(validity.until),
  complete: isComplete,
});

const readable = (tenant: Tenant, access: OwnedAccess) =>
  tenant.filter.byProperty('owner').containsAny(ownerNumbers(access));

function filtersOf(tenant: Tenant, access: OwnedAccess, { types, asOf }: Pick<VectorSearch, 'types' | 'asOf'>) {
  const by = (name: keyof Stored) => tenant.filter.byProperty(name);
  const holds = asOf
    ? [by('from').lessOrEqual(asOf.getTime()), by('until').greaterThan(asOf.getTime())]
    : [by('until').equal(endless)];
  return Filters.and(readable(tenant, access), ...(types ? [by('type').containsAny([...types])] : []), ...holds);
}

type Vectors = Record<string, number[] | number[][]>;

const valuesOf = (vectors: Vectors) => Float32Array.from(vectors['default'] as number[]);

async function scored(
  query: Float32Array,
  ask: () => Promise<{ objects: { uuid: string; vectors: Vectors }[] }>,
): Promise<VectorScore[]> {
  const { objects } = await ask();
  const score = scorer(query);
  return objects.map(({ uuid, vectors }) => score(uuid, valuesOf(vectors)));
}

async function idsOf(tenant: Tenant, ids: readonly string[], more?: FilterValue) {
  const among = tenant.filter.byId().containsAny([...ids]);
  const filters = more ? Filters.and(among, more) : among;
  const { objects } = await tenant.query.fetchObjects({ limit: ids.length, filters, returnProperties: [] });
  return objects.map(({ uuid }) => uuid);
}

/** The server takes a number that is none, and answers nonsense ever after. */
function refuseWrong(space: VectorSpace, vectors: MadeVectors['vectors']): void {
  const length = recipe.sketchDimensions + space.dimensions;
  for (const { values } of vectors) {
    if (values.length !== length) throw new RangeError(`a vector of ${values.length} numbers instead of ${length}`);
    if (!values.every(Number.isFinite)) throw new RangeError('a vector holds a number that is none');
  }
}

function* slices<T>(all: readonly T[], length: number): Generator<T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}
