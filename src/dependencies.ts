import { join } from 'node:path';
import { extractAside } from './adapters/extraction-thread/extract-aside.ts';
import { localKeyVault, masterKeyOfFile, parseMasterKey } from './adapters/key-vault/local-key-vault.ts';
import { packagedEmbedder } from './adapters/onnx-embedder/onnx-embedder.ts';
import { chatModel } from './adapters/openai-compatible/chat-model.ts';
import { remoteEmbedder } from './adapters/openai-compatible/remote-embedder.ts';
import { openDotProducts } from './adapters/hot-vectors/dot-products.ts';
import { keepHot } from './adapters/hot-vectors/hot-vector-index.ts';
import { openPgvectorIndex } from './adapters/pgvector/pgvector-index.ts';
import { openWeaviateIndex } from './adapters/weaviate/open-weaviate-index.ts';
import { openDatabase, type Db } from './db/database.ts';
import { lockFolder } from './db/lock-file.ts';
import { createWakeUp, type WakeUp } from './db/wake-up.ts';
import { resolveEntities } from './domain/ingestion/resolve.ts';
import { IngestionProgress } from './domain/ingestion/watch-ingestion.ts';
import type { LanguageModel } from './domain/extraction/language-model.ts';
import { addAccesses } from './domain/memories/store.ts';
import { Metering } from './domain/metering/metering.ts';
import { markKeysUsed } from './domain/tenancy/credential-store.ts';
import { KeyRing } from './domain/sealing/instance-keys.ts';
import { EmbeddingModels } from './domain/search-index/embedding-models.ts';
import type { VectorIndex } from './domain/search-index/vector-index.ts';
import type { Environment } from './environment.ts';
import type { Telemetry } from './telemetry.ts';

/** All that a use case may need; each names the part it uses. */
export interface Dependencies {
  readonly db: Db;
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  readonly keyRing: KeyRing;
  readonly metering: Metering;
  readonly progress: IngestionProgress;
  readonly region: string;
  readonly keyPrefix: string;
  readonly now: () => Date;
  readonly wakeUp: WakeUp;
  readonly wake: () => void;
  readonly extract: typeof extractAside;
  readonly resolve: typeof resolveEntities;
  close(): Promise<void>;
}

/** The embedded default: PGlite in the data folder, vectors beside the rows, the model that ships with the package. */
export async function openDependencies(
  environment: Environment,
  telemetry: Pick<Telemetry, 'log'>,
  overrides: { now?: () => Date; resolve?: typeof resolveEntities } = {},
): Promise<Dependencies> {
  const dataFolder = environment.PRESAGE_DATA_DIR;
  const unlock = await lockFolder(dataFolder);
  const embedders = openEmbedders(environment);
  const [database] = await Promise.all([
    openDatabase({ dataFolder: join(dataFolder, 'postgres') }),
    embedders.shipped.open().catch((error: unknown) => {
      telemetry.log.warn({ error }, 'the embedding model of this package cannot be used');
    }),
  ]);
  const { db } = database;
  const vectors = await openVectors(db, environment, telemetry);
  const metering = new Metering(db, { saveAccesses: addAccesses, saveUses: markKeysUsed });
  const wakeUp = createWakeUp();
  return {
    db,
    vectors,
    embedding: new EmbeddingModels({
      db,
      sources: embedders.sources,
      used: (i, tokens) => metering.countTokens(i, { embedding: tokens }),
      warn: (message, error) => telemetry.log.warn({ error }, message),
    }),
    languageModels: new Map([...environment.providers.extraction].map(([name, each]) => [name, chatModel(each)])),
    keyRing: new KeyRing(localKeyVault(masterKeyOf(environment))),
    metering,
    progress: new IngestionProgress(),
    region: environment.REGION,
    keyPrefix: environment.API_KEY_PREFIX,
    now: overrides.now ?? (() => new Date()),
    wakeUp,
    wake: wakeUp.wake,
    extract: extractAside,
    resolve: overrides.resolve ?? resolveEntities,
    async close() {
      await metering.flush(new Date()).catch((error: unknown) => telemetry.log.error({ error }, 'usage was not saved'));
      await embedders.close();
      await vectors.close();
      await database.close();
      unlock();
    },
  };
}

/** In Weaviate where it is configured, else beside the rows; either way whatever database those are in. */
async function openVectors(
  db: Db,
  environment: Environment,
  { log }: Pick<Telemetry, 'log'>,
): Promise<VectorIndex & { close(): Promise<void> }> {
  const warn = (message: string, error: unknown) => log.warn({ error }, message);
  const { WEAVIATE_URL: url, WEAVIATE_GRPC_URL: grpcUrl, WEAVIATE_API_KEY: apiKey } = environment;
  if (url) return openWeaviateIndex(db, { url, grpcUrl, apiKey }, { warn });
  const index = await openPgvectorIndex(db);
  try {
    const hot = keepHot(index, index, { products: await openDotProducts(), warn });
    return { ...hot, close: () => hot.settled() };
  } catch (error) {
    warn('vectors are compared by the database alone', error);
    return { ...index, close: async () => undefined };
  }
}

/** The model of this package is there whatever else is: it answers for the vectors that it made. */
function openEmbedders({ providers }: Environment) {
  const shipped = packagedEmbedder();
  const remote = new Map([...providers.embedding].map(([name, each]) => [name, remoteEmbedder(each)]));
  const all = [shipped, ...remote.values()];
  return {
    shipped,
    sources: new Map([['default', remote.get('default') ?? shipped], ...remote, ['shipped', shipped]] as const),
    close: () => Promise.all(all.map((each) => each.close())),
  };
}

function masterKeyOf(environment: Environment): Buffer {
  if (environment.MASTER_KEY) return parseMasterKey(environment.MASTER_KEY);
  const given = environment.MASTER_KEY_FILE;
  return masterKeyOfFile(given ?? join(environment.ownFolder, 'master.key'), given === undefined);
}
