import { openPgvectorIndex } from '../adapters/pgvector/pgvector-index.ts';
import { openWeaviateIndex } from '../adapters/weaviate/open-weaviate-index.ts';
import { openDotProducts } from '../adapters/working-set/dot-products.ts';
import { memoriesOf } from '../adapters/working-set/owner-source.ts';
import { keepWorkingSet } from '../adapters/working-set/working-set.ts';
import type { Database } from '../db/database.ts';
import { candidatesInDatabase, type CandidateReads } from '../domain/retrieval/candidate-reads.ts';
import type { VectorIndex } from '../domain/search-index/vector-index.ts';
import type { Environment } from '../environment.ts';
import type { Telemetry } from '../telemetry.ts';

/** What memories are found by. */
export interface Finding {
  readonly vectors: VectorIndex;
  readonly candidates: CandidateReads;
  close(): Promise<void>;
}

/**
 * Vectors in Weaviate where it is configured, else beside the rows; either way whatever database those are in. Beside
 * the rows, what is asked for is kept in memory: Weaviate tells nobody what changed.
 */
export async function openVectors(
  database: Pick<Database, 'db' | 'exclusively'>,
  environment: Environment,
  { log }: Pick<Telemetry, 'log'>,
): Promise<Finding> {
  const warn = (message: string, error: unknown) => log.warn({ error }, message);
  const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = environment;
  const candidates = candidatesInDatabase(database.db);
  if (url) {
    const vectors = openWeaviateIndex(database.db, { url, grpcUrl, apiKey }, { warn });
    return { vectors, candidates, close: () => vectors.close() };
  }
  const index = await openPgvectorIndex(database);
  if (!index.comparesInDatabase) log.info('this Postgres has no pgvector: vectors are compared in this process');
  try {
    const stores = { index, candidates, source: memoriesOf(database.db, index) };
    const kept = keepWorkingSet(stores, { products: await openDotProducts(), warn });
    return { ...kept, close: () => kept.settled() };
  } catch (error) {
    warn('no memories are kept in memory', error);
    return { vectors: index, candidates, close: async () => undefined };
  }
}
