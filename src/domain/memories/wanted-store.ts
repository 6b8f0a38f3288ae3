import { Prisma } from '../../generated/prisma/client.ts';
import type { MemoryType } from '../configurations/configuration.ts';
import { holds, type MemoryStatus } from './memory.ts';

/** Which memories a search is about. */
export interface Wanted {
  /** Of these types; undefined: of any. */
  readonly types?: readonly MemoryType[] | undefined;
  /** What held at this time instead of what holds now. */
  readonly asOf?: Date | undefined;
}

/** The condition on rows of memories, to stand behind another. */
export function wantedSql(table: 'memory' | 'm', { types, asOf }: Wanted): Prisma.Sql {
  const of = Prisma.raw(table);
  const ofTypes = types ? Prisma.sql`AND ${of}.type = ANY(${types})` : Prisma.empty;
  if (!asOf) return Prisma.sql`${ofTypes} AND ${of}.status = 'active'`;
  return Prisma.sql`${ofTypes} AND ${of}.status <> 'archived' AND ${of}.valid_from <= ${asOf}
    AND (${of}.valid_until IS NULL OR ${of}.valid_until > ${asOf})`;
}

/** The same of one that is at hand. */
export function isWanted(
  {
    status,
    type,
    at,
    until,
  }: {
    readonly status: MemoryStatus;
    readonly type: MemoryType;
    readonly at: Date;
    readonly until: Date | null;
  },
  { types, asOf }: Wanted,
): boolean {
  return (!types || types.includes(type)) && holds(status, at, until, asOf);
}
