import { transaction, type Db } from '../../db/database.ts';
import { saveFirstConfiguration } from '../configurations/store.ts';
import { pageOf, placeOf, type Page, type PageRequest, type Place } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { instanceNumber, instanceOfUuid, instanceUuid, newInstanceId, parseInstanceId } from '../ids.ts';
import type { KeyRing } from '../sealing/key-ring.ts';
import type { Access } from '../tenancy/access.ts';
import { mayChange, type Admin } from '../tenancy/authenticate.ts';
import { firstClient, listInstanceRecords, readInstanceRecord, saveInstance } from '../tenancy/instance-store.ts';
import type { InstanceRecord } from '../tenancy/instance.ts';
import { saveAudit } from './store.ts';

/** What administration needs. */
export interface Administering {
  readonly db: Db;
  readonly keyRing: KeyRing;
  readonly region: string;
  readonly keyPrefix: string;
  readonly now: () => Date;
}

/** The client of whoever runs this service for themselves. */
const ownClient = 'Own use';

/** Makes an instance with its data key and version 1 of its configuration, within the first client. */
export async function createInstance(
  d: Administering,
  admin: Admin,
  { name }: { name: string },
): Promise<InstanceRecord> {
  mayChange(admin);
  const id = newInstanceId();
  const dataKey = await d.keyRing.newDataKey(id);
  const keys = await d.keyRing.keysOf(id, dataKey);
  const at = d.now();
  return transaction(d.db, async (tx) => {
    const clientId = await firstClient(tx, ownClient);
    const instance = await saveInstance(tx, { id, clientId, name, region: d.region, dataKey, createdAt: at });
    const i = instanceNumber(id);
    await saveFirstConfiguration(tx, { i, id, keys });
    await saveAudit(tx, { i, keys }, { actor: admin, action: 'instance.create', target: id, at, after: { name } });
    return instance;
  });
}

/** Throws `not_found`. */
export async function readInstance(db: Db, access: Access): Promise<InstanceRecord> {
  const instance = await readInstanceRecord(db, access.i);
  if (!instance) throw notFound('instance');
  return instance;
}

/** Newest first. */
export async function listInstances(db: Db, { limit, cursor }: PageRequest): Promise<Page<InstanceRecord>> {
  const after = cursor ? numbered(placeOf(cursor)) : undefined;
  return pageOf(await listInstanceRecords(db, { limit: limit + 1, after }), limit, placeOfInstance);
}

/** An instance's number stands where others have a UUID. */
export const placeOfInstance = ({ id, createdAt }: Pick<InstanceRecord, 'id' | 'createdAt'>): Place => ({
  at: createdAt,
  id: instanceUuid(parseInstanceId(id)),
});
const numbered = ({ at, id }: Place) => ({ at, i: instanceNumber(instanceOfUuid(id)) });
