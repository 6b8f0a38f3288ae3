import { contentKey } from '../extraction/content-key.ts';
import type { CandidateFilter, CandidateRow } from '../memories/candidate-store.ts';
import type { VectorSpace } from '../search-index/vector-space.ts';
import type { OwnedAccess } from '../tenancy/access.ts';
import type { Hit, Retrieving } from './search.ts';

/** How many times what is wanted is looked for, so that enough is left without repetitions. */
export const readAhead = 2;

/** A hit with the words of its memory, as far as showing it needs them. */
export interface WordedHit extends Hit {
  readonly content: string;
}

/**
 * The hits that hold, without repetitions: a statement and the passage that says nothing else have the same words, and a
 * reader needs them once. The typed one stays, since it tells more, at the place of the first. Told from what searches
 * keep at hand, so that only what will be shown is read for showing.
 */
export async function distinct(
  { candidates }: Pick<Retrieving, 'candidates'>,
  { access, space }: { access: OwnedAccess; space: VectorSpace },
  hits: readonly Hit[],
  filter: CandidateFilter = {},
): Promise<WordedHit[]> {
  if (!hits.length) return [];
  const { types, asOf } = filter;
  const ids = hits.map(({ id }) => id);
  const rows = await candidates.readCandidates(access, space, { types, asOf, ids, expanded: [], reach: 0 });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const kept = new Map<string, { readonly hit: Hit; readonly row: CandidateRow }>();
  for (const hit of hits) {
    const row = byId.get(hit.id);
    if (!row) continue; // it went meanwhile
    const key = keyOf(row);
    const known = kept.get(key)?.row;
    if (!known || (known.type === 'episodes' && row.type !== 'episodes')) kept.set(key, { hit, row });
  }
  return [...kept.values()].map(({ hit, row }) => ({
    id: hit.id,
    score: hit.score,
    parts: hit.parts,
    content: row.text,
  }));
}

/** Of rows that are kept at hand, as long as they are. */
const keys = new WeakMap<CandidateRow, string>();

function keyOf(row: CandidateRow): string {
  let key = keys.get(row);
  if (key === undefined) keys.set(row, (key = contentKey(row.text)));
  return key;
}
