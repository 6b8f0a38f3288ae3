import type { Sql } from '../../db/database.ts';
import type { Access, Named, OwnedAccess } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import { readersIn } from '../tenancy/readers.ts';
import { currentConfiguration } from './store.ts';

/** What a fetch for the named user and customer may read; naming nobody leaves what the whole instance shares. */
export async function narrowTo(sql: Sql, access: Access, named: Named): Promise<OwnedAccess> {
  const { isolation } = await currentConfiguration(sql, access);
  return narrow(readersIn(sql), access, named, isolation);
}

/** Routes by id take an optional user and customer; when given, they narrow. */
export async function narrowIfNamed(sql: Sql, access: Access, named: Named): Promise<Access> {
  if (named.userId === undefined && named.customerId === undefined) return access;
  return narrowTo(sql, access, named);
}
