import { join } from 'node:path';
import { extractAside } from './adapters/extraction-thread/extract-aside.ts';
import { localKeyVault, masterKeyOfFile, parseMasterKey } from './adapters/key-vault/local-key-vault.ts';
import { openOnnxEmbedder } from './adapters/onnx-embedder/onnx-embedder.ts';
import { openPgvectorIndex } from './adapters/pgvector/pgvector-index.ts';
import { openDatabase, type Db } from './db/database.ts';
import { lockFolder } from './db/lock-file.ts';
import { createWakeUp, type WakeUp } from './db/wake-up.ts';
import { resolveEntities } from './domain/ingestion/resolve.ts';
import { IngestionProgress } from './domain/ingestion/watch-ingestion.ts';
import type { Embedder } from './domain/language/embedder.ts';
import { addAccesses } from './domain/memories/store.ts';
import { Metering } from './domain/metering/metering.ts';
import { markKeysUsed } from './domain/tenancy/credential-store.ts';
import { KeyRing } from './domain/sealing/instance-keys.ts';
import type { VectorIndex } from './domain/search-index/vector-index.ts';
import type { Environment } from './environment.ts';
import type { Telemetry } from './telemetry.ts';

/** All that a use case may need; each names the part it uses. */
export interface Dependencies {
  readonly db: Db;
  readonly vectors: VectorIndex;
  readonly embedder: Embedder | null;
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
  const [database, embedder] = await Promise.all([
    openDatabase({ dataFolder: join(dataFolder, 'postgres') }),
    openOnnxEmbedder().catch((error: unknown) => {
      telemetry.log.warn({ error }, 'no embedding model: memories are found by their words alone');
      return null;
    }),
  ]);
  const { db } = database;
  const vectors = await openPgvectorIndex(db, embedder?.model ?? 'none');
  const metering = new Metering(db, { saveAccesses: addAccesses, saveUses: markKeysUsed });
  const wakeUp = createWakeUp();
  return {
    db,
    vectors,
    embedder,
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
      await embedder?.close();
      await database.close();
      unlock();
    },
  };
}

function masterKeyOf(environment: Environment): Buffer {
  if (environment.MASTER_KEY) return parseMasterKey(environment.MASTER_KEY);
  const given = environment.MASTER_KEY_FILE;
  return masterKeyOfFile(given ?? join(environment.ownFolder, 'master.key'), given === undefined);
}
