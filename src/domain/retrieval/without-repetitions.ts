import type { Wanted } from '../memories/wanted-store.ts';
import type { VectorSpace } from '../search-index/vector-space.ts';
import type { OwnedAccess } from '../tenancy/access.ts';
import { distinct } from './distinct.ts';
import type { Hit, Retrieving } from './search.ts';

/** How many times what is wanted is looked for, so that enough is left without repetitions. */
export const readAhead = 2;

/** A hit with the words of its memory. */
export interface WordedHit extends Hit {
  readonly content: string;
}

/**
 * The hits that hold, without repetitions. Told from the rows that searches keep at hand, so that no more is read for
 * showing than is shown.
 */
export async function withoutRepetitions(
  { candidates }: Pick<Retrieving, 'candidates'>,
  { access, space }: { access: OwnedAccess; space: VectorSpace },
  hits: readonly Hit[],
  { types, asOf }: Wanted = {},
): Promise<WordedHit[]> {
  const ids = hits.flatMap(({ id, row }) => (row ? [] : id));
  const rows = ids.length
    ? await candidates.readCandidates(access, space, { types, asOf, ids, expanded: [], reach: 0 })
    : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const known = hits.flatMap((hit) => {
    const row = hit.row ?? byId.get(hit.id);
    return row ? { hit, row } : []; // else it went meanwhile
  });
  return distinct(known).map(({ hit, row }) => ({ id: hit.id, score: hit.score, parts: hit.parts, content: row.text }));
}
