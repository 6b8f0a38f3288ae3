import { openDotProducts } from '../adapters/hot-vectors/dot-products.ts';
import { keepHot } from '../adapters/hot-vectors/hot-vector-index.ts';
import { openPgvectorIndex } from '../adapters/pgvector/pgvector-index.ts';
import { openWeaviateIndex } from '../adapters/weaviate/open-weaviate-index.ts';
import type { Database } from '../db/database.ts';
import type { VectorIndex } from '../domain/search-index/vector-index.ts';
import type { Environment } from '../environment.ts';
import type { Telemetry } from '../telemetry.ts';

/** Reading fewer vectors from a Postgres without pgvector takes no longer than keeping up a copy of them. */
const keptWithoutPgvector = 100;

/** In Weaviate where it is configured, else beside the rows; either way whatever database those are in. */
export async function openVectors(
  database: Pick<Database, 'db' | 'exclusively'>,
  environment: Environment,
  { log }: Pick<Telemetry, 'log'>,
): Promise<VectorIndex & { close(): Promise<void> }> {
  const warn = (message: string, error: unknown) => log.warn({ error }, message);
  const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = environment;
  if (url) return openWeaviateIndex(database.db, { url, grpcUrl, apiKey }, { warn });
  const index = await openPgvectorIndex(database);
  if (!index.comparesInDatabase) log.info('this Postgres has no pgvector: vectors are compared in this process');
  const leastMemories = index.comparesInDatabase ? {} : { leastMemories: keptWithoutPgvector };
  try {
    const hot = keepHot(index, index, { products: await openDotProducts(), warn, ...leastMemories });
    return { ...hot, close: () => hot.settled() };
  } catch (error) {
    warn('no vectors are kept in memory', error);
    return { ...index, close: async () => undefined };
  }
}
