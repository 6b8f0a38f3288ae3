import { transaction } from '../../db/database.ts';
import { notFound } from '../errors.ts';
import { parseInstanceId } from '../ids.ts';
import type { Admin } from '../tenancy/access.ts';
import { accessAsAdmin } from '../tenancy/authenticate.ts';
import { destroyDataKey, lockInstance } from '../tenancy/instance-store.ts';
import type { InstanceRecord } from '../tenancy/instance.ts';
import { requireRole } from '../tenancy/roles.ts';
import { instanceTransitions } from './instance-states.ts';
import type { Administering } from './instances.ts';
import { nextState } from './next-state.ts';
import { countRowsIn, removeRows, tablesOfInstances } from './purge-store.ts';
import { saveAudit } from './store.ts';

/** Rows a statement: neighbours are served between two of them. */
const batch = 2_000;
/** A call that was under way when the instance was purged may still write: then what it wrote is removed too. */
const rounds = 5;

/** How many rows went from each table, and what each still held when it was read back. */
export interface Purge {
  readonly instance: InstanceRecord;
  readonly removed: Readonly<Record<string, number>>;
  readonly remaining: Readonly<Record<string, number>>;
}

/**
 * Ends an archived instance for good: its data key is destroyed in the transaction that marks it, so nothing sealed can be
 * opened from then on; then its rows go, table by table. Throws `not_found`, and `conflict` when it is not archived.
 */
export async function purgeInstance(d: Administering, admin: Admin, id: string): Promise<Purge> {
  requireRole(admin, 'owner');
  const access = await accessAsAdmin(d, admin, parseInstanceId(id));
  const instance = await transaction(d.db, async (tx) => {
    const before = await lockInstance(tx, access.i);
    if (!before) throw notFound('instance');
    nextState(instanceTransitions, { what: 'instance', state: before.state, event: 'purge' });
    await saveAudit(tx, access, { actor: admin, action: 'instance.purge', target: id, at: d.now() });
    return destroyDataKey(tx, access.i);
  });
  const tables = await tablesOfInstances(d.db);
  const removed: Record<string, number> = {};
  let remaining: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    for (const table of tables) {
      for (let went = batch; went === batch;) {
        went = await removeRows(d.db, table, access.i, batch);
        removed[table] = (removed[table] ?? 0) + went;
      }
    }
    remaining = {};
    for (const table of tables) remaining[table] = await countRowsIn(d.db, table, access.i);
    if (Object.values(remaining).every((rows) => rows === 0)) break;
  }
  return { instance, removed, remaining };
}
