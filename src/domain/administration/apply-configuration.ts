import type { Tx } from '../../db/database.ts';
import { wasEverActive } from '../configurations/lifecycle.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { saveStep, saveVersion } from '../configurations/configuration-store.ts';
import { DomainError } from '../errors.ts';
import { writeTransaction, type WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import { readInstanceRecord, saveInstanceChange } from '../tenancy/instance-store.ts';
import { advanceVersion, auditTargetOf, type ExpectedVersion } from './draft-configuration.ts';
import {
  lockActive,
  activateVersion,
  requireKnownProviders,
  requireVersion,
  type ConfigurationDependencies,
} from './activate-version.ts';
import { actorOf, saveInstanceAudit } from './audit-store.ts';
import { markOnboardingCompleted } from './onboarding-store.ts';
import { nextInstanceState } from './state-machines.ts';

/** A version to be applied; `expectedActiveVersion` is the version that its author knows to be in force. */
export interface ConfigurationToApply extends ExpectedVersion {
  readonly expectedActiveVersion?: number | undefined;
}

/**
 * Puts an approved version in force. Throws `conflict` when another version came into force since it was made, unless
 * `expectedActiveVersion` names that one: what it changed would be lost unseen. An instance whose onboarding waits for
 * its configuration is opened to its key.
 */
export async function applyConfiguration(
  deps: ConfigurationDependencies,
  access: Access,
  applying: ConfigurationToApply,
): Promise<ConfigurationRecord> {
  return writeTransaction(deps, async (tx) => {
    const applied = await applyConfigurationWithin(tx, deps, access, applying);
    await endProvisioning(tx, access, deps.now());
    return applied;
  });
}

/**
 * Opens an instance that waits for its first configuration to its keys, and completes its onboarding; also the one of
 * an instance that was archived meanwhile and opened again.
 */
export async function endProvisioning(tx: WriteTx, access: Access, at: Date): Promise<void> {
  const state = (await readInstanceRecord(tx, access.instanceNumber))?.state;
  if (state === 'provisioning')
    await saveInstanceChange(tx, access.instanceNumber, { state: nextInstanceState(state, 'complete') });
  const target = await markOnboardingCompleted(tx, access, at);
  const entry = { action: 'onboarding.complete', before: { state: 'open' }, after: { state: 'completed' } };
  if (target) await saveInstanceAudit(tx, access, { ...entry, target, at });
}

/** Applies a configuration within a transaction. */
export async function applyConfigurationWithin(
  tx: WriteTx,
  deps: ConfigurationDependencies,
  access: Access,
  { expectedActiveVersion, ...seen }: ConfigurationToApply,
): Promise<ConfigurationRecord> {
  const at = deps.now();
  const before = await lockActive(tx, access);
  const { body, baseVersion } = await requireVersion(tx, access, seen.version);
  const expected = expectedActiveVersion ?? baseVersion ?? before.version;
  const applied = await advanceVersion(tx, access, {
    ...seen,
    event: 'apply',
    previousActiveVersion: before.version,
    at,
  });
  if (expected !== before.version) throw overtaken(applied.version, expected, before.version);
  requireKnownProviders(deps, body.inference);
  return activateVersion(tx, access, { before, version: applied.version, body, cause: 'apply', at });
}

const overtaken = (version: number, expected: number, active: number) =>
  new DomainError(
    'conflict',
    `version ${version} was made over version ${expected}, and version ${active} is in force since; ` +
      `compare the two, then apply it with "expected_active_version": ${active}, or begin from that one`,
  );

/**
 * Puts the settings of the version before in force again, or those of `to`, as a new version: history is not rewritten.
 * A second rollback goes one further back. Throws `conflict` when there is none before, or `to` was never in force.
 */
export async function rollBackConfiguration(
  deps: ConfigurationDependencies,
  access: Access,
  {
    to,
    expectedActiveVersion,
    comment,
  }: { to?: number | undefined; expectedActiveVersion?: number | undefined; comment?: string | undefined },
): Promise<ConfigurationRecord> {
  const at = deps.now();
  return writeTransaction(deps, async (tx) => {
    const before = await lockActive(tx, access);
    if (expectedActiveVersion !== undefined && expectedActiveVersion !== before.version) {
      throw new DomainError('conflict', `version ${before.version} is in force, not ${expectedActiveVersion}`);
    }
    const target = await requireVersion(tx, access, to ?? (await versionBefore(tx, access, before)));
    if (!wasEverActive(target.state) || target.version === before.version) {
      throw new DomainError(
        'conflict',
        `version ${target.version} is ${target.state}: only what was in force before can be`,
      );
    }
    const { body } = target;
    requireKnownProviders(deps, body.inference);
    const restoredVersion = target.restoredVersion ?? target.version;
    const from = { baseVersion: before.version, previousActiveVersion: before.version };
    const version = await saveVersion(tx, access, { state: 'active', body, restoredVersion, ...from, at });
    await saveStep(tx, access, { version, step: 'rollback', actor: actorOf(access.principal), at, comment });
    const entry = { action: 'configuration.rollback', target: auditTargetOf(access, version), at };
    await saveInstanceAudit(tx, access, { ...entry, before: before.body, after: body });
    return activateVersion(tx, access, { before, version, body, cause: 'rollback', at });
  });
}

/** The version that was in force before these settings: a rollback takes the place of the version that it restores. */
async function versionBefore(
  tx: Tx,
  access: Access,
  { version, restoredVersion, previousActiveVersion }: ConfigurationRecord,
) {
  const before =
    restoredVersion === null
      ? previousActiveVersion
      : (await requireVersion(tx, access, restoredVersion)).previousActiveVersion;
  if (before !== null) return before;
  throw new DomainError('conflict', `nothing was in force before version ${restoredVersion ?? version}`);
}
