import { Filters, type FilterValue } from 'weaviate-client';
import { chunksOf } from '../../domain/flow/chunks-of.ts';
import type { ExternalVectors } from '../../domain/search-index/external-index.ts';
import type { VectorSearch } from '../../domain/search-index/vector-index.ts';
import { byScoreDescending, createVectorScorer, type VectorScore } from '../../domain/vectors/similarity.ts';
import { readableOwnerNumbers, type NarrowedAccess } from '../../domain/tenancy/access.ts';
import { collectionNameOf, fromTimestamp, farFuture, maxIdsPerRequest, type StoredProperties } from './collections.ts';
import type { Tenant, Tenants } from './tenants.ts';

/** Objects with their vectors of one answer, which is read on the thread that answers calls. */
const readAtOnce = 100;

type Reads = Pick<ExternalVectors, 'nearest' | 'score' | 'read' | 'count' | 'findMissing' | 'size' | 'page'>;

export function vectorReads(tenants: Tenants): Reads {
  return {
    async nearest(access, { vector, limit, ...filter }) {
      const found = await tenants.within(access, collectionNameOf(vector.space), [], async (tenant) => {
        const filters = filtersOf(tenant, access, filter);
        const asked = { limit, filters, includeVector: true, returnProperties: [] };
        return scored(vector.values, await tenant.query.nearVector([...vector.values], asked));
      });
      return found.toSorted(byScoreDescending);
    },

    async score(access, vector, memoryIds) {
      const found: VectorScore[] = [];
      for (const some of chunksOf(memoryIds, maxIdsPerRequest)) {
        const more = await tenants.within(access, collectionNameOf(vector.space), [], async (tenant) => {
          const filters = Filters.and(readable(tenant, access), tenant.filter.byId().containsAny(some));
          const asked = { limit: some.length, filters, includeVector: true, returnProperties: [] };
          return scored(vector.values, await tenant.query.fetchObjects(asked));
        });
        found.push(...more);
      }
      return found;
    },

    async read(access, space, memoryIds) {
      const found = new Map<string, Float32Array>();
      for (const some of chunksOf(memoryIds, readAtOnce)) {
        const objects = await tenants.within(access, collectionNameOf(space), [], async (tenant) => {
          const filters = tenant.filter.byId().containsAny(some);
          const asked = { limit: some.length, filters, includeVector: true, returnProperties: [] };
          return (await tenant.query.fetchObjects(asked)).objects;
        });
        for (const { uuid, vectors } of objects) found.set(uuid, valuesOf(vectors));
      }
      return found;
    },

    async count(access, memoryIds) {
      let count = 0;
      for (const name of memoryIds.length ? await tenants.collections() : []) {
        for (const ids of chunksOf(memoryIds, maxIdsPerRequest)) {
          count += (await tenants.within(access, name, [], (tenant) => idsOf(tenant, ids))).length;
        }
      }
      return count;
    },

    async findMissing(access, space, memoryIds) {
      const lacking: string[] = [];
      for (const ids of chunksOf(memoryIds, maxIdsPerRequest)) {
        const found = await tenants.within(access, collectionNameOf(space), [], (tenant) =>
          idsOf(tenant, ids, isComplete(tenant)),
        );
        const there = new Set(found);
        lacking.push(...ids.filter((id) => !there.has(id)));
      }
      return lacking;
    },

    size: (access, space) =>
      tenants.within(access, collectionNameOf(space), 0, async (tenant) => {
        const { totalCount } = await tenant.aggregate.overAll({ filters: isComplete(tenant) });
        return totalCount;
      }),

    page: (access, space, after, limit) =>
      tenants.within(access, collectionNameOf(space), [], async (tenant) => {
        const { objects } = await tenant.query.fetchObjects({
          limit,
          ...(after ? { after } : {}),
          returnProperties: ['owner', 'from', 'until'],
        });
        return objects.map(({ uuid, properties }) => {
          // The client types what a collection holds only where it was opened with its shape; `storedOf` wrote these.
          const { owner, from, until } = properties as unknown as StoredProperties;
          return { memoryId: uuid, ownerNo: owner, validity: { from: new Date(from), until: fromTimestamp(until) } };
        });
      }),
  };
}

const isComplete = (tenant: Tenant) => tenant.filter.byProperty('complete').equal(true);

const readable = (tenant: Tenant, access: NarrowedAccess) =>
  tenant.filter.byProperty('owner').containsAny(readableOwnerNumbers(access));

function filtersOf(tenant: Tenant, access: NarrowedAccess, { types, asOf }: Pick<VectorSearch, 'types' | 'asOf'>) {
  const by = (name: keyof StoredProperties) => tenant.filter.byProperty(name);
  const holds = asOf
    ? [by('from').lessOrEqual(asOf.getTime()), by('until').greaterThan(asOf.getTime())]
    : [by('until').equal(farFuture)];
  return Filters.and(readable(tenant, access), ...(types ? [by('type').containsAny([...types])] : []), ...holds);
}

type Vectors = Record<string, number[] | number[][]>;

const valuesOf = (vectors: Vectors) => Float32Array.from(vectors['default'] as number[]);

function scored(
  query: Float32Array,
  { objects }: { readonly objects: readonly { readonly uuid: string; readonly vectors: Vectors }[] },
): VectorScore[] {
  const score = createVectorScorer(query);
  return objects.map(({ uuid, vectors }) => score(uuid, valuesOf(vectors)));
}

async function idsOf(tenant: Tenant, ids: readonly string[], more?: FilterValue): Promise<string[]> {
  const among = tenant.filter.byId().containsAny([...ids]);
  const filters = more ? Filters.and(among, more) : among;
  const { objects } = await tenant.query.fetchObjects({ limit: ids.length, filters, returnProperties: [] });
  return objects.map(({ uuid }) => uuid);
}
