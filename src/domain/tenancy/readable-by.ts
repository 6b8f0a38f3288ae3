import { Prisma } from '../../generated/prisma/client.ts';
import type { Access } from './access.ts';
import { readableOwnerNumbers, type NarrowedAccess } from './access.ts';

/** The last condition of every statement over rows that have an owner: this instance, these owners, nothing else. */
export function readableBy(access: Access): { instanceNumber: bigint; ownerNo?: { in: number[] } } {
  if (access.readableOwners === 'instance') return { instanceNumber: access.instanceNumber };
  return { instanceNumber: access.instanceNumber, ownerNo: { in: readableOwnerNumbers(access as NarrowedAccess) } };
}

/** Tables whose rows have an owner and are listed. */
export type OwnedTable = 'memory' | 'conversation' | 'document';

/** The condition `readableBy` as SQL; `table` is the alias of the rows. */
export function readableBySql(access: Access, table: OwnedTable | 'mention' | 'owner'): Prisma.Sql {
  const of = Prisma.raw(table);
  // Nobody sees an entity through a memory that is archived.
  const standing = table === 'mention' ? Prisma.sql`NOT mention.is_archived AND` : Prisma.empty;
  const instance = Prisma.sql`${standing} ${of}.i = ${access.instanceNumber}`;
  if (access.readableOwners === 'instance') return instance;
  return Prisma.sql`${instance} AND ${of}.owner_no = ANY(${readableOwnerNumbers(access as NarrowedAccess)})`;
}

/** Whether all owners that `access` reads are still as they were read. */
export const unchangedBySql = ({
  instanceNumber,
  readableOwners,
}: NarrowedAccess): Prisma.Sql => Prisma.sql`NOT EXISTS (
  SELECT 1 FROM unnest(${readableOwners.map(({ ownerNo }) => ownerNo)}::int[], ${readableOwners.map(({ revision }) => revision)}::bigint[])
    AS read (owner_no, revision)
  WHERE read.revision IS DISTINCT FROM (SELECT revision FROM owner o WHERE o.i = ${instanceNumber} AND o.owner_no = read.owner_no))`;
