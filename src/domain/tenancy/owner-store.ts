import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { recordRevisions, type WriteTx } from '../invalidation/write-transaction.ts';
import { removedRevision } from '../invalidation/invalidation.ts';
import { revisionsByOwner } from './access.ts';
import type { Access, Isolation, SubjectIds, Owner, ReadableOwner, Scope } from './access.ts';
import { bumpInstanceRevision } from './instance-store.ts';

const ownerColumns = Prisma.sql`owner_no AS "ownerNo", scope, customer_id AS "customerId", user_id AS "userId",
  revision, memory_count AS "memoryCount", term_total::float8 AS "termTotal"`;

/**
 * The owners that `named` may read: those of everybody, that of the customer, and those of the user. A user who is
 * named without a customer reads their rows of any; with one, those of that customer and, in `b2c`, those of none.
 */
export const readableOwners = (
  sql: Sql,
  instanceNumber: bigint,
  named: SubjectIds,
  isolation: Isolation,
): Promise<ReadableOwner[]> =>
  sql.$queryRaw<ReadableOwner[]>`
    SELECT ${ownerColumns} FROM ${readableOwnersSql(instanceNumber, named, isolation)}`;

/**
 * The owners that the named may read, as a table to select from. One look-up in the index for each kind of owner: a
 * planner that is left the choice, and does not know how many there are, looks through all owners of the instance.
 */
export function readableOwnersSql(
  instanceNumber: bigint,
  { userId, customerId }: SubjectIds,
  isolation: Isolation,
): Prisma.Sql {
  const readers = [sharedOwner(instanceNumber, 'CLIENT'), sharedOwner(instanceNumber, 'WORLD')];
  if (customerId)
    readers.push(
      Prisma.sql`scope = 'CUSTOMER' AND user_id = '' AND customer_id = ${customerId} AND i = ${instanceNumber}`,
    );
  if (userId && customerId) {
    const customers = isolation === 'b2c' ? [customerId, ''] : [customerId];
    readers.push(
      Prisma.sql`scope = 'USER' AND user_id = ${userId} AND customer_id = ANY(${customers}) AND i = ${instanceNumber}`,
    );
  } else if (userId) {
    readers.push(Prisma.sql`scope = 'USER' AND user_id = ${userId} AND i = ${instanceNumber}`);
  }
  const each = readers.map((condition) => Prisma.sql`SELECT * FROM owner WHERE ${condition}`);
  return Prisma.sql`(${Prisma.join(each, ' UNION ALL ')}) AS owner`;
}

const sharedOwner = (instanceNumber: bigint, scope: 'CLIENT' | 'WORLD') =>
  Prisma.sql`scope = ${scope} AND user_id = '' AND customer_id = '' AND i = ${instanceNumber}`;

/** The version vector of the owners that a statement selects, as `versionVectorOf`; null without owners. */
export const versionVectorSql = Prisma.sql`string_agg(owner_no || ':' || revision, ',' ORDER BY owner_no)`;

/** The owner of these ids, registered when it is new. In a transaction it is held: it is there until that ends. */
export async function registerOwner(
  sql: Sql,
  instanceNumber: bigint,
  owner: { scope: Scope; userId: string; customerId: string },
): Promise<Owner> {
  const { scope, userId, customerId } = owner;
  const existing = await sql.$queryRaw<{ ownerNo: number }[]>`
    SELECT owner_no AS "ownerNo" FROM owner
    WHERE i = ${instanceNumber} AND scope = ${scope} AND customer_id = ${customerId} AND user_id = ${userId} FOR KEY SHARE`;
  if (existing[0]) return { ...owner, ownerNo: existing[0].ownerNo };
  const rows = await sql.$queryRaw<{ ownerNo: number }[]>`
    INSERT INTO owner (i, scope, customer_id, user_id) VALUES (${instanceNumber}, ${scope}, ${customerId}, ${userId})
    ON CONFLICT (i, scope, customer_id, user_id) DO UPDATE SET scope = excluded.scope
    RETURNING owner_no AS "ownerNo"`;
  return { ...owner, ownerNo: rows[0]!.ownerNo };
}

/** The owners of these numbers that are there: one may be forgotten at any time. */
export const findOwners = (sql: Sql, instanceNumber: bigint, ownerNos: readonly number[]): Promise<ReadableOwner[]> =>
  sql.$queryRaw<ReadableOwner[]>`
    SELECT ${ownerColumns} FROM owner WHERE i = ${instanceNumber} AND owner_no = ANY(${ownerNos})`;

/**
 * Raises the revision of an owner and its word counts, under its row lock, in the transaction that changes what its
 * readers see. With `expectedRevision`, returns false when somebody raised it since: what was decided on it must be
 * decided again.
 */
export async function bumpOwnerRevision(
  tx: WriteTx,
  instanceNumber: bigint,
  ownerNo: number,
  change: { expectedRevision?: bigint; memories: number; terms: number },
): Promise<boolean> {
  const unchanged =
    change.expectedRevision === undefined ? Prisma.empty : Prisma.sql`AND revision = ${change.expectedRevision}`;
  const revised = await tx.$queryRaw<{ revision: bigint }[]>`
    UPDATE owner SET revision = revision + 1, memory_count = memory_count + ${change.memories},
                     term_total = term_total + ${change.terms}
    WHERE i = ${instanceNumber} AND owner_no = ${ownerNo} ${unchanged} RETURNING revision`;
  for (const { revision } of revised) recordRevisions(tx, { instanceNumber, ownerNo, revision });
  return revised.length === 1;
}

/**
 * Locks owners until the transaction ends; returns the revisions of those that are there.
 *
 * The order of locks, so that no two transactions wait for each other: first the owners, those of memories and those
 * where entities are registered, all of them here and so in ascending order (a transaction with one owner may begin
 * with `bumpOwnerRevision` or an insertion that shares it); then the instance's vector space; then rows of these
 * owners; jobs last. Whoever holds an owner is the only one to write its memories, vectors and links.
 */
export async function lockOwners(
  tx: Tx,
  instanceNumber: bigint,
  ownerNos: readonly number[],
): Promise<Map<number, bigint>> {
  const rows = await tx.$queryRaw<{ ownerNo: number; revision: bigint }[]>`
    SELECT owner_no AS "ownerNo", revision FROM owner
    WHERE i = ${instanceNumber} AND owner_no = ANY(${ownerNos}) ORDER BY owner_no FOR NO KEY UPDATE`;
  return revisionsByOwner(rows);
}

/** Locks the owners, and tells whether they are as they were seen. */
export async function lockOwnersIfUnchanged(
  tx: Tx,
  instanceNumber: bigint,
  seen: readonly Pick<ReadableOwner, 'ownerNo' | 'revision'>[],
): Promise<boolean> {
  const now = await lockOwners(
    tx,
    instanceNumber,
    seen.map(({ ownerNo }) => ownerNo),
  );
  return seen.every(({ ownerNo, revision }) => now.get(ownerNo) === revision);
}

/** The owners whose rows carry these ids: what listing by user or customer, export and deletion of a user go over. */
export const ownersOf = (sql: Sql, access: Access, named: SubjectIds) =>
  sql.owner.findMany({
    where: {
      ...(named.userId ? { userId: named.userId, scope: 'USER' } : {}),
      ...(named.customerId ? { customerId: named.customerId } : {}),
      instanceNumber: access.instanceNumber,
    },
    select: { ownerNo: true, customerId: true },
  });

/**
 * With the tokens of their browsers, and with when their users last called, unless they are users of other customers
 * too. Returns how many owners there were.
 */
export async function removeOwners(tx: WriteTx, access: Access, ownerNos: readonly number[]): Promise<number> {
  const tokens = await tx.browserToken.deleteMany({
    where: { ownerNo: { in: [...ownerNos] }, instanceNumber: access.instanceNumber },
  });
  if (tokens.count) await bumpInstanceRevision(tx, access.instanceNumber); // what they hold open ends now
  const removed = await tx.$queryRaw<{ ownerNo: number; userId: string }[]>`
    DELETE FROM owner WHERE owner_no = ANY(${ownerNos}) AND i = ${access.instanceNumber}
    RETURNING owner_no AS "ownerNo", user_id AS "userId"`;
  recordRevisions(
    tx,
    ...removed.map(({ ownerNo }) => ({ instanceNumber: access.instanceNumber, ownerNo, revision: removedRevision })),
  );
  const userIds = removed.flatMap(({ userId }) => userId || []);
  const remaining = await tx.owner.findMany({
    where: { userId: { in: userIds }, instanceNumber: access.instanceNumber },
    select: { userId: true },
  });
  const still = new Set(remaining.map(({ userId }) => userId));
  const forgotten = userIds.filter((userId) => !still.has(userId));
  await tx.userActivity.deleteMany({ where: { userId: { in: forgotten }, instanceNumber: access.instanceNumber } });
  return removed.length;
}
