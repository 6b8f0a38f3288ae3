import { transaction, type Db, type Tx } from '../../db/database.ts';
import { saveFirstConfiguration } from '../configurations/configuration-store.ts';
import { pageFromRows, pagesFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { writeTransaction, type WriteDependencies } from '../invalidation/write-transaction.ts';
import { instanceNumberOf, newInstanceId, parseClientId, parseInstanceId, type ClientId } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { Access, Admin } from '../tenancy/access.ts';
import { accessAsAdmin } from '../tenancy/authenticate.ts';
import { findOrCreateFirstClient, lockClient } from '../tenancy/client-store.ts';
import {
  listInstanceRecords,
  lockInstance,
  instancesOf,
  keysetPositionOfInstance,
  readInstanceRecord,
  saveInstance,
  saveInstanceChange,
  type NewInstance,
} from '../tenancy/instance-store.ts';
import type { InstanceFilter, InstanceRecord, InstanceState } from '../tenancy/instance.ts';
import { nextInstanceState, type InstanceEvent } from './state-machines.ts';
import { saveAudit, saveInstanceAudit } from './audit-store.ts';

export interface AdministrationDependencies extends WriteDependencies {
  readonly keyRing: KeyRing;
  readonly region: string;
  readonly keyPrefix: string;
  readonly now: () => Date;
}

/** The client of whoever runs this service for themselves. */
const ownClient = 'Own use';

/**
 * Makes an instance with its data key and version 1 of its configuration, of the given client or else the first. Throws
 * `invalid_input` when there is no such client, `conflict` when it is not active.
 */
export async function createInstance(
  deps: AdministrationDependencies,
  admin: Admin,
  { name, clientId }: { name: string; clientId?: string | undefined },
): Promise<InstanceRecord> {
  const [prepared, at] = [await prepareInstance(deps), deps.now()];
  return transaction(deps.db, async (tx) => {
    const client =
      clientId === undefined ? await findOrCreateFirstClient(tx, ownClient) : await lockActiveClient(tx, clientId);
    return createInstanceWithin(tx, admin, { ...prepared, name, clientId: client, state: 'active', createdAt: at });
  });
}

/** Makes the keys of an instance about to be stored: no transaction may wait for the key vault. */
export async function prepareInstance({ keyRing, region }: Pick<AdministrationDependencies, 'keyRing' | 'region'>) {
  const id = newInstanceId();
  const dataKey = await keyRing.newDataKey(id);
  return { id, region, dataKey, keys: await keyRing.keysOf(id, dataKey) };
}

/** Makes an instance with version 1 of its configuration within a transaction, in which its client is locked. */
export async function createInstanceWithin(
  tx: Tx,
  admin: Admin,
  { keys, ...instance }: NewInstance & { keys: InstanceKeys },
): Promise<InstanceRecord> {
  const { id, name, createdAt: at } = instance;
  const record = await saveInstance(tx, instance);
  const of = { instanceNumber: instanceNumberOf(id), keys };
  await saveFirstConfiguration(tx, { ...of, id });
  await saveAudit(tx, of, { actor: admin, action: 'instance.create', target: id, at, after: { name } });
  return record;
}

/** Held as it is until the transaction ends: it is not purged under its new instance. */
export async function lockActiveClient(tx: Tx, id: string): Promise<ClientId> {
  const isShaped = /^cli_[0-9a-f]{16}$/.test(id);
  const client = isShaped ? await lockClient(tx, parseClientId(id)) : null;
  if (!client) throw invalidInputError('client_id', 'is not the id of a client');
  if (client.state !== 'active') throw new DomainError('conflict', `this client is ${client.state}`);
  return client.id as ClientId;
}

/** Throws `not_found`. */
export async function readInstance(
  db: Db,
  { instanceNumber }: Pick<Access, 'instanceNumber'>,
): Promise<InstanceRecord> {
  const instance = await readInstanceRecord(db, instanceNumber);
  if (!instance) throw notFoundError('instance');
  return instance;
}

/** Lists the instances that match every given filter. */
export async function listInstances(
  db: Db,
  filter: InstanceFilter,
  request: PageRequest,
): Promise<Page<InstanceRecord>> {
  const keysetQuery = parsePageRequest('instances', request);
  return pageFromRows(await listInstanceRecords(db, filter, keysetQuery), keysetQuery, keysetPositionOfInstance);
}

/** A page of the instances of each of these clients. */
export async function listInstancesOf(
  db: Db,
  clientIds: readonly string[],
  request: PageRequest,
): Promise<Page<InstanceRecord>[]> {
  const keysetQuery = parsePageRequest('instances', request);
  const rows = await instancesOf(db, clientIds, keysetQuery);
  return pagesFromRows(rows, clientIds.length, keysetQuery, keysetPositionOfInstance);
}

/** Throws `not_found`. */
export async function renameInstance(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, name }: { id: string; name: string },
): Promise<InstanceRecord> {
  return change(deps, admin, { id, action: 'instance.rename' }, () => ({ name }));
}

/**
 * Changes the state of the instance: in any but `active` its keys are refused, from their next call and for
 * streams that are open. Throws `not_found`, and `conflict` for an event that its state does not know.
 */
export async function changeInstanceState(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, event }: { id: string; event: Exclude<InstanceEvent, 'purge'> },
): Promise<InstanceRecord> {
  return change(deps, admin, { id, action: `instance.${event}` }, ({ state }) => ({
    state: nextInstanceState(state, event),
  }));
}

/** The change, under the lock of the row, with its audit row. */
async function change(
  deps: AdministrationDependencies,
  admin: Admin,
  { id, action }: { id: string; action: string },
  decide: (before: InstanceRecord) => { name?: string; state?: InstanceState },
): Promise<InstanceRecord> {
  const access = await accessAsAdmin(deps, admin, parseInstanceId(id));
  return writeTransaction(deps, async (tx) => {
    const before = await lockInstance(tx, access.instanceNumber);
    if (!before || before.state === 'purged') throw notFoundError('instance');
    const after = await saveInstanceChange(tx, access.instanceNumber, decide(before));
    const entry = { action, target: id, at: deps.now(), before: fieldsOf(before), after: fieldsOf(after) };
    await saveInstanceAudit(tx, access, entry);
    return after;
  });
}

const fieldsOf = ({ name, state }: InstanceRecord) => ({ name, state });
