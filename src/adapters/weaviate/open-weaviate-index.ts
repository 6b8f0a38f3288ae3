import type { Db } from '../../db/database.ts';
import { markChanged } from '../../domain/memories/change-store.ts';
import { outsideIndex, type OutsideVectors } from '../../domain/search-index/outside-index.ts';
import type { VectorIndex } from '../../domain/search-index/vector-index.ts';
import { WeaviateConnection, type ConnectionOptions, type WeaviateAddress } from './weaviate-connection.ts';
import { weaviateVectors } from './weaviate-vectors.ts';

/** Opens at once, also while the server is away: it is reached for when it is first needed. */
export function openWeaviateIndex(
  db: Db,
  address: WeaviateAddress,
  options: ConnectionOptions,
): VectorIndex & Pick<OutsideVectors, 'read'> & { close(): Promise<void> } {
  const connection = new WeaviateConnection(address, options);
  const outside = weaviateVectors(connection);
  return { ...outsideIndex(db, outside, markChanged), read: outside.read, close: () => connection.close() };
}
