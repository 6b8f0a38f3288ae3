import { transaction, type Tx } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { nextConfigurationState, type ConfigurationEvent } from '../configurations/lifecycle.ts';
import type { ConfigurationRecord, ConfigurationExplanation } from '../configurations/record.ts';
import { changeVersion, saveStep, saveVersion } from '../configurations/configuration-store.ts';
import { DomainError } from '../errors.ts';
import type { Access } from '../tenancy/access.ts';
import { generateConfiguration, type GenerationDependencies } from './generate-configuration.ts';
import {
  lockActive,
  requireKnownProviders,
  requireVersion,
  type ConfigurationDependencies,
} from './activate-version.ts';
import { actorOf, saveInstanceAudit } from './audit-store.ts';

/** A new draft: these settings, else those of a version, else those in force. */
export interface NewDraft {
  readonly configuration?: Configuration | undefined;
  readonly explanation?: ConfigurationExplanation | undefined;
  readonly from?: number | undefined;
  readonly comment?: string | undefined;
}

/**
 * Makes the next version as a draft, of these settings or of those that a use-case file asks for: it changes nothing
 * before it is applied. Throws `not_found`, `invalid_input`, `payload_too_large`.
 */
export async function createDraftConfiguration(
  deps: ConfigurationDependencies & GenerationDependencies,
  access: Access,
  { useCase, ...given }: NewDraft & { readonly useCase?: string | undefined },
): Promise<ConfigurationRecord> {
  const draft = useCase === undefined ? given : { ...given, ...(await generateConfiguration(deps, access, useCase)) };
  const { configuration } = draft;
  if (configuration) requireKnownProviders(deps, configuration.inference);
  return transaction(deps.db, (tx) => saveDraft(tx, access, { ...draft, at: deps.now() }));
}

/** Writes a draft within a transaction. */
export async function saveDraft(
  tx: Tx,
  access: Access,
  { configuration, explanation, from, comment, at }: NewDraft & { at: Date },
): Promise<ConfigurationRecord> {
  const active = await lockActive(tx, access);
  const body = configuration ?? (from === undefined ? active : await requireVersion(tx, access, from)).body;
  const version = await saveVersion(tx, access, { state: 'draft', body, explanation, baseVersion: active.version, at });
  const actor = actorOf(access.principal);
  await saveStep(tx, access, { version, step: 'init', actor, at, comment });
  const entry = { action: 'configuration.init', target: auditTargetOf(access, version), at };
  await saveInstanceAudit(tx, access, { ...entry, after: body });
  return requireVersion(tx, access, version);
}

/** The version to change, and the revision of it that its author saw. */
export interface ExpectedVersion {
  readonly version: number;
  /** The revision that its author saw; without it, any revision is accepted. */
  readonly revision?: number | undefined;
  readonly comment?: string | undefined;
}

/** Gives a draft, or one that was rejected, other settings. Throws `conflict` when it is not what its author saw. */
export async function updateConfiguration(
  deps: ConfigurationDependencies,
  access: Access,
  { configuration, ...seen }: ExpectedVersion & { revision: number; configuration: Configuration },
): Promise<ConfigurationRecord> {
  requireKnownProviders(deps, configuration.inference);
  return step(deps, access, seen, { event: 'update', body: configuration });
}

/** Asks for a review; what is under review stays as it is. */
export const submitConfiguration = (
  deps: ConfigurationDependencies,
  access: Access,
  seen: ExpectedVersion,
): Promise<ConfigurationRecord> => step(deps, access, seen, { event: 'submit' });

/** Lets it be applied, or sends it back to be updated. */
export const reviewConfiguration = (
  deps: ConfigurationDependencies,
  access: Access,
  { decision, ...seen }: ExpectedVersion & { decision: 'approve' | 'reject' },
): Promise<ConfigurationRecord> => step(deps, access, seen, { event: decision });

async function step(
  deps: ConfigurationDependencies,
  access: Access,
  seen: ExpectedVersion,
  change: { event: Exclude<ConfigurationEvent, 'apply' | 'supersede'>; body?: Configuration },
): Promise<ConfigurationRecord> {
  return transaction(deps.db, async (tx) => {
    await lockActive(tx, access);
    return advanceVersion(tx, access, { ...seen, ...change, at: deps.now() });
  });
}

/** One step of a version's way, with its history and its audit row. The instance must be locked. */
export async function advanceVersion(
  tx: Tx,
  access: Access,
  { version, revision, comment, event, body, previousActiveVersion, at }: ExpectedVersion & Step,
): Promise<ConfigurationRecord> {
  const before = await requireVersion(tx, access, version);
  if (revision !== undefined && revision !== before.revision) throw changedSince(before);
  const state = nextConfigurationState(version, before.state, event);
  const change = { state, ...(body ? { body } : {}), ...(previousActiveVersion ? { previousActiveVersion } : {}) };
  if (!(await changeVersion(tx, access, before, change))) throw changedSince(before);
  await saveStep(tx, access, { version, step: event, actor: actorOf(access.principal), at, comment });
  const fieldsOf = (record: { state: string; body: Configuration }) =>
    body ? { state: record.state, configuration: record.body } : { state: record.state };
  await saveInstanceAudit(tx, access, {
    action: `configuration.${event}`,
    target: auditTargetOf(access, version),
    at,
    before: fieldsOf(before),
    after: fieldsOf({ state, body: body ?? before.body }),
  });
  return requireVersion(tx, access, version);
}

interface Step {
  readonly event: ConfigurationEvent;
  readonly body?: Configuration;
  readonly previousActiveVersion?: number;
  readonly at: Date;
}

const changedSince = ({ version, revision }: ConfigurationRecord) =>
  new DomainError(
    'conflict',
    `version ${version} was changed since: it has revision ${revision} now; read it again, then change that`,
  );

/** The target that audit rows name for a version. */
export const auditTargetOf = ({ instance }: Access, version: number) => `${instance}/configurations/${version}`;
