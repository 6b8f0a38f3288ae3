import type { Job } from '../../jobs/queue.ts';
import { enqueueCompactionJob } from '../conversations/enqueue-compaction-job.ts';
import { linkNames } from '../entities/link-names.ts';
import { saveMentions } from '../entities/entity-store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { addEvidence } from '../memories/evidence-store.ts';
import { WriteConflict, withOptimisticLock } from '../memories/optimistic-lock.ts';
import { savePossibleSupersessions } from '../memories/possible-supersession-store.ts';
import { saveAttributes, saveSupersessionExclusions } from '../memories/statement-store.ts';
import { insertMemories, type NewMemory } from '../memories/memory-store.ts';
import { neighbourVectors } from '../memories/neighbour-vectors.ts';
import { saveValidities } from '../memories/statement-validity-store.ts';
import {
  updateIndexAfterCommit,
  saveIndexTerms,
  prepareIndex,
  saveVectors,
  termCountsOf,
  type IndexEntry,
} from '../search-index/index-memories.ts';
import type { MemoryVector } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { lockOwners, bumpOwnerRevision } from '../tenancy/owner-store.ts';
import type { CategorizedMemories } from './categorize.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import type { IngestionResult } from './ingestion.ts';
import type { EntityResolution } from './resolve-entities.ts';
import { lockReplacement, ownersOfReplacement, applyReplacement, type Replacement } from './replace-document.ts';
import { completeIngestion, type IngestionWork } from './ingestion-store.ts';

/** Another worker has the job, or an erasure took the document. Rolls the transaction back. */
class NotOurs extends Error {}

/** The results of an ingestion's stages, to be stored in one transaction. */
interface ToStore {
  readonly job: Job<'ingest-document'>;
  readonly work: IngestionWork;
  readonly decided: CategorizedMemories;
  readonly replacement: Replacement;
  readonly resolution: EntityResolution;
  readonly discarded: number;
  readonly warnings: readonly string[];
  readonly startedAt: Date;
  /** The configuration compacts conversations by itself once they are long. */
  readonly mayBeLong: boolean;
}

/**
 * Makes an ingestion's memories visible and the ingestion `completed`, in one commit. `stale`: the owner, or the
 * model of the vectors, changed since it was categorized, so decide again; `gone`: the job is another's, or the
 * document was erased.
 */
export async function storeMemories(
  deps: IngestionDependencies,
  access: Access,
  { job, work, decided, replacement, ...found }: ToStore,
): Promise<IngestionResult | 'stale' | 'gone'> {
  const { entries, prepared } = await prepareForSearch(deps, access, work, decided);
  const isComplete = prepared.vectors.every((vector) => vector.isComplete);
  const warnings = isComplete ? found.warnings : [...found.warnings, withoutMeaning];
  const confirmed = decided.repeats.flatMap(({ memoryId, isConfirmed }) => (isConfirmed ? memoryId : []));
  const at = deps.now();
  const origin = {
    documentId: work.documentId,
    conversationId: work.conversationId,
    ingestionId: work.ingestionId,
    configurationVersion: work.configurationVersion,
    metadata: work.metadata,
    at,
  };
  let outOfSight: readonly string[] = [];
  const written = withOptimisticLock(deps, access, async (tx) => {
    await lockOtherOwners(tx, access, work.ownerNo, { resolution: found.resolution, replacement });
    const change = { expectedRevision: decided.expectedRevision, ...termCountsOf(entries) };
    const revised = await bumpOwnerRevision(tx, access.instanceNumber, work.ownerNo, change);
    if (!revised) throw new WriteConflict();
    const memories = decided.memories.map(({ memory }) => memory);
    const memoryIds = memories.map(({ id }) => id);
    const discarded = found.discarded + decided.discarded;
    const superseded = decided.statementValidities.filter(
      ({ statementValidity }) => statementValidity.supersededBy !== null,
    ).length;
    const outcome = { memoryIds, discarded, superseded, warnings, startedAt: found.startedAt, at };
    const [first = none, ...rest] = partsOf({ memories, entries, vectors: prepared.vectors });
    const write = async (part: Part) => {
      const [isCompared] = await Promise.all([
        saveVectors(tx, deps.vectors, access, { ...prepared, vectors: part.vectors }),
        insertMemories(tx, access, origin, part.memories),
        saveIndexTerms(tx, access, part.entries),
      ]);
      return isCompared;
    };
    // Asked for together, they are sent together, and run in this order.
    const [isOurs, isCompared] = await Promise.all([
      completeIngestion(tx, access, { ingestionId: work.ingestionId, job }, outcome),
      write(first),
      addEvidence(tx, access, origin, decided.repeats),
    ]);
    if (!isOurs) throw new NotOurs();
    if (!isCompared) throw new WriteConflict();
    for (const part of rest) if (!(await write(part))) throw new WriteConflict();
    await deps.vectors.refreshProvenance(tx, access, confirmed);
    await linkMentions(tx, access, found.resolution, at);
    await saveAttributes(tx, access, decided.attributes);
    await saveSupersessionExclusions(tx, access, decided.exclusions, at);
    await savePossibleSupersessions(tx, access, decided.possible, at);
    await saveValidities(tx, deps.vectors, access, decided.statementValidities);
    const repeated = new Set(decided.repeats.map(({ memoryId }) => memoryId));
    outOfSight = await applyReplacement(tx, deps.vectors, access, { work, replacement, repeated });
    // A compaction keeps what was extracted, so that new memories may make one due.
    if (found.mayBeLong && work.conversationId)
      await enqueueCompactionJob(tx, access, { conversationId: work.conversationId });
    return outcome;
  });
  const outcome = await written.catch((error: unknown) => {
    if (error instanceof NotOurs) return 'gone' as const;
    throw error;
  });
  const amended = [...decided.statementValidities.map(({ id }) => id), ...outOfSight, ...confirmed];
  if (outcome && outcome !== 'gone') await updateIndexAfterCommit(deps.vectors, access, amended);
  return outcome ?? 'stale';
}

/** The words and vectors by which the memories are found, and those of stored memories whose validity changes. */
async function prepareForSearch(
  deps: IngestionDependencies,
  access: Access,
  { documentId, mode, metadata }: IngestionWork,
  { memories, statementValidities }: CategorizedMemories,
) {
  const model = await deps.embedding.serving(access);
  const indexed = memories.map(({ memory, candidate }) => ({
    memoryId: memory.id,
    ownerNo: memory.ownerNo,
    documentId,
    turn: memory.turns[0]!,
    passage: memory.passage,
    type: memory.type,
    role: memory.role,
    speaker: memory.speaker,
    text: candidate.content,
    noted: mode === 'verbatim' ? (metadata ?? {}) : null,
    validity: { from: memory.validFrom, until: memory.statementValidity.validUntil },
  }));
  const entries = await prepareIndex(model, access, indexed, { signal: deps.signal });
  const changed = await neighbourVectors(deps.db, model, access, [], { statementValidities });
  const vectors = [...entries.map((entry) => entry.vector), ...changed];
  return { entries, prepared: await deps.vectors.prepare(access, { space: model.space, vectors }) };
}

/**
 * Locks the owners of what is written beside the owner's own memories, all before any of them is revised. Throws
 * `WriteConflict` where one of them is gone, or was written to since it was planned.
 */
async function lockOtherOwners(
  tx: WriteTx,
  access: Access,
  ownerNo: number,
  { resolution: { home, names }, replacement }: Pick<ToStore, 'resolution' | 'replacement'>,
): Promise<void> {
  // A name that is mentioned here must not go meanwhile with the last other memory that mentions it.
  const others = [...(names.length ? [home.ownerNo] : []), ...ownersOfReplacement(replacement)];
  if (others.some((other) => other !== ownerNo)) {
    const locked = await lockOwners(tx, access.instanceNumber, [ownerNo, ...others]);
    if (names.length && !locked.has(home.ownerNo)) throw new WriteConflict(); // its customer was forgotten
  }
  await lockReplacement(tx, access, replacement);
}

/** Rows of one statement: more would hold this thread, and that of the embedded database, for too long. */
const rowsOfStatement = 150;

/** The memories of a document that are written at once, with their words and vectors. */
interface Part {
  readonly memories: readonly NewMemory[];
  readonly entries: readonly IndexEntry[];
  readonly vectors: readonly MemoryVector[];
}

const none: Part = { memories: [], entries: [], vectors: [] };

const partsOf = ({ memories, entries, vectors }: Part): Part[] =>
  Array.from({ length: Math.ceil(Math.max(memories.length, vectors.length) / rowsOfStatement) }, (_, n) => {
    const [from, to] = [n * rowsOfStatement, (n + 1) * rowsOfStatement];
    return { memories: memories.slice(from, to), entries: entries.slice(from, to), vectors: vectors.slice(from, to) };
  });

/** The vectors are completed by the job that re-embeds. */
const withoutMeaning = 'the embedding model was unavailable: until it answers, these memories are found by their words';

/** Registers the names that were resolved, and links their memories to them. */
export async function linkMentions(tx: WriteTx, access: Access, resolution: EntityResolution, at: Date): Promise<void> {
  const { home, names, mentions } = resolution;
  if (!names.length) return;
  const ids = await saveMentions(tx, access, home, { names, mentions, at });
  const registered = new Map(names.map((name, n) => [name.id, ids[n]!]));
  const idOf = (id: string) => registered.get(id) ?? id;
  await linkNames(tx, access, resolution, { ownerNo: home.ownerNo, idOf, at });
}
