import type { Db } from '../../db/database.ts';
import type { MemoryType } from '../configurations/configuration.ts';
import { contentKey } from '../extraction/content-key.ts';
import { DomainError } from '../errors.ts';
import type { Candidate } from '../extraction/candidate.ts';
import { sketchDimensions } from '../language/sketch.ts';
import { indexedText, queryVector } from '../language/vector-recipe.ts';
import type { NewMemory } from '../memories/store.ts';
import type { UpdateClassifier, UpdatePair } from '../memories/update-classifier.ts';
import { findUpdatable, type Updatable } from '../memories/updatable-store.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/store.ts';

/** What finding updates needs. */
export interface FindingUpdates {
  readonly db: Db;
  readonly vectors: Pick<VectorIndex, 'nearest'>;
  readonly embedding: Pick<EmbeddingModels, 'serving'>;
  readonly updates: UpdateClassifier;
  readonly warn: (message: string, error: unknown) => void;
}

/** A memory about to be stored. */
export interface Added {
  readonly memory: NewMemory;
  readonly candidate: Candidate;
}

/** A later statement that a memory no longer holds because of. */
export interface Update {
  readonly old: Updatable;
  readonly by: NewMemory;
}

const typed: readonly MemoryType[] = ['facts', 'preferences', 'emotions', 'temporal_events'];
/** A later statement is compared with so many of the owner's memories, the nearest in meaning. */
const nearest = 6;
/** And with so many that stand before it in its document. */
const justBefore = 4;
/** Memories less alike than this say nothing of one another, whatever the model makes of them. */
const leastCosine = 0.45;
/** Of one document so many statements are compared: a longer one is no talk that corrects what was said. */
const mostCompared = 200;
/** A statement ends so many memories at most, the surest first. */
const mostEnded = 2;
/** From this probability on a memory is superseded: more than nine in ten are rightly so in the tests of `corpus/`. */
const surely = 0.93;

/**
 * The memories, stored or of the same document, that one of the added statements replaces or ends. Where the model, or
 * the index, is not there, none: what an attribute's form says is superseded all the same.
 */
export async function findUpdates(
  d: FindingUpdates,
  access: Access,
  ownerNo: number,
  added: readonly Added[],
): Promise<Update[]> {
  const statements = added.filter(({ memory }) => memory.type !== 'episodes').slice(0, mostCompared);
  if (!statements.length) return [];
  try {
    const pairs = await pairsOf(d, access, ownerNo, statements);
    if (!pairs.length) return [];
    const probabilities = await d.updates.compare(pairs.map(({ pair }) => pair));
    const scored = pairs.map((each, n) => ({ ...each, score: probabilities[n]!.replaces + probabilities[n]!.ends }));
    return statements.flatMap(({ memory }) =>
      scored
        .filter(({ by, score }) => by === memory && score >= surely)
        .toSorted((one, other) => other.score - one.score)
        .slice(0, mostEnded)
        .map(({ old, by }) => ({ old, by })),
    );
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    d.warn('later statements could not be compared with memories', error);
    return [];
  }
}

type Compared = Update & { readonly pair: UpdatePair };

async function pairsOf(
  d: FindingUpdates,
  access: Access,
  ownerNo: number,
  statements: readonly Added[],
): Promise<Compared[]> {
  const model = await d.embedding.serving(access);
  const texts = statements.map(({ memory, candidate }) => indexedText(candidate.content, memory.speaker));
  const meanings = await model.meanings(texts); // storage asks for the same and finds them done
  if (!meanings?.[0]?.length) return [];
  const reads = await findOwners(d.db, access.i, [ownerNo]);
  const near = await Promise.all(
    meanings.map((meaning) => {
      const vector = { space: model.space, values: queryVector(new Float32Array(sketchDimensions), meaning) };
      return d.vectors.nearest({ ...access, reads }, { vector, limit: nearest, types: typed });
    }),
  );
  const ids = new Set(
    near.flatMap((found) => found.flatMap((each) => (each.cosine >= leastCosine ? [each.memoryId] : []))),
  );
  const stored = new Map((await findUpdatable(d.db, access, ownerNo, [...ids])).map((each) => [each.id, each]));
  return statements.flatMap(({ memory, candidate }, n) => {
    const from = Math.max(0, n - justBefore);
    const before = statements.slice(from, n).flatMap((earlier, place) => {
      // Of one turn, none is said after the other.
      const isSameTurn = earlier.memory.turns[0] === memory.turns[0];
      return !isSameTurn && cosine(meanings[from + place]!, meanings[n]!) >= leastCosine ? [earlier.memory] : [];
    });
    const olds = [...near[n]!.flatMap(({ memoryId }) => stored.get(memoryId) ?? []), ...before];
    return olds
      .filter((old) => old.validFrom <= memory.validFrom && isOther(old, memory))
      .map((old) => ({
        old,
        by: memory,
        pair: { memory: old.content, statement: candidate.content, before: candidate.before ?? '' },
      }));
  });
}

const isOther = (old: Updatable, memory: NewMemory): boolean =>
  old.id !== memory.id && contentKey(old.content) !== contentKey(memory.content);

function cosine(one: Float32Array, other: Float32Array): number {
  let [product, ones, others] = [0, 0, 0];
  for (const [n, value] of one.entries()) {
    product += value * other[n]!;
    ones += value * value;
    others += other[n]! * other[n]!;
  }
  return ones && others ? product / Math.sqrt(ones * others) : 0;
}
