import { join } from 'node:path';
import type { StatementClassifier } from './domain/extraction/statement-classifier.ts';
import type { UpdateClassifier } from './domain/memories/update-classifier.ts';
import { OnnxClassifier } from './adapters/onnx-classifier/onnx-classifier.ts';
import { openFileReader } from './adapters/file-reader/file-reader.ts';
import { openReadingThreads, type ReadingThreads } from './adapters/reading-threads/reading-threads.ts';
import { openKeyVaults } from './adapters/key-vault/open-key-vaults.ts';
import { openPasswordThread } from './adapters/password-thread/password-thread.ts';
import { packagedEmbedder } from './adapters/onnx-embedder/onnx-embedder.ts';
import { chatModel } from './adapters/openai-compatible/chat-model.ts';
import { remoteEmbedder } from './adapters/openai-compatible/remote-embedder.ts';
import { openWebhookSender } from './adapters/webhook-sender/webhook-sender.ts';
import { openDatabase, type Database, type Db } from './db/database.ts';
import { lockFolder } from './db/lock-file.ts';
import { openNotificationChannel } from './db/notification-channel.ts';
import { createWakeSignal, type ResumeWaiter, type WakeSignal } from './db/wake-signal.ts';
import { AuditedReads } from './domain/administration/audited-reads.ts';
import { verifyMasterKey } from './domain/administration/verify-master-key.ts';
import type { StreamMetrics } from './domain/anticipation/stream-statistics.ts';
import { ResumableSessions } from './domain/anticipation/resumable-sessions.ts';
import { SubscriptionRegistry } from './domain/anticipation/subscription-registry.ts';
import { TurnAnticipationBuffer } from './domain/anticipation/turn-anticipation-buffer.ts';
import { Prefetcher } from './domain/context/prefetcher.ts';
import { createDatabasePrefetches, noSharedPrefetches } from './domain/context/prefetch-store.ts';
import type { MessageFeed } from './domain/conversations/message-feed.ts';
import { unavailableError } from './domain/errors.ts';
import type { Invalidation, Revision } from './domain/invalidation/invalidation.ts';
import { resolveEntities } from './domain/ingestion/resolve-entities.ts';
import type { AcceptedDocument } from './domain/ingestion/accept-document.ts';
import type { FileReader } from './domain/ingestion/read-file.ts';
import { IngestionProgress } from './domain/ingestion/watch-ingestion.ts';
import type { LanguageModel } from './domain/extraction/language-model.ts';
import { readCurrentVersions } from './domain/memories/standing-store.ts';
import { addAccesses } from './domain/memories/memory-store.ts';
import { Metering } from './domain/metering/metering.ts';
import { saveUserCalls } from './domain/tenancy/activity-store.ts';
import { markKeysUsed } from './domain/tenancy/credential-store.ts';
import type { Passwords } from './domain/administration/passwords.ts';
import { SignInAttempts } from './domain/administration/sign-in-attempts.ts';
import { AuthenticatedKeyCache } from './domain/tenancy/authenticated-key-cache.ts';
import { RateLimits } from './domain/tenancy/rate-limits.ts';
import { KeyRing } from './domain/sealing/key-ring.ts';
import { EmbeddingModels } from './domain/search-index/embedding-models.ts';
import type { VectorIndex } from './domain/search-index/vector-index.ts';
import { MemoryFeed } from './domain/memories/memory-feed.ts';
import type { CandidateReads } from './domain/retrieval/candidate-reads.ts';
import type { RelevanceModel } from './domain/retrieval/relevance-model.ts';
import { ReaderCache } from './domain/reader-cache/reader-cache.ts';
import type { WebhookSender } from './domain/webhooks/webhook-sender.ts';
import type { Environment } from './environment.ts';
import { openMessageFeed } from './dependencies/open-message-feed.ts';
import { openInvalidation } from './dependencies/open-invalidation.ts';
import { openStreamMetrics } from './dependencies/open-stream-metrics.ts';
import { openVectorStores } from './dependencies/open-vector-stores.ts';
import { openAllOrNone, type ResourceStack } from './resource-stack.ts';
import type { Telemetry } from './telemetry.ts';

/** The dependencies of all use cases; each names the part that it uses. */
export interface Dependencies {
  readonly db: Db;
  /** Work that one process does while the others wait; see `Database`. */
  readonly exclusively: Database['exclusively'];
  /** Why the database answers nothing; null while it does, as far as this process can know. */
  readonly databaseTrouble: Database['trouble'];
  readonly databaseProgressAt: Database['progressAt'];
  /** This process is the only one on its database: its lock file says so. */
  readonly isSingleProcess: boolean;
  readonly vectors: VectorIndex;
  readonly candidates: CandidateReads;
  readonly embedding: EmbeddingModels;
  readonly relevance: RelevanceModel;
  readonly readers: ReaderCache;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  readonly keyRing: KeyRing;
  readonly metering: Metering;
  readonly webhookSender: WebhookSender;
  readonly rateLimits: RateLimits;
  readonly ingestionProgress: IngestionProgress;
  readonly ingestionWaitMs: number;
  readonly feed: MessageFeed;
  readonly memoryFeed: MemoryFeed;
  readonly sessions: ResumableSessions;
  readonly subscriptions: SubscriptionRegistry;
  readonly invalidation: Invalidation;
  readonly streamMetrics: StreamMetrics;
  readonly turnAnticipations: TurnAnticipationBuffer;
  readonly openedKeys: AuthenticatedKeyCache;
  readonly passwords: Passwords;
  readonly signInAttempts: SignInAttempts;
  readonly auditedReads: AuditedReads;
  readonly prefetcher: Prefetcher;
  readonly region: string;
  readonly keyPrefix: string;
  /** Spans may hold what was said, in clear. */
  readonly capturesText: boolean;
  readonly now: () => Date;
  readonly wakeUp: WakeSignal<AcceptedDocument>;
  readonly reserveWorker: () => ResumeWaiter<AcceptedDocument> | null;
  readonly wake: () => void;
  readonly readDocument: ReadingThreads['read'];
  readonly parseTranscript: ReadingThreads['parseTranscript'];
  readonly fileReader: FileReader;
  readonly updateClassifier: UpdateClassifier;
  readonly statementClassifier: StatementClassifier;
  readonly compareNames: ReadingThreads['compare'];
  readonly generateByRules: ReadingThreads['generate'];
  readonly resolveEntities: typeof resolveEntities;
  close(): Promise<void>;
}

/** Overrides parts that the environment would choose; `process`: this process's name in the server's lists. */
export interface Overrides {
  readonly now?: () => Date;
  readonly resolve?: typeof resolveEntities;
  readonly process?: string;
  readonly openDatabase?: (outage: (cause: unknown) => Error) => Promise<Database>;
}

/**
 * Everything that use cases need: rows in the Postgres of `DATABASE_URL`, or in the embedded one of the data folder,
 * vectors beside them, and the model that ships with the package.
 */
export const openDependencies = (
  environment: Environment,
  telemetry: Pick<Telemetry, 'log' | 'logRecurring' | 'registry'>,
  overrides: Overrides = {},
): Promise<Dependencies> => openAllOrNone((opened) => openEach(opened, { environment, telemetry, overrides }));

interface Opening {
  readonly environment: Environment;
  readonly telemetry: Pick<Telemetry, 'log' | 'logRecurring' | 'registry'>;
  readonly overrides: Overrides;
}

async function openEach(opened: ResourceStack, { environment, telemetry, overrides }: Opening): Promise<Dependencies> {
  const warn = (message: string, error: unknown) => telemetry.log.warn({ error }, message);
  const isSingleProcess = environment.DATABASE_URL === undefined;
  const unlock = isSingleProcess ? await lockFolder(environment.PRESAGE_DATA_DIR) : () => undefined;
  opened.onClose(unlock);
  const keyVaults = await openKeyVaults(masterKeysOf(environment)); // before what takes seconds: it may be mistaken
  opened.onClose(() => keyVaults.close());
  const classifier = new OnnxClassifier();
  opened.onClose(() => classifier.close());
  const reading = openReadingThreads(classifier);
  opened.onClose(() => reading.close());
  const fileReader = openFileReader({ warn });
  opened.onClose(() => fileReader.close());
  const embedders = openEmbedders(environment);
  opened.onClose(() => embedders.close());
  const [database] = await Promise.all([
    overrides.openDatabase?.(outage) ?? openDatabaseOf(environment, overrides.process ?? 'presage'),
    embedders.shipped
      .open()
      .catch((error: unknown) => warn('the embedding model of this package cannot be used', error)),
    classifier.load().catch((error: unknown) => warn('the statement model of this package cannot be used', error)),
  ]);
  opened.onClose(() => database.close());
  const { db } = database;
  const keyRing = new KeyRing(...keyVaults.vaults);
  await verifyMasterKey({
    db,
    keyRing,
    keyFile: { path: masterKeyFile(environment), isMissing: keyVaults.made !== null },
    warn,
  });
  keyVaults.made?.keep();
  const finding = await openVectorStores(database, environment, telemetry);
  opened.onClose(() => finding.close());
  const now = overrides.now ?? (() => new Date());
  const metering = new Metering({
    db,
    now,
    usageWriters: {
      saveAccesses: (tx, accesses) => readers.accessCounts.add(accesses, () => addAccesses(tx, accesses)),
      saveUserCalls,
      saveUses: markKeysUsed,
    },
  });
  const rateLimits = new RateLimits({
    db,
    defaultRate: { perMinute: environment.REQUESTS_PER_MINUTE, burst: environment.REQUEST_BURST },
    browser: { perMinute: environment.BROWSER_REQUESTS_PER_MINUTE, burst: environment.BROWSER_REQUEST_BURST },
    streams: environment.STREAMS_PER_KEY,
    warn: (message, error) => telemetry.logRecurring(error, message),
  });
  opened.onClose(() => rateLimits.close());
  const webhookSender = openWebhookSender({ allowPrivate: environment.WEBHOOK_ALLOW_PRIVATE });
  opened.onClose(() => webhookSender.close());
  const passwords = openPasswordThread();
  opened.onClose(() => passwords.close());
  const tell = (subject: string) => notices.tell(subject);
  const messages = openMessageFeed({ db, isSingleProcess, keyRing, region: environment.REGION, now, tell, warn });
  opened.onClose(() => messages.close());
  const subscriptions = new SubscriptionRegistry((access, uuids) => readCurrentVersions(db, access, uuids));
  const memoryFeed = new MemoryFeed(tell);
  const committed = (revised: readonly Revision[]) => memoryFeed.publish(revised);
  const fresh = openInvalidation({ db, isSingleProcess, handler: subscriptions, tell, committed, warn });
  const { invalidation } = fresh;
  const readers: ReaderCache = new ReaderCache({ db, invalidation });
  const fetching = {
    db,
    vectors: finding.vectors,
    candidates: finding.candidates,
    embedding: new EmbeddingModels({
      db,
      sources: embedders.sources,
      used: (instanceNumber, tokens) => metering.countTokens(instanceNumber, tokens),
      warn,
    }),
    relevance: classifier,
    readers,
    keyRing,
    feed: messages.feed,
    region: environment.REGION,
    now,
  };
  const shared = isSingleProcess ? noSharedPrefetches : createDatabasePrefetches(db);
  const prefetcher = new Prefetcher({ ...fetching, shared, warn });
  const wakeUp = createWakeSignal<AcceptedDocument>();
  const ingestionProgress: IngestionProgress = new IngestionProgress((id) => notices.tell(id));
  const notices = openNotificationChannel({
    db,
    connect: database.connect,
    heard(subject) {
      if (subject === thereIsWork) wakeUp.wakeAll();
      else if (!fresh.heard(subject) && !messages.heard(subject) && !memoryFeed.heard(subject)) {
        ingestionProgress.movedElsewhere(subject);
      }
    },
    missed() {
      wakeUp.wakeAll();
      fresh.missed();
      messages.missed();
      memoryFeed.missed();
    },
    warn,
  });
  opened.onClose(() => notices.close());
  opened.onClose(() => invalidation.close());
  const notSaved = (error: unknown) => telemetry.log.error({ error }, 'usage, or what streams pushed, was not saved');
  opened.onClose(() => metering.raisePeaks(new Date()).catch(notSaved));
  opened.onClose(() => metering.flush(new Date()).catch(notSaved));
  const turnAnticipations = new TurnAnticipationBuffer(db);
  opened.onClose(() => turnAnticipations.flush().catch(notSaved));
  opened.onClose(() => prefetcher.close());
  return {
    ...fetching,
    isSingleProcess,
    openedKeys: new AuthenticatedKeyCache(invalidation),
    passwords,
    signInAttempts: new SignInAttempts(),
    auditedReads: new AuditedReads(),
    prefetcher,
    exclusively: database.exclusively,
    databaseTrouble: database.trouble,
    databaseProgressAt: database.progressAt,
    languageModels: new Map([...environment.providers.extraction].map(([name, each]) => [name, chatModel(each)])),
    metering,
    rateLimits,
    webhookSender,
    ingestionProgress,
    ingestionWaitMs: 10_000,
    memoryFeed,
    sessions: new ResumableSessions(),
    subscriptions,
    invalidation,
    streamMetrics: openStreamMetrics(metering, telemetry),
    turnAnticipations,
    keyPrefix: environment.API_KEY_PREFIX,
    capturesText: environment.openTelemetry?.capturesText ?? false,
    wakeUp,
    reserveWorker: () => wakeUp.reserve(),
    wake() {
      wakeUp.wake();
      notices.tell(thereIsWork);
    },
    readDocument: reading.read,
    parseTranscript: reading.parseTranscript,
    fileReader,
    updateClassifier: classifier,
    statementClassifier: classifier,
    compareNames: reading.compare,
    generateByRules: reading.generate,
    resolveEntities: overrides.resolve ?? resolveEntities,
    close: () => opened.close(),
  };
}

/** The notice that wakes the workers of other processes. Any other notice is the id of an ingestion that moved on. */
const thereIsWork = 'work';

function openDatabaseOf(environment: Environment, name: string): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, PRESAGE_DATA_DIR: folder } = environment;
  const statementTimeoutMs = environment.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1_000;
  const where = url === undefined ? { dataFolder: join(folder, 'postgres') } : { url, poolSize, name };
  return openDatabase({ ...where, statementTimeoutMs }, outage);
}

const outage = (cause: unknown) => unavailableError('the database does not answer at the moment; try again', cause);

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

const masterKeysOf = (environment: Environment) => ({
  now: {
    key: environment.MASTER_KEY,
    file: environment.MASTER_KEY_FILE,
    kms: environment.MASTER_KEY_KMS,
  },
  before: {
    key: environment.MASTER_KEY_PREVIOUS,
    file: environment.MASTER_KEY_PREVIOUS_FILE,
    kms: environment.MASTER_KEY_PREVIOUS_KMS,
  },
  madeIn: masterKeyFile(environment),
});

const masterKeyFile = ({ ownFolder }: Environment) => join(ownFolder, 'master.key');
