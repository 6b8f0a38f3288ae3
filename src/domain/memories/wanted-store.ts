import { Prisma } from '../../generated/prisma/client.ts';
import { trusted } from '../extraction/provenance.ts';
import type { Wanted } from './memory.ts';

/** The condition on rows of memories, to stand behind another. */
export function wantedSql(table: 'memory' | 'm', { asOf, ...wanted }: Wanted): Prisma.Sql {
  const of = Prisma.raw(table);
  if (!asOf) return Prisma.sql`${ofKindSql(table, wanted)} AND ${of}.status = 'active'`;
  return Prisma.sql`${ofKindSql(table, wanted)} AND ${of}.status <> 'archived' AND ${of}.valid_from <= ${asOf}
    AND (${of}.valid_until IS NULL OR ${of}.valid_until > ${asOf})`;
}

/** The condition that type and provenance are among those wanted, to stand behind another; nothing when any are. */
export function ofKindSql(
  table: 'memory' | 'm',
  { types, provenance }: Pick<Wanted, 'types' | 'provenance'>,
): Prisma.Sql {
  const of = Prisma.raw(table);
  const ofTypes = types ? Prisma.sql`AND ${of}.type = ANY(${[...types]}::text[])` : Prisma.empty;
  const ofProvenance = provenance ? Prisma.sql`AND ${of}.provenance = ANY(${[...provenance]}::text[])` : Prisma.empty;
  return Prisma.sql`${ofTypes} ${ofProvenance}`;
}

/** The condition that evidence is of a trusted source: only that tells that something was said more than once. */
export const trustedEvidence = (table: 'e'): Prisma.Sql =>
  Prisma.sql`${Prisma.raw(table)}.provenance = ANY(${[...trusted]}::text[])`;
