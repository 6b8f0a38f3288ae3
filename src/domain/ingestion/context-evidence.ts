import type { Db } from '../../db/database.ts';
import type { ScoredNamePair, NamePair } from '../entities/match.ts';
import {
  maxCompanions,
  maxContextShift,
  neutralContextSimilarity,
  reachableDecisions,
  matchProbability,
  featureWeights,
  type MatchThresholds,
  type Feature,
} from '../entities/score.ts';
import { findCoMentionedEntities } from '../entities/similar-store.ts';
import { indexedText, queryVector, sketchDimensions } from '../vectors/vector-recipe.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import type { VectorIndex } from '../search-index/vector-index.ts';
import type { Access } from '../tenancy/access.ts';
import { findOwners } from '../tenancy/owner-store.ts';
import type { CategorizedMemories } from './categorize.ts';

interface ContextDependencies {
  readonly db: Db;
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModels;
}

interface DoubtfulPairs {
  readonly pairs: readonly ScoredNamePair[];
  readonly thresholds: MatchThresholds;
  readonly memories: CategorizedMemories['memories'];
}

/** The most pairs of names whose contexts are compared for a document: sure pairs need none. */
const mostPairs = 8;

/**
 * Weighs what is said around the names of doubtful pairs: who else is mentioned with them, and whether the memories
 * mean alike. What no context can change the decision of is left as it is, and costs nothing.
 */
export async function addContextEvidence(
  deps: ContextDependencies,
  access: Access,
  { pairs, thresholds, memories }: DoubtfulPairs,
): Promise<ScoredNamePair[]> {
  const doubtful = pairs
    .filter((pair) => canMove(pair, thresholds))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostPairs);
  if (!doubtful.length) return [...pairs];
  const added = new Map(
    memories.map(({ memory, candidate }) => [memory.id, indexedText(candidate.content, memory.speaker)]),
  );
  const ids = [...new Set(doubtful.flatMap(({ left, right }) => [...left.memoryIds, ...right.memoryIds]))];
  const company = await findCoMentionedEntities(
    deps.db,
    access,
    ids.filter((id) => !added.has(id)),
  );
  const refined = new Map<NamePair, ScoredNamePair>();
  for (const pair of doubtful) {
    const features = [
      ...pair.features,
      ...companyFeature(pair, company),
      ...(await contextFeature(deps, access, pair, added)),
    ];
    refined.set(pair, { ...pair, features, score: matchProbability(features) });
  }
  return pairs.map((pair) => refined.get(pair) ?? pair);
}

function canMove(pair: ScoredNamePair, thresholds: MatchThresholds): boolean {
  if (pair.evidence.length > 0) return false;
  const [lowest, highest] = reachableDecisions(pair.features, thresholds);
  return lowest !== highest;
}

/** Counts the entities with which both names are mentioned. */
function companyFeature({ left, right }: NamePair, company: ReadonlyMap<string, ReadonlySet<string>>): Feature[] {
  const around = (ids: readonly string[]) => new Set(ids.flatMap((id) => [...(company.get(id) ?? [])]));
  const neighbours = around(right.memoryIds);
  const own = new Set([left.rootId, right.rootId]);
  const shared = [...around(left.memoryIds)].filter((id) => neighbours.has(id) && !own.has(id)).length;
  if (!shared) return [];
  const value = Math.min(shared, maxCompanions);
  return [{ name: 'same company', value, weight: Math.round(value * featureWeights.company * 1_000) / 1_000 }];
}

/** The mean likeness of what the document says with the one name to what is remembered with the other. */
async function contextFeature(
  { db, vectors, embedding }: ContextDependencies,
  access: Access,
  { left, right }: NamePair,
  added: ReadonlyMap<string, string>,
): Promise<Feature[]> {
  const texts = left.memoryIds.flatMap((id) => added.get(id) ?? []);
  const stored = right.memoryIds.filter((id) => !added.has(id));
  if (!texts.length || !stored.length) return [];
  const model = await embedding.serving(access);
  const meanings = await model.meanings(texts); // storage asks for the same and finds them done
  if (!meanings) return [];
  const mean = new Float32Array(meanings[0]!.length);
  for (const meaning of meanings) for (const [n, value] of meaning.entries()) mean[n]! += value;
  const owners = await findOwners(db, access.instanceNumber, right.ownerNos);
  const query = { space: model.space, values: queryVector(new Float32Array(sketchDimensions), mean) };
  const scores = await vectors.score({ ...access, readableOwners: owners }, query, stored);
  if (!scores.length) return [];
  const cosine = scores.reduce((sum, each) => sum + each.cosine, 0) / scores.length;
  const weight = Math.max(
    -maxContextShift,
    Math.min(maxContextShift, (cosine - neutralContextSimilarity) * featureWeights.context),
  );
  return [{ name: 'context', value: Math.round(cosine * 1_000) / 1_000, weight: Math.round(weight * 1_000) / 1_000 }];
}
