import { askedAttributes } from '../extraction/attributes/asked.ts';
import type { OwnedAccess } from '../tenancy/access.ts';
import type { Hit, Retrieving, Search } from './search.ts';

/**
 * Who asks where somebody lives wants the place that holds, before what was imagined, quoted or said in passing: the
 * statement of the attribute that is asked for goes first, wherever it was found, or found or not.
 */
export async function leadWithAnswer(
  { candidates }: Pick<Retrieving, 'candidates'>,
  access: OwnedAccess,
  { text, types, asOf }: Pick<Search, 'types' | 'asOf'> & { readonly text: string },
  hits: readonly Hit[],
): Promise<readonly Hit[]> {
  const attributes = askedAttributes(text);
  const id = attributes.length ? await candidates.findAnswer(access, { attributes, types, asOf }) : null;
  if (!id) return hits;
  const score = hits[0]?.score ?? 0;
  return [{ id, score, parts: { answers: score } }, ...hits.filter((hit) => hit.id !== id)];
}
