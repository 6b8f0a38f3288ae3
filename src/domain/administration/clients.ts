import { transaction, type Db, type Tx } from '../../db/database.ts';
import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { DomainError, notFoundError } from '../errors.ts';
import { writeTransaction } from '../invalidation/write-transaction.ts';
import { newClientId, parseClientId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { ClientRecord, ClientState } from '../tenancy/client.ts';
import {
  countLivingInstances,
  findClients,
  listClientRecords,
  type ClientFilter,
  lockClient,
  keysetPositionOfClient,
  readClientRecord,
  saveClient,
  saveClientChange,
} from '../tenancy/client-store.ts';
import type { Admin } from '../tenancy/access.ts';
import { removeInvitationsOfClient } from '../tenancy/dashboard-link-store.ts';
import { removeMembershipsOfClient } from '../tenancy/dashboard-user-store.ts';
import { serviceKeys } from '../tenancy/service-key-store.ts';
import type { AdministrationDependencies } from './instances.ts';
import { nextClientState, type ClientEvent } from './state-machines.ts';
import { eraseAuditContents, saveAudit } from './audit-store.ts';

export async function createClient(
  deps: AdministrationDependencies,
  admin: Admin,
  { name }: { name: string },
): Promise<ClientRecord> {
  const [keys, at] = [await serviceKeys(deps), deps.now()];
  return transaction(deps.db, (tx) => createClientWithin(tx, admin, { name, keys, at }));
}

/** Makes a client within a transaction; the keys are the service's. */
export async function createClientWithin(
  tx: Tx,
  admin: Admin,
  { name, keys, at }: { name: string; keys: InstanceKeys; at: Date },
): Promise<ClientRecord> {
  const id = newClientId();
  const client = await saveClient(tx, { id, name, createdAt: at });
  const entry = { actor: admin, action: 'client.create', target: id, at, after: { name } };
  await saveAudit(tx, { clientId: id, keys }, entry);
  return client;
}

/** Throws `not_found`. */
export async function readClient(db: Db, id: string): Promise<ClientRecord> {
  const client = await readClientRecord(db, parseClientId(id));
  if (!client) throw notFoundError('client');
  return client;
}

/** In the order of the ids; null where there is none. */
export async function clientsByIds(db: Db, ids: readonly string[]): Promise<(ClientRecord | null)[]> {
  const byId = new Map((await findClients(db, ids)).map((client) => [client.id, client]));
  return ids.map((id) => byId.get(id) ?? null);
}

export async function listClients(db: Db, filter: ClientFilter, request: PageRequest): Promise<Page<ClientRecord>> {
  const keysetQuery = parsePageRequest('clients', request);
  return pageFromRows(await listClientRecords(db, filter, keysetQuery), keysetQuery, keysetPositionOfClient);
}

/** Throws `not_found`, and `conflict` when the client is purged. */
export async function renameClient(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, name }: { id: string; name: string },
): Promise<ClientRecord> {
  return change(deps, admin, { id, action: 'client.rename' }, async (_, before) => {
    if (before.state === 'purged') throw new DomainError('conflict', 'this client is purged');
    return { name };
  });
}

/**
 * Moves the client through its states; a purge takes its name, and what its audit says of it. Throws `not_found`, and
 * `conflict` for an event that its state does not know, and for a purge while it has instances.
 */
export async function changeClientState(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, event }: { id: string; event: ClientEvent },
): Promise<ClientRecord> {
  return change(deps, admin, { id, action: `client.${event}` }, async (tx, before) => {
    const state = nextClientState(before.state, event);
    if (event !== 'purge') return { state };
    if (await countLivingInstances(tx, parseClientId(id))) {
      throw new DomainError('conflict', 'this client has instances; purge them first');
    }
    return { state, name: '' };
  });
}

/** The change, under the lock of the row, with its audit row. */
async function change(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, action }: { id: string; action: string },
  decide: (tx: Tx, before: ClientRecord) => Promise<{ name?: string; state?: ClientState }>,
): Promise<ClientRecord> {
  const clientId = parseClientId(id);
  const keys = await serviceKeys(deps);
  return writeTransaction(deps, async (tx) => {
    const before = await lockClient(tx, clientId);
    if (!before) throw notFoundError('client');
    const after = await saveClientChange(tx, clientId, await decide(tx, before));
    const fields = { before: fieldsOf(before), after: fieldsOf(after) };
    await saveAudit(tx, { clientId, keys }, { actor: admin, action, target: id, at: deps.now(), ...fields });
    if (after.state === 'purged') {
      await eraseAuditContents(tx, { clientId });
      await removeMembershipsOfClient(tx, clientId);
      await removeInvitationsOfClient(tx, clientId);
    }
    return after;
  });
}

const fieldsOf = ({ name, state }: ClientRecord) => ({ name, state });
