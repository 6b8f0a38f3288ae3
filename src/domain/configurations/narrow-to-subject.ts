import type { Sql } from '../../db/database.ts';
import { narrowAccess, type Access, type SubjectIds, type NarrowedAccess } from '../tenancy/access.ts';
import { readableOwners } from '../tenancy/owner-store.ts';
import { currentConfiguration } from './configuration-store.ts';

/**
 * Narrows an access to what a fetch for this user and customer may read; without names, to what the instance shares.
 */
export async function narrowToSubject(sql: Sql, access: Access, named: SubjectIds): Promise<NarrowedAccess> {
  const { isolation } = await currentConfiguration(sql, access);
  return narrowAccess(access, await readableOwners(sql, access.instanceNumber, named, isolation), { named, isolation });
}

/** Routes by id take an optional user and customer; when given, they narrow. */
export async function narrowIfSubjectGiven(sql: Sql, access: Access, named: SubjectIds): Promise<Access> {
  if (named.userId === undefined && named.customerId === undefined) return access;
  return narrowToSubject(sql, access, named);
}
