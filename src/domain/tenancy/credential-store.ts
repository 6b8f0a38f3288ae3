import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { toPublicId } from '../ids.ts';
import { keysetArguments } from './keyset-store.ts';
import type { Access } from './access.ts';
import { hashSecret } from './credentials.ts';
import { instanceColumns, bumpInstanceRevision, type InstanceRow } from './instance-store.ts';
import type { KeyRecord } from './credential.ts';
import type { Rate } from './rate.ts';

/** The row of a key with its instance, from one indexed read. */
export interface KeyRow extends InstanceRow {
  readonly keyId: string;
  readonly revokedAt: Date | null;
  /** Null, both: the usual rate. */
  readonly requestsPerMinute: number | null;
  readonly burst: number | null;
}

/** The columns of a `KeyRow`, from a key `k`, its instance `i` and the client `c` of that. */
export const keyColumns = Prisma.sql`k.id AS "keyId", k.revoked_at AS "revokedAt",
  k.requests_per_minute AS "requestsPerMinute", k.burst, ${instanceColumns}`;

/** The key of this hash, whether it still opens something or not. */
export async function findKey(sql: Sql, hash: Uint8Array): Promise<KeyRow | undefined> {
  const rows = await sql.$queryRaw<KeyRow[]>`
    SELECT ${keyColumns}
    FROM api_key k JOIN instance i ON i.i = k.i JOIN client c ON c.id = i.client_id
    WHERE k.hash = ${hash}`;
  return rows[0];
}

/** Finds a key by its UUID within the instance. */
export async function findKeyById(sql: Sql, instanceNumber: bigint, keyId: string): Promise<KeyRow | undefined> {
  const rows = await sql.$queryRaw<KeyRow[]>`
    SELECT ${keyColumns}
    FROM api_key k JOIN instance i ON i.i = k.i JOIN client c ON c.id = i.client_id
    WHERE k.id = ${keyId}::uuid AND k.i = ${instanceNumber}`;
  return rows[0];
}

/** Stores a key of the instance; of the key itself only the hash and the last characters. */
export async function saveKey(
  tx: Tx,
  access: Access,
  {
    id,
    secret,
    label,
    rate,
    at,
  }: { id: string; secret: string; label: string | null; rate?: Rate | undefined; at: Date },
): Promise<KeyRecord> {
  const row = await tx.apiKey.create({
    data: {
      id,
      instanceNumber: access.instanceNumber,
      hash: hashSecret(secret),
      last4: secret.slice(-4),
      label: label === null ? null : access.keys.seal('api_key.label', id, label),
      ...columnsOf(rate ?? null),
      createdAt: at,
    },
  });
  return fromRow(access, row);
}

/** Reads a key by UUID; null when the instance has none. */
export async function readKey(tx: Tx, access: Access, id: string): Promise<KeyRecord | null> {
  const row = await tx.apiKey.findFirst({ where: { id, instanceNumber: access.instanceNumber } });
  return row && fromRow(access, row);
}

/** A page of keys by their time of creation, revoked ones too. */
export async function readKeyRows(sql: Sql, access: Access, keysetQuery: KeysetQuery): Promise<KeyRecord[]> {
  const { instanceNumber } = access;
  const rows = await sql.apiKey.findMany(keysetArguments(keysetQuery, { instanceNumber }));
  return rows.map((row) => fromRow(access, row));
}

/** At most one more than `maxTotalCount`. */
export const countKeys = (sql: Sql, { instanceNumber }: Access): Promise<number> =>
  sql.apiKey.count({ where: { instanceNumber }, take: maxTotalCount + 1 });

export const saveRevocation = (tx: WriteTx, access: Access, id: string, revokedAt: Date): Promise<KeyRecord> =>
  update(tx, access, id, { revokedAt });

/** Null: the usual rate. */
export const saveRate = (tx: WriteTx, access: Access, id: string, rate: Rate | null): Promise<KeyRecord> =>
  update(tx, access, id, columnsOf(rate));

async function update(tx: WriteTx, access: Access, id: string, data: Partial<Row>): Promise<KeyRecord> {
  await bumpInstanceRevision(tx, access.instanceNumber);
  return fromRow(access, await tx.apiKey.update({ where: { id, instanceNumber: access.instanceNumber }, data }));
}

const columnsOf = (rate: Rate | null) => ({ requestsPerMinute: rate?.perMinute ?? null, burst: rate?.burst ?? null });

type Row = NonNullable<Awaited<ReturnType<Tx['apiKey']['findUnique']>>>;

const fromRow = ({ keys }: Access, row: Row): KeyRecord => ({
  id: toPublicId('key', row.id),
  label: row.label && keys.open('api_key.label', row.id, row.label),
  last4: row.last4,
  requestsPerMinute: row.requestsPerMinute,
  burst: row.burst,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  revokedAt: row.revokedAt,
});

/** Keys were used at this time, or a moment before. */
export const markKeysUsed = (sql: Sql, ids: readonly string[], at: Date) =>
  sql.apiKey.updateMany({ where: { id: { in: [...ids] } }, data: { lastUsedAt: at } });
