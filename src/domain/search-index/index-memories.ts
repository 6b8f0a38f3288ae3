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
  const texts = memories.map(({ text, noted, speaker }) =>
    indexedText(noted ? wordsOfRecord(noted, text) : text, speaker),
  );
  const meanings = texts.length ? await embed(texts, signal ? { signal } : {}) : [];
  const noMeaning = new Float32Array(space.dimensions);
  const prepared = await mapYielding(memories, (memory, n): PreparedMemory => {
    const stems = stemsOf(texts[n]!);
    const terms = termsOf(access, countStems(stems));
    const meaning = meanings?.[n] ?? noMeaning;
    return { ...memory, terms, length: stems.length, sketch: termSketchOf(terms), meaning };
  });
  const passages = passagesByTurn(prepared);
  return mapYielding(prepared.filter(only), (memory): IndexEntry => {
    const { memoryId, ownerNo, type, validity, sketch, meaning, role, noted, terms, length } = memory;
    const values = documentVector(sketch, meaning, role, passagesBeside(passages, memory));
    const vector = { memoryId, ownerNo, type, validity, values, isComplete: meanings !== null };
    return { vector, terms: withMetadataTerms(access, terms, noted), length };
  });
}

/** A memory with what its vector and those beside it are made of. */
interface PreparedMemory extends Indexable, TextVectors {
  readonly terms: ReadonlyMap<bigint, number>;
  readonly length: number;
}

/** Those that are picked, and those that lend to them: a text is one turn, of which the others need no embedding. */
function withThoseBeside(memories: readonly Indexable[], only: (memory: Indexable) => boolean): Indexable[] {
  const passages = passagesByTurn(memories);
  const needed = new Set(memories.filter(only).flatMap((memory) => [memory, ...passagesBeside(passages, memory)]));
  return memories.filter((memory) => needed.has(memory));
}

/** The passages of each turn, in order; what is superseded lends nothing. */
function passagesByTurn<Passage extends Indexable>(memories: readonly Passage[]): Map<string, Passage[]> {
  const passages = memories
    .filter(({ type, validity }) => type === 'episodes' && validity.until === null)
    .toSorted((one, other) => one.passage - other.passage);
  return groupBy(passages, ({ documentId, turn }) => `${documentId}/${turn}`);
}

/** The last passage of the turn before and the first of the turn after, in the same document. */
function passagesBeside<Passage>(
  passages: ReadonlyMap<string, readonly Passage[]>,
  { documentId, turn }: Indexable,
): Passage[] {
  const before = passages.get(`${documentId}/${turn - 1}`)?.at(-1);
  const after = passages.get(`${documentId}/${turn + 1}`)?.[0];
  return [before, after].filter((passage) => passage !== undefined);
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
