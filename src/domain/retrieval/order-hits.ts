import { askedAttributes } from '../extraction/attributes/question-patterns.ts';
import { contentKey } from '../extraction/content-key.ts';
import { oncePer } from '../flow/once-per.ts';
import type { MemorySelection } from '../memories/memory.ts';
import type { VectorSpace } from '../vectors/vector-recipe.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { passageKeyOf, type RowText } from './candidate.ts';
import type { Hit, RetrievalDependencies } from './search.ts';

/**
 * One list from the answers of several queries, at most `limit` long: the best of each query in turn, so that each is
 * answered however their scores compare. What more than one query found stands where it was first due, with its best
 * score.
 */
export function interleaveResults<Item extends { readonly id: string; readonly score: number }>(
  answers: readonly (readonly Item[])[],
  limit: number,
): Item[] {
  const taken = new Map<string, Item>();
  const longest = Math.max(0, ...answers.map((answer) => answer.length));
  for (let rank = 0; rank < longest; rank++) {
    for (const answer of answers) {
      const item = answer[rank];
      const existing = item && taken.get(item.id);
      if (item && (existing ? item.score > existing.score : taken.size < limit)) taken.set(item.id, item);
    }
  }
  return [...taken.values()];
}

/**
 * Puts the statement of the attribute that a query asks for first, whether the search found it or not: the answer to
 * "where does Ada live?" is her current address, before places that were imagined, quoted or said in passing.
 */
export async function promoteAttributeAnswer(
  { candidates }: Pick<RetrievalDependencies, 'candidates'>,
  access: NarrowedAccess,
  { text, types, provenance, asOf }: MemorySelection & { readonly text: string },
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const attributes = askedAttributes(text);
  const id = attributes.length ? await candidates.findAnswer(access, { attributes, types, provenance, asOf }) : null;
  if (!id) return hits;
  const score = hits[0]?.score ?? 0;
  return [{ id, score, parts: { answers: score } }, ...hits.filter((hit) => hit.id !== id)];
}

/**
 * The hits of one query. A passage may hold a statement that a later one replaced: what holds now goes before it, found
 * or not, so that nobody reads the old value first, and the passage is marked.
 */
export function promoteSuccessors(hits: readonly Hit[], successors: ReadonlyMap<string, readonly string[]>): Hit[] {
  if (successors.size === 0) return [...hits];
  const placed = new Map<string, Hit>();
  for (const hit of hits) {
    const newer = successors.get(hit.id) ?? [];
    for (const id of newer) {
      if (!placed.has(id)) placed.set(id, { id, score: hit.score, parts: { replaces: hit.score } });
    }
    if (!placed.has(hit.id)) placed.set(hit.id, { ...hit, outdatedBy: newer[0] });
  }
  return [...placed.values()];
}

/** The factor by which more than is wanted is looked for, so that enough is left without repetitions. */
export const overfetchFactor = 2;

/**
 * The hits that hold, without repetitions. These are found by the rows that searches keep in memory, so that no memory
 * is read with its evidence and entities only to be dropped.
 */
export async function removeRepetitions(
  { candidates }: Pick<RetrievalDependencies, 'candidates'>,
  { access, space }: { access: NarrowedAccess; space: VectorSpace },
  hits: readonly Hit[],
  { types, provenance, asOf }: MemorySelection = {},
): Promise<Hit[]> {
  const ids = hits.flatMap(({ id, row }) => (row ? [] : id));
  const rows = ids.length
    ? await candidates.readCandidates(access, space, { types, provenance, asOf, ids, expanded: [], reach: 0 })
    : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const existing = hits.flatMap((hit) => {
    const row = hit.row ?? byId.get(hit.id);
    return row ? { hit, row } : []; // else it went meanwhile
  });
  return withoutRepetitions(
    existing,
    ({ row }) => row,
    ({ row }) => contentKeyOf(row),
  ).map(({ hit }) => hit);
}

/** The place of a row, and whether it is a passage or a statement in one. */
type PlacedRow = Omit<RowText, 'text'>;

/**
 * The items with no passage twice: of one and the statements in it, whichever comes first stands for the other.
 * Statements of one passage all stay.
 */
export function keepFirstPerPassage<Item>(items: readonly Item[], placeOf: (item: Item) => PlacedRow): Item[] {
  const isPassageFirst = new Map<string, boolean>();
  return items.filter((item) => {
    const place = placeOf(item);
    const key = passageKeyOf(place);
    const isPassage = place.type === 'episodes';
    const first = isPassageFirst.get(key);
    if (first === undefined) isPassageFirst.set(key, isPassage);
    return first === undefined || first === isPassage;
  });
}

/**
 * The items without repetitions: no words twice, which `wordsOf` gives a key, and no passage twice. A statement and the
 * passage that says nothing else have the same words: the typed one stays, since it tells more, at the place of the
 * first.
 */
export function withoutRepetitions<Item>(
  items: readonly Item[],
  placeOf: (item: Item) => PlacedRow,
  wordsOf: (item: Item) => string,
): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) {
    const key = wordsOf(item);
    const existing = kept.get(key);
    if (!existing || (placeOf(existing).type === 'episodes' && placeOf(item).type !== 'episodes')) kept.set(key, item);
  }
  return keepFirstPerPassage([...kept.values()], placeOf);
}

/** Kept as long as the rows are, which are cached. */
const contentKeyOf = oncePer((row: RowText) => contentKey(row.text));
