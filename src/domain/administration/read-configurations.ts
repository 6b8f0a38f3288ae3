import type { Db } from '../../db/database.ts';
import { compare, type Change } from '../configurations/compare.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { listVersions } from '../configurations/store.ts';
import { unreachableTypeWarnings } from '../extraction/unreachable-types.ts';
import type { Access } from '../tenancy/access.ts';
import { pageByVersion, stretchByVersion, type Page, type PageRequest } from '../cursor.ts';
import { versionOf } from './put-in-force.ts';

/** Throws `not_found`. */
export const readConfiguration = (db: Db, access: Access, version: number): Promise<ConfigurationRecord> =>
  versionOf(db, access, version);

/** The version in force. */
export const activeConfiguration = (db: Db, access: Access): Promise<ConfigurationRecord> =>
  versionOf(db, access, access.configurationVersion);

/** The versions of an instance's configuration. */
export async function listConfigurations(
  db: Db,
  access: Access,
  request: PageRequest,
): Promise<Page<ConfigurationRecord>> {
  const stretch = stretchByVersion('configurations', request);
  return pageByVersion(await listVersions(db, access, stretch), stretch);
}

/** The changes from one version to another. */
export interface Difference {
  readonly from: ConfigurationRecord;
  readonly to: ConfigurationRecord;
  readonly changes: readonly Change[];
  /** Effects of the other version that few would expect. */
  readonly warnings: readonly string[];
}

/** Compares two versions; by default the one in force with the newest. Throws `not_found` when one does not exist. */
export async function compareConfigurations(
  db: Db,
  access: Access,
  versions: { from?: number | undefined; to?: number | undefined },
): Promise<Difference> {
  const from = await versionOf(db, access, versions.from ?? access.configurationVersion);
  const [newest] =
    versions.to === undefined ? await listVersions(db, access, { direction: 'desc', after: undefined, limit: 1 }) : [];
  const to = newest ?? (await versionOf(db, access, versions.to!));
  return { from, to, changes: compare(from.body, to.body), warnings: unreachableTypeWarnings(to.body) };
}
