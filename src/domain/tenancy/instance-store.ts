import type { Sql, Tx } from '../../db/database.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxTotalCount, type KeysetPosition, type KeysetQuery } from '../pagination.ts';
import { recordRevisions, type WriteTx } from '../invalidation/write-transaction.ts';
import { instanceOwnerNo } from '../invalidation/invalidation.ts';
import {
  instanceIdOf,
  instanceNumberOf,
  instanceIdFromUuid,
  instanceUuid,
  parseInstanceId,
  type InstanceId,
} from '../ids.ts';
import { afterOperatorSql, keysetArguments, countRowsPerParent, directionSql } from './keyset-store.ts';
import type { WrappedKey } from '../sealing/key-vault.ts';
import type { InstanceFilter, InstanceRecord, InstanceState } from './instance.ts';
import { hourMs } from '../time.ts';

/**
 * The row that an access is made from: the instance, whether it and its client are active, and its wrapped data key.
 */
export interface InstanceRow {
  readonly instanceNumber: bigint;
  readonly clientId: string;
  readonly region: string;
  readonly dataKey: Uint8Array<ArrayBuffer>;
  readonly masterKeyId: string;
  readonly instanceState: string;
  readonly clientState: string;
  readonly configurationVersion: number;
  readonly instanceRevision: bigint;
  readonly eventTypes: readonly string[];
}

/** The interval of retention sweeps. */
const sweepEveryMs = hourMs;

/** The columns of an `InstanceRow`, from an instance `i` and its client `c`. */
export const instanceColumns = Prisma.sql`
  i.i AS "instanceNumber", i.client_id AS "clientId", i.region, i.data_key AS "dataKey", i.master_key_id AS "masterKeyId", i.state AS "instanceState", c.state AS "clientState",
  i.active_version AS "configurationVersion", i.revision AS "instanceRevision", i.event_types AS "eventTypes"`;

/** Undefined when there is none. */
export async function findInstance(sql: Sql, instanceNumber: bigint): Promise<InstanceRow | undefined> {
  const rows = await sql.$queryRaw<InstanceRow[]>`
    SELECT ${instanceColumns} FROM instance i JOIN client c ON c.id = i.client_id WHERE i.i = ${instanceNumber}`;
  return rows[0];
}

/** An instance about to be stored. */
export interface NewInstance {
  readonly id: InstanceId;
  readonly clientId: string;
  readonly name: string;
  readonly region: string;
  readonly state: InstanceState;
  readonly dataKey: WrappedKey;
  readonly createdAt: Date;
}

export async function saveInstance(tx: Tx, { id, dataKey, ...instance }: NewInstance): Promise<InstanceRecord> {
  const { bytes, masterKeyId } = dataKey;
  const nextSweepAt = new Date(instance.createdAt.getTime() + sweepEveryMs);
  const data = { ...instance, dataKey: bytes, masterKeyId, nextSweepAt, instanceNumber: instanceNumberOf(id) };
  return fromRow(await tx.instance.create({ data }));
}

/** The instance as it is shown; null when there is none. */
export async function readInstanceRecord(sql: Sql, instanceNumber: bigint): Promise<InstanceRecord | null> {
  const row = await sql.instance.findUnique({ where: { instanceNumber } });
  return row && fromRow(row);
}

const fits = ({ clientId, state }: InstanceFilter) => ({
  ...(clientId ? { clientId } : {}),
  ...(state ? { state } : {}),
});

/** A page of instances by their time of creation. */
export async function listInstanceRecords(
  sql: Sql,
  filter: InstanceFilter,
  { after, ...rest }: KeysetQuery,
): Promise<InstanceRecord[]> {
  const keysetQuery = { ...rest, after: after && numbered(after) };
  const rows = await sql.instance.findMany(keysetArguments(keysetQuery, fits(filter), 'instanceNumber'));
  return rows.map(fromRow);
}

/** At most one more than `maxTotalCount`. */
export const countInstanceRecords = (sql: Sql, filter: InstanceFilter): Promise<number> =>
  sql.instance.count({ where: fits(filter), take: maxTotalCount + 1 });

/** An instance's number stands where others have a UUID. */
export const keysetPositionOfInstance = ({
  id,
  createdAt,
}: Pick<InstanceRecord, 'id' | 'createdAt'>): KeysetPosition => ({
  at: createdAt,
  id: instanceUuid(parseInstanceId(id)),
});
const numbered = ({ at, id }: KeysetPosition) => ({ at, id: instanceNumberOf(instanceIdFromUuid(id)) });

const givenClients = (ids: readonly string[]) => Prisma.sql`unnest(${ids}::text[]) WITH ORDINALITY AS given (id, n)`;

/** A page of the instances of each client; `n`: the number of the client in the list, from 1. */
export async function instancesOf(
  sql: Sql,
  clientIds: readonly string[],
  { direction, after, limit }: KeysetQuery,
): Promise<(InstanceRecord & { n: number })[]> {
  const last = after && numbered(after);
  const rest = last
    ? Prisma.sql`AND (v.created_at, v.i) ${afterOperatorSql(direction)} (${last.at}, ${last.id})`
    : Prisma.empty;
  const towards = directionSql(direction);
  const rows = await sql.$queryRaw<(RecordRow & { n: number })[]>`
    SELECT given.n::int, v.i AS "instanceNumber", v.client_id AS "clientId", v.name, v.region, v.state, v.active_version AS "activeVersion",
      v.created_at AS "createdAt"
    FROM ${givenClients(clientIds)} CROSS JOIN LATERAL (
      SELECT * FROM instance v WHERE v.client_id = given.id ${rest}
      ORDER BY v.created_at ${towards}, v.i ${towards} LIMIT ${limit}) AS v
    ORDER BY given.n, v.created_at ${towards}, v.i ${towards}`;
  return rows.map((row) => ({ ...fromRow(row), n: row.n }));
}

/** Counts the instances of each client, each count at most one more than `maxTotalCount`. */
export const countInstancesOf = (sql: Sql, clientIds: readonly string[]): Promise<number[]> =>
  countRowsPerParent(sql, givenClients(clientIds), 'instance', [Prisma.sql`instance.client_id = given.id`]);

/** The instance; nobody else changes it before the transaction ends. Null when there is none. */
export async function lockInstance(tx: Tx, instanceNumber: bigint): Promise<InstanceRecord | null> {
  await tx.$queryRaw`SELECT 1 FROM instance WHERE i = ${instanceNumber} FOR UPDATE`;
  return readInstanceRecord(tx, instanceNumber);
}

/**
 * Raises the revision of an instance in the transaction that changes what its credentials open: a key, a state, the
 * configuration, the events that are told.
 */
export const bumpInstanceRevision = (tx: WriteTx, instanceNumber: bigint): Promise<void> =>
  revise(tx, Prisma.sql`i = ${instanceNumber}`);

export const bumpInstanceRevisionsOf = (tx: WriteTx, clientId: string): Promise<void> =>
  revise(tx, Prisma.sql`client_id = ${clientId}`);

async function revise(tx: WriteTx, which: Prisma.Sql): Promise<void> {
  const revised = await tx.$queryRaw<{ instanceNumber: bigint; revision: bigint }[]>`
    UPDATE instance SET revision = revision + 1 WHERE ${which} RETURNING i AS "instanceNumber", revision`;
  recordRevisions(tx, ...revised.map((each) => ({ ...each, ownerNo: instanceOwnerNo })));
}

export async function saveInstanceChange(
  tx: WriteTx,
  instanceNumber: bigint,
  change: { name?: string; state?: InstanceState },
): Promise<InstanceRecord> {
  if (change.state) await bumpInstanceRevision(tx, instanceNumber);
  return fromRow(await tx.instance.update({ where: { instanceNumber }, data: change }));
}

/** Ends an instance for good, as far as its own row goes: what its data key sealed opens no more, its name is gone. */
export async function savePurged(tx: WriteTx, instanceNumber: bigint): Promise<InstanceRecord> {
  await bumpInstanceRevision(tx, instanceNumber);
  const data = { state: 'purged', name: '', dataKey: new Uint8Array(), masterKeyId: '' };
  return fromRow(await tx.instance.update({ where: { instanceNumber }, data }));
}

/** The version in force; nobody puts another in force before the transaction ends. Throws when there is no instance. */
export async function lockActiveVersion(tx: Tx, instanceNumber: bigint): Promise<number> {
  const rows = await tx.$queryRaw<{ version: number }[]>`
    SELECT active_version AS version FROM instance WHERE i = ${instanceNumber} FOR UPDATE`;
  return rows[0]!.version;
}

/** Keeps which types of events an active webhook subscribes to. */
export async function saveEventTypes(
  tx: WriteTx,
  instanceNumber: bigint,
  eventTypes: readonly string[],
): Promise<void> {
  await bumpInstanceRevision(tx, instanceNumber);
  await tx.instance.update({ where: { instanceNumber }, data: { eventTypes: [...eventTypes] } });
}

export async function saveActiveVersion(tx: WriteTx, instanceNumber: bigint, activeVersion: number): Promise<void> {
  await bumpInstanceRevision(tx, instanceNumber);
  await tx.instance.update({ where: { instanceNumber }, data: { activeVersion } });
}

/** Instances whose data key another master key wraps than this, in the order of their numbers. */
export async function findInstancesOfOtherMasterKeys(
  sql: Sql,
  { than, after, limit }: { than: string; after: bigint | null; limit: number },
): Promise<{ instanceNumber: bigint; dataKey: WrappedKey }[]> {
  const rows = await sql.instance.findMany({
    where: {
      masterKeyId: { not: than },
      state: { not: 'purged' },
      ...(after === null ? {} : { instanceNumber: { gt: after } }),
    },
    select: { instanceNumber: true, dataKey: true, masterKeyId: true },
    orderBy: { instanceNumber: 'asc' },
    take: limit,
  });
  return rows.map(({ instanceNumber, dataKey, masterKeyId }) => ({
    instanceNumber,
    dataKey: { bytes: dataKey, masterKeyId },
  }));
}

/** Reads the ids of the master keys that wrap a data key. */
export async function findMasterKeyIds(sql: Sql): Promise<string[]> {
  const rows = await sql.instance.findMany({
    where: { state: { not: 'purged' } },
    select: { masterKeyId: true },
    distinct: ['masterKeyId'],
    orderBy: { masterKeyId: 'asc' },
  });
  return rows.map(({ masterKeyId }) => masterKeyId);
}

/** False when it is not as it was `before`: then nothing changed. */
export async function replaceWrappedKey(
  sql: Sql,
  instanceNumber: bigint,
  { before, now }: { before: WrappedKey; now: WrappedKey },
): Promise<boolean> {
  const { count } = await sql.instance.updateMany({
    where: { instanceNumber, dataKey: before.bytes },
    data: { dataKey: now.bytes, masterKeyId: now.masterKeyId },
  });
  return count === 1;
}

/** Counts the data keys that this master key wraps, and all that there are. */
export async function countInstancesOfMasterKey(
  sql: Sql,
  masterKeyId: string,
): Promise<{ done: number; total: number }> {
  const kept = { state: { not: 'purged' } };
  const done = await sql.instance.count({ where: { ...kept, masterKeyId } });
  return { done, total: await sql.instance.count({ where: kept }) };
}

/** At most `limit` instances whose sweep is due; due again in an hour. Each is told to one process alone. */
export async function claimDueSweeps(tx: Tx, now: Date, limit: number): Promise<bigint[]> {
  const next = new Date(now.getTime() + sweepEveryMs);
  const rows = await tx.$queryRaw<{ instanceNumber: bigint }[]>`
    UPDATE instance SET next_sweep_at = ${next}
    WHERE i IN (
      SELECT i FROM instance WHERE state IN ('active', 'suspended', 'archived') AND next_sweep_at <= ${now}
      ORDER BY next_sweep_at, i LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING i AS "instanceNumber"`;
  return rows.map(({ instanceNumber }) => instanceNumber);
}

export const countInstances = (sql: Sql): Promise<number> => sql.instance.count();

/** Throws when there is none. */
export async function oldestInstance(sql: Sql): Promise<InstanceId> {
  const { instanceNumber } = await sql.instance.findFirstOrThrow({
    orderBy: { createdAt: 'asc' },
    select: { instanceNumber: true },
  });
  return instanceIdOf(instanceNumber);
}

type Row = NonNullable<Awaited<ReturnType<Tx['instance']['findUnique']>>>;
type RecordRow = Pick<Row, 'instanceNumber' | 'clientId' | 'name' | 'region' | 'state' | 'activeVersion' | 'createdAt'>;

const fromRow = (row: RecordRow): InstanceRecord => ({
  id: instanceIdOf(row.instanceNumber),
  clientId: row.clientId,
  name: row.name,
  region: row.region,
  state: row.state as InstanceState,
  activeVersion: row.activeVersion,
  createdAt: row.createdAt,
});
