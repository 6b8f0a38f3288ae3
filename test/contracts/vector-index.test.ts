import { afterAll, beforeAll, describe } from 'vitest';
import { openDotProducts } from '../../src/adapters/owner-cache/vector-table.ts';
import {
  memorySourceWithVectors,
  ownerSourceWithExternalVectors,
} from '../../src/adapters/owner-cache/owner-source.ts';
import { cacheOwners } from '../../src/adapters/owner-cache/owner-cache.ts';
import { candidatesInDatabase } from '../../src/domain/retrieval/candidate-reads.ts';
import { openPgvectorIndex } from '../../src/adapters/pgvector/pgvector-index.ts';
import { openWeaviateIndex } from '../../src/adapters/weaviate/open-weaviate-index.ts';
import { isWanted, startWeaviate, type WeaviateServer } from '../support/weaviate-server.ts';
import { openWorld } from '../support/world.ts';
import { vectorIndexContract } from './vector-index.ts';

const world = openWorld();
const instance = async () => (await world.instance()).access;

vectorIndexContract('pgvector', async () => {
  return { db: world.deps.db, instance, index: await openPgvectorIndex(world.deps) };
});

vectorIndexContract('vectors kept in memory', async () => {
  const index = await openPgvectorIndex(world.deps);
  const products = await openDotProducts();
  const { db } = world.deps;
  const stores = { index, candidates: candidatesInDatabase(db), source: memorySourceWithVectors(db, index) };
  return { db, instance, index: cacheOwners(stores, { products, warn }).vectors };
});

describe.runIf(isWanted)('Weaviate', () => {
  let server: WeaviateServer;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(() => {
    server = startWeaviate();
  });
  afterAll(async () => {
    for (const each of opened) await each.close();
    server.stop();
  });
  const open = () => {
    const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = server.variables;
    const index = openWeaviateIndex(world.deps.db, { url, grpcUrl, apiKey }, { warn });
    opened.push(index);
    return index;
  };
  vectorIndexContract('with a tenant an instance', async () => ({ db: world.deps.db, instance, index: open() }));

  vectorIndexContract('with a tenant an instance, kept in memory', async () => {
    const index = open();
    const { db } = world.deps;
    const stores = { index, candidates: candidatesInDatabase(db), source: ownerSourceWithExternalVectors(db, index) };
    return { db, instance, index: cacheOwners(stores, { products: await openDotProducts(), warn }).vectors };
  });
});

function warn(message: string, error: unknown): void {
  throw new Error(`unexpected: ${message}`, { cause: error });
}
