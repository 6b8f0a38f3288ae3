import { termSketchOf, queryVector, type VectorSpace } from '../vectors/vector-recipe.ts';
import type { MemorySelection } from '../memories/memory.ts';
import { countStems, queryStemsOf } from '../language/stems.ts';
import { relevanceOf } from '../memories/scored-memory.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { findCandidates } from './find-candidates.ts';
import { FallbackVectorReads } from './fallback-vector-reads.ts';
import {
  interleaveResults,
  keepFirstPerPassage,
  promoteAttributeAnswer,
  promoteSuccessors,
  overfetchFactor,
  removeRepetitions,
} from './order-hits.ts';
import { rankCandidates } from './rank.ts';
import { judgeRelevance, scoreBySimilarity, type JudgedHits } from './relevance.ts';
import type { Hit, PreparedQuery, RetrievalDependencies, Search } from './search.ts';

/**
 * The memories that answer the queries, best first. `fast`: one nearest-vector search a query -> rank; `accurate`:
 * candidates by vector, words, neighbourhood and entities -> rank -> judged by a model. In both, the value of an
 * attribute that is asked for leads, what was superseded follows its successor, nothing is there twice, and what is
 * less relevant than was asked for is left out. `warnings` say what could not be asked, and when nothing was relevant
 * enough. Throws `unavailable` in `fast` when the vectors cannot be.
 */
export async function retrieve(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  { limit, ...asked }: Search,
): Promise<{ hits: Hit[]; warnings: string[] }> {
  if (!access.readableOwners.length) return { hits: [], warnings: [] };
  const search = { ...asked, limit: Math.ceil(limit * overfetchFactor) };
  const { queries, space, hasMeaning } = await prepareQueries(deps, access, search.queries);
  const vectors = search.mode === 'fast' ? null : new FallbackVectorReads(deps.vectors);
  let wasJudged = true;
  const answers = await Promise.all(
    queries.map(async (query) => {
      const { hits: found, ...judged } = await (vectors
        ? accurate({ ...deps, vectors }, access, search, query)
        : nearest(deps, access, search, query));
      wasJudged &&= judged.wasJudged;
      return search.among ? found : promoteAttributeAnswer(deps, access, { ...search, text: query.text }, found);
    }),
  );
  const ids = [...new Set(answers.flat().map((hit) => hit.id))];
  const successors = search.among
    ? new Map<string, string[]>()
    : await deps.candidates.findSuccessors(access, space, { ids, ...wantedOf(search) });
  const led = answers.map((found) => promoteSuccessors(found, successors));
  const warnings = [
    ...((await hasMeaning) ? [] : ['the embedding model is unavailable: memories are found by their words alone']),
    ...(wasJudged ? [] : ['the relevance model is unavailable: memories are ranked without it']),
    ...(vectors?.wasMissed ? ['the vector index is unavailable: memories are found by their words alone'] : []),
  ];
  const found = await removeRepetitions(deps, { access, space }, interleaveResults(led, search.limit), search);
  const relevant = found.filter(({ score }) => relevanceOf(score) >= search.minRelevance);
  if (found.length > 0 && relevant.length === 0) warnings.push(nothingRelevant(search.minRelevance));
  return { hits: relevant.slice(0, limit), warnings };
}

const wantedOf = ({ types, provenance, asOf }: Search): MemorySelection => ({ types, provenance, asOf });

const nothingRelevant = (min: number): string =>
  `nothing that is remembered is relevant enough (min_relevance ${min}); lower min_relevance to see what comes nearest`;

async function nearest(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  search: Search,
  query: PreparedQuery,
): Promise<JudgedHits> {
  const vector = await query.vector;
  const found = search.among
    ? (await deps.vectors.score(access, vector, search.among)).toSorted((one, other) => other.score - one.score)
    : await deps.vectors.nearest(access, { ...search, vector });
  const ids = found.slice(0, search.limit).map(({ memoryId }) => memoryId);
  const wanted = { ...wantedOf(search), ids, expanded: [], reach: 0 };
  const rows = await deps.candidates.readCandidates(access, query.space, wanted);
  const similarities = new Map(found.map(({ memoryId, cosine }) => [memoryId, cosine]));
  const candidates = rows.map((row) => ({ row, bm25: 0, similarity: similarities.get(row.id)! }));
  const hits = rankCandidates(query.stems, candidates, []).map(scoreBySimilarity);
  return { hits: hits.toSorted((one, other) => other.score - one.score), wasJudged: true };
}

async function accurate(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  search: Search,
  query: PreparedQuery,
): Promise<JudgedHits> {
  const { candidates, lexical } = await findCandidates(deps, access, search, query);
  const ranked = rankCandidates(query.stems, candidates, lexical);
  const { hits, wasJudged } = await judgeRelevance(deps.relevance, query.text, ranked, search.limit);
  return { hits: keepFirstPerPassage(hits, ({ row }) => row!), wasJudged };
}

/**
 * Words are weighed by how rare they are in what this reader may read: one user's data never sways another's ranks.
 * Resolves when that is known; the meanings come when the model has them.
 */
export async function prepareQueries(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  texts: readonly string[],
): Promise<{ queries: PreparedQuery[]; space: VectorSpace; hasMeaning: Promise<boolean> }> {
  const stems = texts.map((text) => countStems(queryStemsOf(text)));
  const model = await deps.embedding.serving(access);
  const termOf = new Map(stems.flatMap((counts) => [...counts.keys()]).map((stem) => [stem, access.keys.term(stem)]));
  const meaning = model.meanings(texts, { areRequests: true }); // which never rejects: nobody aborts it
  const frequencies = await deps.candidates.documentFrequencies(access, model.space, [...termOf.values()]);
  const total = access.readableOwners.reduce((sum, owner) => sum + owner.memoryCount, 0);
  const noMeaning = new Float32Array(model.space.dimensions);
  const queries = texts.map((text, n) => {
    const counts = stems[n]!;
    const term = (stem: string) => termOf.get(stem)!;
    const documentFrequency = new Map([...counts.keys()].map((stem) => [stem, frequencies.get(term(stem)) ?? 0]));
    const weights = idfByStem(counts, { total, documentFrequency });
    const idf = new Map([...weights].map(([stem, weight]) => [term(stem), weight]));
    const sketch = termSketchOf(
      new Map([...counts].map(([stem, count]) => [term(stem), count])),
      (of) => idf.get(of) ?? 0,
    );
    const vector = meaning.then((meanings) => ({
      space: model.space,
      values: queryVector(sketch, meanings?.[n] ?? noMeaning),
    }));
    return { text, stems: weights, idf, space: model.space, vector };
  });
  const hasMeaning = meaning.then((meanings) => meanings !== null);
  return { queries, space: model.space, hasMeaning };
}

/** How common the stems of a query are: `documentFrequency` memories of `total` have the stem. */
interface TermStatistics {
  readonly total: number;
  readonly documentFrequency: ReadonlyMap<string, number>;
}

/** Robertson-Spärck Jones idf with Lucene's +1, which keeps it positive. */
function inverseDocumentFrequency(documentFrequency: number, total: number): number {
  return Math.log(1 + (Math.max(0, total - documentFrequency) + 0.5) / (documentFrequency + 0.5));
}

/** The weight of each stem: the rarer, the more it says. */
export const idfByStem = (
  stems: ReadonlyMap<string, number>,
  { total, documentFrequency }: TermStatistics,
): Map<string, number> =>
  new Map([...stems.keys()].map((stem) => [stem, inverseDocumentFrequency(documentFrequency.get(stem) ?? 0, total)]));
