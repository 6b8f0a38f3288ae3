import type { Dependencies } from '../dependencies.ts';
import {
  applyConfiguration,
  rollBackConfiguration,
  type Applying,
} from '../domain/administration/apply-configuration.ts';
import {
  initConfiguration,
  reviewConfiguration,
  submitConfiguration,
  updateConfiguration,
  type NewDraft,
  type Seen,
} from '../domain/administration/draft-configuration.ts';
import {
  activeConfiguration,
  compareConfigurations,
  listConfigurations,
  readConfiguration,
} from '../domain/administration/read-configurations.ts';
import type { Configuration } from '../domain/configurations/configuration.ts';
import { countVersions } from '../domain/configurations/store.ts';
import type { PageRequest } from '../domain/cursor.ts';
import type { Access } from '../domain/tenancy/access.ts';

/** The use cases of an instance's configurations. */
export const createConfiguring = (d: Dependencies) => ({
  page: (access: Access, page: PageRequest) => listConfigurations(d.db, access, page),
  count: (access: Access) => countVersions(d.db, access),
  read: (access: Access, version: number) => readConfiguration(d.db, access, version),
  active: (access: Access) => activeConfiguration(d.db, access),
  compare: (access: Access, versions: { from?: number | undefined; to?: number | undefined }) =>
    compareConfigurations(d.db, access, versions),
  /** A draft of these settings, or of those that a use-case file asks for. */
  init: (access: Access, draft: NewDraft & { useCase?: string | undefined }) => initConfiguration(d, access, draft),
  update: (access: Access, change: Seen & { revision: number; configuration: Configuration }) =>
    updateConfiguration(d, access, change),
  submit: (access: Access, seen: Seen) => submitConfiguration(d, access, seen),
  review: (access: Access, review: Seen & { decision: 'approve' | 'reject' }) => reviewConfiguration(d, access, review),
  apply: (access: Access, applying: Applying) => applyConfiguration(d, access, applying),
  rollBack: (
    access: Access,
    back: { to?: number | undefined; over?: number | undefined; comment?: string | undefined },
  ) => rollBackConfiguration(d, access, back),
});
