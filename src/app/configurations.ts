import type { Dependencies } from '../dependencies.ts';
import {
  applyConfiguration,
  rollBackConfiguration,
  type ConfigurationToApply,
} from '../domain/administration/apply-configuration.ts';
import {
  createDraftConfiguration,
  reviewConfiguration,
  submitConfiguration,
  updateConfiguration,
  type NewDraft,
  type ExpectedVersion,
} from '../domain/administration/draft-configuration.ts';
import { requireVersion } from '../domain/administration/activate-version.ts';
import {
  activeConfiguration,
  compareConfigurations,
  listConfigurations,
} from '../domain/administration/read-configurations.ts';
import type { Configuration } from '../domain/configurations/configuration.ts';
import { countVersions } from '../domain/configurations/configuration-store.ts';
import type { PageRequest } from '../domain/pagination.ts';
import type { Access } from '../domain/tenancy/access.ts';

/** The use cases of an instance's configurations. */
export const createConfigurationUseCases = (deps: Dependencies) => ({
  page: (access: Access, page: PageRequest) => listConfigurations(deps.db, access, page),
  count: (access: Access) => countVersions(deps.db, access),
  read: (access: Access, version: number) => requireVersion(deps.db, access, version),
  active: (access: Access) => activeConfiguration(deps.db, access),
  compare: (access: Access, versions: { from?: number | undefined; to?: number | undefined }) =>
    compareConfigurations(deps.db, access, versions),
  /** A draft of these settings, or of those that a use-case file asks for. */
  init: (access: Access, draft: NewDraft & { useCase?: string | undefined }) =>
    createDraftConfiguration(deps, access, draft),
  update: (access: Access, change: ExpectedVersion & { revision: number; configuration: Configuration }) =>
    updateConfiguration(deps, access, change),
  submit: (access: Access, seen: ExpectedVersion) => submitConfiguration(deps, access, seen),
  review: (access: Access, review: ExpectedVersion & { decision: 'approve' | 'reject' }) =>
    reviewConfiguration(deps, access, review),
  apply: (access: Access, applying: ConfigurationToApply) => applyConfiguration(deps, access, applying),
  rollBack: (
    access: Access,
    back: { to?: number | undefined; expectedActiveVersion?: number | undefined; comment?: string | undefined },
  ) => rollBackConfiguration(deps, access, back),
});
