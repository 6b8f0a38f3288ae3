import type { Tx } from '../../db/database.ts';
import { groupBy } from '../flow/group-by.ts';
import type { MemoryType } from '../memory-types.ts';
import { DomainError } from '../errors.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { termSketchOf, documentVector, indexedText, type TextVectors, isSameSpace } from '../vectors/vector-recipe.ts';
import { countStems, stemsOf } from '../language/stems.ts';
import type { Access } from '../tenancy/access.ts';
import type { SpaceEmbedder } from './embedding-models.ts';
import { withMetadataTerms, wordsOfRecord, type Metadata } from './metadata-terms.ts';
import { enqueueReembedding, lockSpaces } from './space-store.ts';
import { removeTerms, saveTerms } from './term-store.ts';
import type { MemoryVector, PreparedVectors, VectorValidity, VectorWrites } from './vector-index.ts';

/** A memory as it is given to be indexed. */
export interface Indexable {
  readonly memoryId: string;
  readonly ownerNo: number;
  readonly documentId: string;
  readonly turn: number;
  readonly passage: number;
  readonly type: MemoryType;
  readonly role: string;
  readonly speaker: string | null;
  readonly text: string;
  /** The metadata of a record, which is found by it too; null: this is no record. */
  readonly noted: Metadata | null;
  readonly validity: VectorValidity;
}

/** A memory as the index holds it. */
export interface IndexEntry {
  readonly vector: MemoryVector;
  readonly terms: ReadonlyMap<bigint, number>;
  readonly length: number;
}

/**
 * Words and vectors of the memories, made before the transaction that stores them. A model that is not there: words
 * alone, and the vectors say that they are not complete. The passages among those `given` lend to their neighbours;
 * `only` picks those that are to be indexed (default: all).
 */
export async function prepareIndex(
  { space, meanings: embed }: SpaceEmbedder,
  access: Access,
  given: readonly Indexable[],
  { only = () => true, signal }: { only?: (memory: Indexable) => boolean; signal?: AbortSignal } = {},
): Promise<IndexEntry[]> {
  const memories = withThoseBeside(given, only);
  const passages = passagesByTurn(memories);
  const texts = memories.map(({ text, noted, speaker }) =>
    indexedText(noted ? wordsOfRecord(noted, text) : text, speaker),
  );
  const meanings = texts.length ? await embed(texts, signal ? { signal } : {}) : [];
  const stems = await mapYielding(texts, stemsOf);
  const terms = await mapYielding(stems, (each) => termsOf(access, countStems(each)));
  const noMeaning = new Float32Array(space.dimensions);
  const vectorsOf = (n: number): TextVectors => ({
    sketch: termSketchOf(terms[n]!),
    meaning: meanings?.[n] ?? noMeaning,
  });
  const entries = await mapYielding(memories, (memory, n): IndexEntry | undefined => {
    if (!only(memory)) return undefined;
    const { memoryId, ownerNo, type, role, noted, validity } = memory;
    const { sketch, meaning } = vectorsOf(n);
    const neighbours = otherOf(passages, memory).map(vectorsOf);
    const values = documentVector(sketch, meaning, role, neighbours);
    const vector = { memoryId, ownerNo, type, validity, values, isComplete: meanings !== null };
    return { vector, terms: withMetadataTerms(access, terms[n]!, noted), length: stems[n]!.length };
  });
  return entries.filter((entry) => entry !== undefined);
}

/** Those that are picked, and those that lend to them: a text is one turn, of which the others need no embedding. */
function withThoseBeside(memories: readonly Indexable[], only: (memory: Indexable) => boolean): Indexable[] {
  const passages = passagesByTurn(memories);
  const chosen = [...memories.keys()].filter((n) => only(memories[n]!));
  const needed = new Set(chosen.flatMap((n) => [n, ...otherOf(passages, memories[n]!)]));
  return memories.filter((_, n) => needed.has(n));
}

/** Places in `memories` of the passages of each turn, in order; what is superseded lends nothing. */
function passagesByTurn(memories: readonly Indexable[]): Map<string, number[]> {
  const passages = memories
    .map((memory, n) => ({ memory, n }))
    .filter(({ memory }) => memory.type === 'episodes' && memory.validity.until === null)
    .toSorted((one, other) => one.memory.passage - other.memory.passage);
  return groupBy(
    passages,
    ({ memory }) => `${memory.documentId}/${memory.turn}`,
    ({ n }) => n,
  );
}

/** The last passage of the turn before and the first of the turn after, in the same document. */
function otherOf(passages: ReadonlyMap<string, readonly number[]>, { documentId, turn }: Indexable): number[] {
  const before = passages.get(`${documentId}/${turn - 1}`)?.at(-1);
  const after = passages.get(`${documentId}/${turn + 1}`)?.[0];
  return [before, after].filter((n) => n !== undefined);
}

/** The stems under their keyed hashes. */
const termsOf = (access: Access, stems: ReadonlyMap<string, number>) =>
  new Map([...stems].map(([stem, count]) => [access.keys.term(stem), count]));

/** The counts that the entries add to their owner's: memories without a word do not count in word statistics. */
export function termCountsOf(entries: readonly IndexEntry[]): { memories: number; terms: number } {
  const withWords = entries.filter((entry) => entry.length > 0);
  return { memories: withWords.length, terms: withWords.reduce((sum, entry) => sum + entry.length, 0) };
}

/** Stores the words of the entries; their vectors are put by whoever knows where those live. */
export const saveIndexTerms = (tx: Tx, access: Access, entries: readonly IndexEntry[]): Promise<void> =>
  saveTerms(
    tx,
    access,
    entries.map(({ vector, terms, length }) => ({ ...vector, terms, length })),
  );

/**
 * Stores prepared vectors in the transaction of their rows. What is being built for the same memories is out of date by
 * this, and is made anew by the job that builds. False when another space serves by now, or it took too long: roll
 * back and decide again.
 */
export async function saveVectors(
  tx: Tx,
  index: VectorWrites,
  access: Access,
  prepared: PreparedVectors,
): Promise<boolean> {
  const { space, vectors } = prepared;
  if (!vectors.length) return true;
  const [spaces, isPut] = await Promise.all([lockSpaces(tx, access), index.put(tx, access, prepared)]); // in this order
  if (!spaces || !isSameSpace(spaces.serving, space) || !isPut) return false;
  if (spaces.building) {
    const ids = vectors.map(({ memoryId }) => memoryId);
    await index.remove(tx, access, ids, spaces.building);
  }
  if (vectors.some(({ isComplete }) => !isComplete)) await enqueueReembedding(tx, access);
  return true;
}

/** Lets the index follow what was committed; when it cannot now, a job does it later. */
export async function updateIndexAfterCommit(
  index: VectorWrites,
  access: Access,
  memoryIds: readonly string[],
): Promise<void> {
  if (!memoryIds.length) return;
  await index.applyPending(access, memoryIds).catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });
}

/** Removes every trace from words and vectors; `memories` and `terms` are what the owner's counts lose. */
export async function unindexMemories(
  tx: Tx,
  vectors: VectorWrites,
  access: Access,
  memoryIds: readonly string[],
): Promise<{ vectors: number; removed: number; memories: number; terms: number }> {
  const removedVectors = await vectors.remove(tx, access, memoryIds);
  return { vectors: removedVectors, ...(await removeTerms(tx, access, memoryIds)) };
}
