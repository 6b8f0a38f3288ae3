import { findNames } from '../language/names.ts';
import { memoriesMentioning } from '../entities/entity-store.ts';
import { normalName } from '../entities/normal-name.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { bm25, candidateLimits } from './candidate-generation.ts';
import type { Candidate, LexicalScore } from './candidate.ts';
import { interleaveResults } from './order-hits.ts';
import type { PreparedQuery, RetrievalDependencies, Search } from './search.ts';

/**
 * Finds the memories that may answer a query: the nearest by vector, the nearest preferences, the best by words, those
 * beside the best of both in the same document, and those that mention an entity of the query; or, where the search is
 * `among` some memories, those. Only what `access` may read is ever counted or shown.
 */
export async function findCandidates(
  deps: RetrievalDependencies,
  access: NarrowedAccess,
  search: Search,
  query: PreparedQuery,
): Promise<{ candidates: Candidate[]; lexical: LexicalScore[] }> {
  const { space, idf } = query;
  const { among } = search;
  const wantsPreferences = !search.types || search.types.includes('preferences');
  const nearest = async () => {
    const vector = await query.vector;
    return Promise.all([
      deps.vectors.nearest(access, { ...search, vector, limit: candidateLimits.nearest }),
      wantsPreferences
        ? deps.vectors.nearest(access, {
            ...search,
            vector,
            types: ['preferences'],
            limit: candidateLimits.preferences,
          })
        : [],
    ]);
  };
  const [[near, preferences], words, mentioning] = await Promise.all([
    among ? [[], []] : nearest(),
    deps.candidates.matchWords(access, space, {
      ...bm25,
      idf,
      averageLength: averageLength(access),
      provenance: search.provenance,
      among,
      limit: candidateLimits.lexicalScores,
    }),
    among ? [] : memoriesMentioning(deps.db, access, entityKeys(access, query.text)),
  ]);
  const rows = await deps.candidates.readCandidates(access, space, {
    types: search.types,
    provenance: search.provenance,
    asOf: search.asOf,
    ids: among ?? [
      ...[...near, ...preferences, ...words.slice(0, candidateLimits.lexical)].map((hit) => hit.memoryId),
      ...mentioning,
    ],
    expanded: among ? [] : bestOfBoth(near, words),
    reach: candidateLimits.reach,
  });
  const vectorScores = new Map([...near, ...preferences].map((hit) => [hit.memoryId, hit]));
  const unscored = rows.map((row) => row.id).filter((id) => !vectorScores.has(id));
  for (const hit of await deps.vectors.score(access, await query.vector, unscored)) vectorScores.set(hit.memoryId, hit);
  const wordScores = new Map(words.map((hit) => [hit.memoryId, hit.bm25]));
  const candidates = rows.map((row) => ({
    row,
    bm25: wordScores.get(row.id) ?? 0,
    similarity: vectorScores.get(row.id)?.cosine ?? 0,
  }));
  return { candidates, lexical: words };
}

/** The first of each list in turn, without repeats. */
function bestOfBoth(...lists: readonly (readonly { memoryId: string }[])[]): string[] {
  const max = candidateLimits.expanded;
  const first = lists.map((hits) => hits.slice(0, max).map(({ memoryId: id }) => ({ id, score: 0 })));
  return interleaveResults(first, max).map(({ id }) => id);
}

function averageLength(access: NarrowedAccess): number {
  const memories = access.readableOwners.reduce((sum, owner) => sum + owner.memoryCount, 0);
  const terms = access.readableOwners.reduce((sum, owner) => sum + owner.termTotal, 0);
  return memories ? Math.max(1, terms / memories) : 1;
}

const entityKeys = (access: NarrowedAccess, text: string) =>
  findNames(text).map(({ name }) => access.keys.hash('name', normalName(name)));
