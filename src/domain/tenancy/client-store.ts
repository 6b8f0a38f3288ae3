import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetPosition, type KeysetQuery } from '../pagination.ts';
import { keysetArguments } from './keyset-store.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { newClientId, type ClientId } from '../ids.ts';
import type { ClientRecord, ClientState } from './client.ts';
import { bumpInstanceRevisionsOf } from './instance-store.ts';

/** The first client that is active; made, with this name, when there is none. */
export async function findOrCreateFirstClient(tx: Tx, name: string): Promise<ClientId> {
  const existing = await tx.client.findFirst({
    where: { state: 'active' },
    orderBy: { createdAt: 'asc' },
    select: { id: true },
  });
  return (existing?.id ?? (await tx.client.create({ data: { id: newClientId(), name } })).id) as ClientId;
}

export const saveClient = async (tx: Tx, client: { id: ClientId; name: string; createdAt: Date }) =>
  fromRow(await tx.client.create({ data: client }));

/** Null when there is none. */
export async function readClientRecord(sql: Sql, id: ClientId): Promise<ClientRecord | null> {
  const row = await sql.client.findUnique({ where: { id } });
  return row && fromRow(row);
}

/** Finds clients by id, in no order; unknown ids are left out. */
export async function findClients(sql: Sql, ids: readonly string[]): Promise<ClientRecord[]> {
  return (await sql.client.findMany({ where: { id: { in: [...ids] } } })).map(fromRow);
}

/** The client; nobody else changes it before the transaction ends. */
export async function lockClient(tx: Tx, id: ClientId): Promise<ClientRecord | null> {
  await tx.$queryRaw`SELECT 1 FROM client WHERE id = ${id} FOR UPDATE`;
  return readClientRecord(tx, id);
}

export interface ClientFilter {
  readonly id?: string | undefined;
  readonly state?: ClientState | undefined;
}

const fits = ({ id, state }: ClientFilter) => ({ ...(id ? { id } : {}), ...(state ? { state } : {}) });

/** A page of clients by their time of creation. */
export async function listClientRecords(
  sql: Sql,
  filter: ClientFilter,
  { after, ...rest }: KeysetQuery,
): Promise<ClientRecord[]> {
  const keysetQuery = { ...rest, after: after && clientAtPlace(after) };
  const rows = await sql.client.findMany(keysetArguments(keysetQuery, fits(filter)));
  return rows.map(fromRow);
}

/** At most one more than `maxTotalCount`. */
export const countClientRecords = (sql: Sql, filter: ClientFilter): Promise<number> =>
  sql.client.count({ where: fits(filter), take: maxTotalCount + 1 });

export async function saveClientChange(
  tx: WriteTx,
  id: ClientId,
  change: { name?: string; state?: ClientState },
): Promise<ClientRecord> {
  if (change.state) await bumpInstanceRevisionsOf(tx, id);
  return fromRow(await tx.client.update({ where: { id }, data: change }));
}

/** Counts the instances of the client that are not purged. */
export const countLivingInstances = (tx: Tx, clientId: ClientId): Promise<number> =>
  tx.instance.count({ where: { clientId, state: { not: 'purged' } } });

const fromRow = (row: { id: string; name: string; state: string; createdAt: Date }): ClientRecord => ({
  ...row,
  state: row.state as ClientState,
});

/** A client's 16 digits stand where others have a UUID: that is what a cursor holds. */
export const keysetPositionOfClient = ({ id, createdAt }: Pick<ClientRecord, 'id' | 'createdAt'>): KeysetPosition => ({
  at: createdAt,
  id: `00000000-0000-0000-${id.slice(4, 8)}-${id.slice(8)}`,
});
const clientAtPlace = ({ at, id }: KeysetPosition): { at: Date; id: ClientId } => ({
  at,
  id: `cli_${id.replaceAll('-', '').slice(16)}`,
});
