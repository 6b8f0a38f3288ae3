import { entityHomesOfMemories, removeMentions } from '../entities/removal-store.ts';
import type { WriteDependencies, WriteTx } from '../invalidation/write-transaction.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import { saveVectors, unindexMemories } from '../search-index/index-memories.ts';
import type { PreparedVectors, VectorIndex, VectorWrites } from '../search-index/vector-index.ts';
import type { Access, ReadableOwner } from '../tenancy/access.ts';
import { lockOwners, bumpOwnerRevision } from '../tenancy/owner-store.ts';
import { attributeTimelines, changedValidities, type ChangedValidities } from './attribute-timeline.ts';
import { neighbourVectors } from './neighbour-vectors.ts';
import { findStatements } from './statement-store.ts';
import { deleteMemories, findMemoryLocations, moveMemory, type MemoryPosition } from './memory-store.ts';
import { saveValidities } from './statement-validity-store.ts';

export interface RemovalDependencies extends WriteDependencies {
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
}

/** The rows that a removal took from each store. */
export interface RemovalCounts {
  readonly rows: number;
  readonly vectors: number;
  readonly terms: number;
  readonly graphLinks: number;
}

export interface RemovalPlan {
  readonly owners: readonly {
    readonly ownerNo: number;
    readonly expectedRevision: bigint;
    readonly ids: readonly string[];
  }[];
  readonly moved: ReadonlyMap<string, MemoryPosition>;
  readonly statementValidities: ChangedValidities;
  readonly neighbourVectors: PreparedVectors;
}

/** The memories to remove, and the documents whose evidence for other memories is removed. */
export interface RemovalRequest {
  readonly memoryIds: readonly string[];
  readonly documentIds: readonly string[];
  /** The memories that lose evidence, and stay: another document states them too. */
  readonly losingEvidence?: readonly string[];
  /** Those of them that were stored under a removed document, with the position that they get. */
  readonly moved?: ReadonlyMap<string, MemoryPosition>;
}

/**
 * Decides what a removal changes of the memories that stay: the statements that had been superseded get their time
 * back, and the vectors that held a little of what goes are made anew. Reads, embeds and prepares; `applyRemoval`
 * writes. `owners` holds all whose memories these are, read before anything was decided.
 */
export async function planRemoval(
  deps: RemovalDependencies,
  access: Access,
  owners: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[],
  { memoryIds, documentIds, losingEvidence = [], moved = new Map() }: RemovalRequest,
): Promise<RemovalPlan> {
  const removing = await findMemoryLocations(deps.db, access, memoryIds);
  const kept = await findMemoryLocations(deps.db, access, losingEvidence);
  const [removed, removedDocuments] = [new Set(removing.map(({ id }) => id)), new Set(documentIds)];
  const statementValidities: ChangedValidities[number][] = [];
  for (const { ownerNo } of owners) {
    const keys = [...removing, ...kept].flatMap((memory) =>
      memory.ownerNo === ownerNo ? (memory.attributeKey ?? []) : [],
    );
    const remaining = (await findStatements(deps.db, access, ownerNo, keys))
      .filter(({ id }) => !removed.has(id))
      .map((statement) => ({
        ...statement,
        said: statement.said.filter((saying) => !removedDocuments.has(saying.documentId)),
      }))
      .filter(({ said }) => said.length); // a memory that came meanwhile: the erasure is decided anew
    statementValidities.push(...changedValidities(remaining, attributeTimelines(remaining)));
  }
  const change = { removed, moved, statementValidities };
  const model = await deps.embedding.serving(access);
  // A vector holds a little of the turns beside it. In a removed document no turn stays beside another, so no vector of
  // it is made anew; a memory that moves to another document gets its own by `change.moved`.
  const leavingOthers = removing.filter(({ documentId }) => !removedDocuments.has(documentId));
  const vectors = await neighbourVectors(deps.db, model, access, leavingOthers, change);
  return {
    owners: owners.map(({ ownerNo, revision }) => ({
      ownerNo,
      expectedRevision: revision,
      ids: removing.filter((memory) => memory.ownerNo === ownerNo).map(({ id }) => id),
    })),
    moved,
    statementValidities,
    neighbourVectors: await deps.vectors.prepare(access, { space: model.space, vectors }, { allowDeferred: true }),
  };
}

/**
 * Takes the memories out of every table: afterwards the rows are those of a store that never knew them. Null when an
 * owner, or the model of the vectors, changed since it was planned: nothing may be kept of the transaction then.
 */
export async function applyRemoval(
  tx: WriteTx,
  vectors: VectorWrites,
  access: Access,
  removal: RemovalPlan,
): Promise<RemovalCounts | null> {
  const total = { rows: 0, vectors: 0, terms: 0, graphLinks: 0 };
  const all = removal.owners.flatMap(({ ids }) => ids);
  const homes = await entityHomesOfMemories(tx, access, all);
  await lockOwners(tx, access.instanceNumber, [...removal.owners.map(({ ownerNo }) => ownerNo), ...homes]);
  for (const { ownerNo, expectedRevision, ids } of removal.owners) {
    const index = await unindexMemories(tx, vectors, access, ids);
    const change = { expectedRevision, memories: -index.memories, terms: -index.terms };
    if (!(await bumpOwnerRevision(tx, access.instanceNumber, ownerNo, change))) return null;
    total.rows += await deleteMemories(tx, access, ids);
    total.vectors += index.vectors;
    total.terms += index.removed;
  }
  if (!(await saveVectors(tx, vectors, access, removal.neighbourVectors))) return null;
  const { links, rows } = await removeMentions(tx, access, all);
  total.graphLinks += links;
  total.rows += rows;
  for (const [id, place] of removal.moved) await moveMemory(tx, access, id, place);
  await saveValidities(tx, vectors, access, removal.statementValidities);
  return total;
}
