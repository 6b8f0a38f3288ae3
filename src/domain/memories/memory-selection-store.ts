import { Prisma } from '../../generated/prisma/client.ts';
import type { MemorySelection } from './memory.ts';

/** The condition on rows of memories, to stand behind another. */
export function memorySelectionSql(table: 'memory' | 'm', { types, provenance, asOf }: MemorySelection): Prisma.Sql {
  const of = Prisma.raw(table);
  const ofTypes = types ? Prisma.sql`AND ${of}.type = ANY(${[...types]}::text[])` : Prisma.empty;
  const ofProvenance = provenance ? Prisma.sql`AND ${of}.provenance = ANY(${[...provenance]}::text[])` : Prisma.empty;
  const then = asOf
    ? Prisma.sql`AND ${of}.status <> 'archived' AND ${of}.valid_from <= ${asOf}
        AND (${of}.valid_until IS NULL OR ${of}.valid_until > ${asOf})`
    : Prisma.sql`AND ${of}.status = 'active'`;
  return Prisma.sql`${ofTypes} ${ofProvenance} ${then}`;
}
