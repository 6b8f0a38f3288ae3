import type { Db } from '../../db/database.ts';
import { markMemoriesChanged } from '../../domain/memories/change-store.ts';
import { createExternalIndex, type ExternalVectors } from '../../domain/search-index/external-index.ts';
import type { VectorIndex } from '../../domain/search-index/vector-index.ts';
import { vectorReads } from './read-vectors.ts';
import { Tenants } from './tenants.ts';
import { WeaviateConnection, type ConnectionOptions, type WeaviateAddress } from './weaviate-connection.ts';
import { vectorWrites } from './write-vectors.ts';

/**
 * Vectors in Weaviate: a collection a space, a tenant an instance, made when the first vector comes. Objects carry the
 * memory's id, the owner's number, the type and when it holds; no text, and no id that a caller chose. Opens at once,
 * also while the server is away: it is reached for when it is first needed.
 */
export function openWeaviateIndex(
  db: Db,
  address: WeaviateAddress,
  options: ConnectionOptions,
): VectorIndex & Pick<ExternalVectors, 'read'> & { close(): Promise<void> } {
  const connection = new WeaviateConnection(address, options);
  const tenants = new Tenants(connection);
  const outside: ExternalVectors = { ...vectorReads(tenants), ...vectorWrites(connection, tenants) };
  return {
    ...createExternalIndex(db, outside, markMemoriesChanged),
    read: outside.read,
    close: () => connection.close(),
  };
}
