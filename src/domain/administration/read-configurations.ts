import type { Db } from '../../db/database.ts';
import { diffConfigurations, type SettingChange } from '../configurations/diff-configurations.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { listVersions } from '../configurations/configuration-store.ts';
import { unreachableTypeWarnings } from '../extraction/unreachable-types.ts';
import type { Access } from '../tenancy/access.ts';
import { pageFromRows, parsePageRequest, versionFormat, type Page, type PageRequest } from '../pagination.ts';
import { requireVersion } from './activate-version.ts';

/** The version in force. */
export const activeConfiguration = (db: Db, access: Access): Promise<ConfigurationRecord> =>
  requireVersion(db, access, access.configurationVersion);

/** The versions of an instance's configuration. */
export async function listConfigurations(
  db: Db,
  access: Access,
  request: PageRequest,
): Promise<Page<ConfigurationRecord>> {
  const keysetQuery = parsePageRequest('configurations', request, versionFormat);
  return pageFromRows(await listVersions(db, access, keysetQuery), keysetQuery, ({ version }) => version);
}

/** The changes from one version to another. */
export interface ConfigurationComparison {
  readonly from: ConfigurationRecord;
  readonly to: ConfigurationRecord;
  readonly changes: readonly SettingChange[];
  /** Effects of the other version that few would expect. */
  readonly warnings: readonly string[];
}

/** Compares two versions; by default the one in force with the newest. Throws `not_found` when one does not exist. */
export async function compareConfigurations(
  db: Db,
  access: Access,
  versions: { from?: number | undefined; to?: number | undefined },
): Promise<ConfigurationComparison> {
  const from = await requireVersion(db, access, versions.from ?? access.configurationVersion);
  const [newest] =
    versions.to === undefined ? await listVersions(db, access, { direction: 'desc', after: undefined, limit: 1 }) : [];
  const to = newest ?? (await requireVersion(db, access, versions.to!));
  return { from, to, changes: diffConfigurations(from.body, to.body), warnings: unreachableTypeWarnings(to.body) };
}
