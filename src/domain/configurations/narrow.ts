import type { Sql } from '../../db/database.ts';
import { narrow, type Access, type Named, type OwnedAccess } from '../tenancy/access.ts';
import { readableOwners } from '../tenancy/store.ts';
import { currentConfiguration } from './store.ts';

/**
 * Narrows an access to what a fetch for this user and customer may read; without names, to what the instance shares.
 */
export async function narrowTo(sql: Sql, access: Access, named: Named): Promise<OwnedAccess> {
  const { isolation } = await currentConfiguration(sql, access);
  return narrow(access, await readableOwners(sql, access.i, named, isolation), { named, isolation });
}

/** Routes by id take an optional user and customer; when given, they narrow. */
export async function narrowIfNamed(sql: Sql, access: Access, named: Named): Promise<Access> {
  if (named.userId === undefined && named.customerId === undefined) return access;
  return narrowTo(sql, access, named);
}
