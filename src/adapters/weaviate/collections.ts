import { createHash } from 'node:crypto';
import { configure, dataType, tokenization, vectorDistances, vectors, type WeaviateClient } from 'weaviate-client';
import { formatSpaceName, type VectorSpace } from '../../domain/vectors/vector-recipe.ts';

const prefix = 'Presage_';

/** Vectors of two spaces have two lengths and are never compared: each space has a collection, its name a hash. */
export const collectionNameOf = (space: VectorSpace) =>
  `${prefix}${createHash('sha256').update(formatSpaceName(space)).digest('hex').slice(0, 16)}`;

/** The properties of an object beside its vector. The object's id is the memory's. */
export interface StoredProperties {
  readonly owner: number;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Milliseconds since 1970; `farFuture` while it still holds. */
  readonly until: number;
  readonly complete: boolean;
}

/** Ids of one filter. */
export const maxIdsPerRequest = 500;

/** The last moment that a `Date` knows. */
export const farFuture = 8_640_000_000_000_000;

export const toTimestamp = (at: Date | null) => at?.getTime() ?? farFuture;
export const fromTimestamp = (time: number) => (time === farFuture ? null : new Date(time));

/**
 * One tenant an instance. The distance is our score, negated, so neither is normalised: how long a vector is says who
 * spoke. Filters that match fewer than 40,000 objects are answered by an exact scan (`flatSearchCutoff`, the server's
 * default), which is every search of a user.
 */
export async function createCollection(client: WeaviateClient, space: VectorSpace): Promise<void> {
  const filtered = { indexFilterable: true } as const;
  await client.collections.create({
    name: collectionNameOf(space),
    description: formatSpaceName(space),
    multiTenancy: configure.multiTenancy({ enabled: true, autoTenantCreation: false }),
    vectorizers: vectors.selfProvided({
      vectorIndexConfig: configure.vectorIndex.hnsw({
        distanceMetric: vectorDistances.DOT,
        quantizer: configure.vectorIndex.quantizer.none(),
      }),
    }),
    properties: [
      { name: 'owner', dataType: dataType.INT, ...filtered },
      { name: 'type', dataType: dataType.TEXT, tokenization: tokenization.FIELD, ...filtered, indexSearchable: false },
      { name: 'from', dataType: dataType.INT, ...filtered, indexRangeFilters: true },
      { name: 'until', dataType: dataType.INT, ...filtered, indexRangeFilters: true },
      { name: 'complete', dataType: dataType.BOOLEAN, ...filtered },
    ],
  });
}

/** All collections of ours, whatever their space. */
export async function presageCollections(client: WeaviateClient): Promise<string[]> {
  const all = await client.collections.listAll();
  return all.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

/** The server says it in words only; the last of these while a collection is being made. */
export const isNotFoundError = (error: unknown) =>
  /tenant not found|could not find class|class not found|not present in schema|status code: 404|non-existing index/i.test(
    String(error),
  );

export const isAlreadyExistsError = (error: unknown) => /already exists/i.test(String(error));
