import type { OutsideVectors } from '../../domain/search-index/outside-index.ts';
import { vectorReads } from './read-vectors.ts';
import { Tenants } from './tenants.ts';
import type { WeaviateConnection } from './weaviate-connection.ts';
import { vectorWrites } from './write-vectors.ts';

/**
 * Vectors in Weaviate: a collection a space, a tenant an instance, made when the first vector comes. Objects carry the
 * memory's id, the owner's number, the type and when it holds; no text, and no id that a caller chose.
 */
export function weaviateVectors(connection: WeaviateConnection): OutsideVectors {
  const tenants = new Tenants(connection);
  return { ...vectorReads(tenants), ...vectorWrites(connection, tenants) };
}
