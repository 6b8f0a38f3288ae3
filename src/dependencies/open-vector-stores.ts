import { openPgvectorIndex } from '../adapters/pgvector/pgvector-index.ts';
import type { ConnectionOptions, WeaviateAddress } from '../adapters/weaviate/weaviate-connection.ts';
import { openDotProducts } from '../adapters/owner-cache/vector-table.ts';
import {
  memorySourceWithVectors,
  ownerSourceWithExternalVectors,
  type OwnerSource,
} from '../adapters/owner-cache/owner-source.ts';
import { cacheOwners } from '../adapters/owner-cache/owner-cache.ts';
import type { Database } from '../db/database.ts';
import { candidatesInDatabase, type CandidateReads } from '../domain/retrieval/candidate-reads.ts';
import type { VectorIndex } from '../domain/search-index/vector-index.ts';
import type { Environment } from '../environment.ts';
import type { Telemetry } from '../telemetry.ts';

/** The stores that memories are found by. */
export interface VectorStores {
  readonly vectors: VectorIndex;
  readonly candidates: CandidateReads;
  close(): Promise<void>;
}

/** An index, and what copies in memory are kept up with. */
interface Indexed {
  readonly index: VectorIndex;
  readonly source: OwnerSource;
  close(): Promise<void>;
}

/**
 * Vectors in Weaviate where it is configured, else beside the rows; either way whatever database those are in. What is
 * asked for is kept in memory.
 */
export async function openVectorStores(
  database: Pick<Database, 'db' | 'exclusively'>,
  environment: Environment,
  { log }: Pick<Telemetry, 'log'>,
): Promise<VectorStores> {
  const warn = (message: string, error: unknown) => log.warn({ error }, message);
  const candidates = candidatesInDatabase(database.db);
  const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = environment;
  const { index, source, close } = url
    ? await inWeaviate({ url, grpcUrl, apiKey }, { db: database.db, warn })
    : await besideRows(database, (message) => log.info(message));
  try {
    const products = await openDotProducts();
    const kept = cacheOwners({ index, candidates, source }, { products, warn });
    return { ...kept, close: () => kept.settled().finally(close) };
  } catch (error) {
    warn('no memories are kept in memory', error);
    return { vectors: index, candidates, close };
  }
}

/** Weaviate's client is loaded only where it is configured. */
async function inWeaviate(
  address: WeaviateAddress,
  { db, warn }: ConnectionOptions & Pick<Database, 'db'>,
): Promise<Indexed> {
  const { openWeaviateIndex } = await import('../adapters/weaviate/open-weaviate-index.ts');
  const index = openWeaviateIndex(db, address, { warn });
  return { index, source: ownerSourceWithExternalVectors(db, index), close: () => index.close() };
}

async function besideRows(
  database: Pick<Database, 'db' | 'exclusively'>,
  tell: (message: string) => void,
): Promise<Indexed> {
  const index = await openPgvectorIndex(database);
  if (!index.comparesInDatabase) tell('this Postgres has no pgvector: vectors are compared in this process');
  return { index, source: memorySourceWithVectors(database.db, index), close: async () => undefined };
}
