import { vectorRecipe, formatSpaceName, type VectorSpace } from '../../domain/vectors/vector-recipe.ts';
import { readableOwnerNumbers, type NarrowedAccess } from '../../domain/tenancy/access.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { VectorSearch } from '../../domain/search-index/vector-index.ts';

/** Longer vectors do not fit into a row of their page. */
const longestInRow = 1_600;

/** The column of a space's vectors: in the row where they fit, and uncompressed beside it where they do not. */
export const vectorColumnOf = ({ dimensions }: VectorSpace) =>
  vectorRecipe.sketchDimensions + dimensions <= longestInRow ? Prisma.sql`embedding` : Prisma.sql`long_embedding`;

export const inSpaceSql = (space: VectorSpace) => Prisma.sql`model = ${formatSpaceName(space)}`;

export const readableVectorsSql = (access: NarrowedAccess, space: VectorSpace) =>
  Prisma.sql`i = ${access.instanceNumber} AND owner_no = ANY(${readableOwnerNumbers(access)}) AND ${inSpaceSql(space)}`;

/** A condition: rows of the types asked for that hold now, or held at `asOf`; their speaker stands in the rows beside. */
export function searchConditionSql(
  { instanceNumber }: Pick<NarrowedAccess, 'instanceNumber'>,
  { types, provenance, asOf }: VectorSearch,
): Prisma.Sql {
  const ofTypes = types ? Prisma.sql`AND type = ANY(${types})` : Prisma.empty;
  const holds = asOf
    ? Prisma.sql`AND valid_from <= ${asOf} AND (valid_until IS NULL OR valid_until > ${asOf})`
    : Prisma.sql`AND valid_until IS NULL`;
  const ofProvenance = provenance
    ? Prisma.sql`AND EXISTS (
        SELECT 1 FROM memory m WHERE m.i = ${instanceNumber} AND m.id = memory_id AND m.provenance = ANY(${[...provenance]}::text[]))`
    : Prisma.empty;
  return Prisma.sql`${ofTypes} ${ofProvenance} ${holds}`;
}
