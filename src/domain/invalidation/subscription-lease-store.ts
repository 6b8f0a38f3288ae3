import type { Sql } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { removedRevision, instanceOwnerNo, type Revision, type RevisionKey } from './invalidation.ts';

/** A process that shows something as it was before a change. */
export interface LaggingProcess {
  readonly processId: string;
  readonly ownerNo: number;
  readonly revision: bigint;
}

/** The revision that a subject has now; what is not there any more is above all. */
const revisionOf = (table: 'subscription_lease' | 'given') => {
  const of = Prisma.raw(table);
  return Prisma.sql`coalesce(
    CASE ${of}.owner_no WHEN ${instanceOwnerNo} THEN (SELECT revision FROM instance n WHERE n.i = ${of}.i)
      ELSE (SELECT revision FROM owner o WHERE o.i = ${of}.i AND o.owner_no = ${of}.owner_no) END,
    ${removedRevision}::bigint)`;
};

const givenSql = (subjects: readonly RevisionKey[]) =>
  Prisma.sql`unnest(${subjects.map(({ instanceNumber }) => String(instanceNumber))}::bigint[], ${subjects.map(({ ownerNo }) => ownerNo)}::int[])
    AS given (i, owner_no)`;

const isAlive = Prisma.sql`process.id = subscription_lease.process_id AND process.lease_until > now()`;

/** Begins a lease, or one anew that has ended. */
export async function takeLease(sql: Sql, processId: string, ms: number): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO process (id, lease_until) VALUES (${processId}::uuid, now() + ${ms} * interval '1 millisecond')
    ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`;
}

/** False when the lease has ended before. */
export async function renewLease(sql: Sql, processId: string, ms: number): Promise<boolean> {
  const renewed = await sql.$executeRaw`
    UPDATE process SET lease_until = now() + ${ms} * interval '1 millisecond'
    WHERE id = ${processId}::uuid AND lease_until > now()`;
  return renewed === 1;
}

export async function endLease(sql: Sql, processId: string): Promise<void> {
  await sql.$executeRaw`DELETE FROM process WHERE id = ${processId}::uuid`;
}

/** Processes that ended without a word, this long ago. */
export async function removeExpiredLeases(sql: Sql, ms: number): Promise<void> {
  await sql.$executeRaw`DELETE FROM process WHERE lease_until < now() - ${ms} * interval '1 millisecond'`;
}

/** Saves that the process shows these subjects: from the commit on, writers wait for it. Returns their revisions. */
export const saveSubscriptions = (sql: Sql, processId: string, subjects: readonly RevisionKey[]): Promise<Revision[]> =>
  sql.$queryRaw<Revision[]>`
    INSERT INTO subscription_lease (i, owner_no, process_id, applied_revision)
    SELECT i, owner_no, ${processId}::uuid, ${revisionOf('given')} FROM ${givenSql(subjects)}
    ON CONFLICT (i, owner_no, process_id) DO UPDATE SET applied_revision = excluded.applied_revision
    RETURNING i AS "instanceNumber", owner_no AS "ownerNo", applied_revision AS revision`;

/** Restores subscriptions, lost with the lease, of memories that stayed visible: every change then notifies them. */
export async function restoreSubscriptions(
  sql: Sql,
  processId: string,
  subjects: readonly RevisionKey[],
): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO subscription_lease (i, owner_no, process_id, applied_revision)
    SELECT i, owner_no, ${processId}::uuid, -1 FROM ${givenSql(subjects)} ON CONFLICT DO NOTHING`;
}

export async function removeSubscriptions(
  sql: Sql,
  processId: string,
  subjects: readonly RevisionKey[],
): Promise<void> {
  await sql.$executeRaw`
    DELETE FROM subscription_lease USING ${givenSql(subjects)}
    WHERE subscription_lease.process_id = ${processId}::uuid AND subscription_lease.i = given.i AND subscription_lease.owner_no = given.owner_no`;
}

/** Removes the subscriptions of all processes to owners that are gone. */
export async function removeSubscriptionsOfOwners(
  sql: Sql,
  instanceNumber: bigint,
  ownerNos: readonly number[],
): Promise<void> {
  await sql.$executeRaw`DELETE FROM subscription_lease WHERE i = ${instanceNumber} AND owner_no = ANY(${ownerNos})`;
}

/** The revisions that rose, of what the process shows, since it last looked. */
export const readRaisedRevisions = (sql: Sql, processId: string): Promise<Revision[]> =>
  sql.$queryRaw<Revision[]>`
    SELECT * FROM (
      SELECT i AS "instanceNumber", owner_no AS "ownerNo", applied_revision, ${revisionOf('subscription_lease')} AS revision
      FROM subscription_lease WHERE process_id = ${processId}::uuid) AS shown
    WHERE applied_revision < revision`;

/** Records that the process shows nothing any more that ended with these revisions. */
export async function saveAppliedRevisions(sql: Sql, processId: string, applied: readonly Revision[]): Promise<void> {
  const revisions = applied.map(({ revision }) => String(revision));
  await sql.$executeRaw`
    UPDATE subscription_lease SET applied_revision = a.revision
    FROM unnest(${applied.map(({ instanceNumber }) => String(instanceNumber))}::bigint[], ${applied.map(({ ownerNo }) => ownerNo)}::int[],
      ${revisions}::bigint[]) AS a (i, owner_no, revision)
    WHERE subscription_lease.process_id = ${processId}::uuid AND subscription_lease.i = a.i AND subscription_lease.owner_no = a.owner_no`;
}

/** The living processes that show one of these as it was before. */
export const readLaggingProcesses = (
  sql: Sql,
  instanceNumber: bigint,
  ownerNos: readonly number[],
): Promise<LaggingProcess[]> =>
  sql.$queryRaw<LaggingProcess[]>`
    SELECT * FROM (
      SELECT subscription_lease.process_id AS "processId", owner_no AS "ownerNo", applied_revision,
        ${revisionOf('subscription_lease')} AS revision
      FROM subscription_lease JOIN process ON ${isAlive}
      WHERE subscription_lease.owner_no = ANY(${ownerNos}) AND subscription_lease.i = ${instanceNumber}) AS shown
    WHERE applied_revision < revision`;

/** Reads which of the lagging processes still lag. */
export const readStillLagging = (
  sql: Sql,
  instanceNumber: bigint,
  lagging: readonly LaggingProcess[],
): Promise<LaggingProcess[]> =>
  sql.$queryRaw<LaggingProcess[]>`
    SELECT l.process_id AS "processId", l.owner_no AS "ownerNo", l.revision
    FROM unnest(${lagging.map(({ processId }) => processId)}::uuid[], ${lagging.map(({ ownerNo }) => ownerNo)}::int[],
      ${lagging.map(({ revision }) => String(revision))}::bigint[]) AS l (process_id, owner_no, revision)
    JOIN subscription_lease ON subscription_lease.process_id = l.process_id AND subscription_lease.owner_no = l.owner_no
      AND subscription_lease.applied_revision < l.revision
    JOIN process ON ${isAlive}
    WHERE subscription_lease.i = ${instanceNumber}`;
