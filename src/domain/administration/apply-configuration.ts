import type { Tx } from '../../db/database.ts';
import { wasEverActive } from '../configurations/lifecycle.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { saveStep, saveVersion } from '../configurations/configuration-store.ts';
import { DomainError } from '../errors.ts';
import { writeTransaction, type WriteTx } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import { advanceVersion, auditTargetOf, type ExpectedVersion } from './draft-configuration.ts';
import {
  lockActive,
  activateVersion,
  requireKnownProviders,
  requireVersion,
  type ConfigurationDependencies,
} from './activate-version.ts';
import { actorOf, saveInstanceAudit } from './audit-store.ts';

/** A version to be applied; `over` is the version that its author knows to be in force. */
export interface ConfigurationToApply extends ExpectedVersion {
  readonly over?: number | undefined;
}

/**
 * Puts an approved version in force. Throws `conflict` when another version came into force since it was made, unless
 * `over` names that one: what it changed would be lost unseen.
 */
export async function applyConfiguration(
  deps: ConfigurationDependencies,
  access: Access,
  applying: ConfigurationToApply,
): Promise<ConfigurationRecord> {
  return writeTransaction(deps, (tx) => applyConfigurationWithin(tx, deps, access, applying));
}

/** Applies a configuration within a transaction. */
export async function applyConfigurationWithin(
  tx: WriteTx,
  deps: ConfigurationDependencies,
  access: Access,
  { over, ...seen }: ConfigurationToApply,
): Promise<ConfigurationRecord> {
  const at = deps.now();
  const before = await lockActive(tx, access);
  const { body, basedOn } = await requireVersion(tx, access, seen.version);
  const expected = over ?? basedOn ?? before.version;
  const applied = await advanceVersion(tx, access, { ...seen, event: 'apply', replaced: before.version, at });
  if (expected !== before.version) throw overtaken(applied.version, expected, before.version);
  requireKnownProviders(deps, body.inference);
  return activateVersion(tx, access, { before, version: applied.version, body, cause: 'apply', at });
}

const overtaken = (version: number, expected: number, active: number) =>
  new DomainError(
    'conflict',
    `version ${version} was made over version ${expected}, and version ${active} is in force since; ` +
      `compare the two, then apply it with "over": ${active}, or begin from that one`,
  );

/**
 * Puts the settings of the version before in force again, or those of `to`, as a new version: history is not rewritten.
 * A second rollback goes one further back. Throws `conflict` when there is none before, or `to` was never in force.
 */
export async function rollBackConfiguration(
  deps: ConfigurationDependencies,
  access: Access,
  { to, over, comment }: { to?: number | undefined; over?: number | undefined; comment?: string | undefined },
): Promise<ConfigurationRecord> {
  const at = deps.now();
  return writeTransaction(deps, async (tx) => {
    const before = await lockActive(tx, access);
    if (over !== undefined && over !== before.version) {
      throw new DomainError('conflict', `version ${before.version} is in force, not ${over}`);
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
    const restores = target.restores ?? target.version;
    const from = { basedOn: before.version, replaced: before.version };
    const version = await saveVersion(tx, access, { state: 'active', body, restores, ...from, at });
    await saveStep(tx, access, { version, step: 'rollback', actor: actorOf(access.principal), at, comment });
    const entry = { action: 'configuration.rollback', target: auditTargetOf(access, version), at };
    await saveInstanceAudit(tx, access, { ...entry, before: before.body, after: body });
    return activateVersion(tx, access, { before, version, body, cause: 'rollback', at });
  });
}

/** The version that was in force before these settings: a rollback takes the place of the version that it restores. */
async function versionBefore(tx: Tx, access: Access, { version, restores, replaced }: ConfigurationRecord) {
  const before = restores === null ? replaced : (await requireVersion(tx, access, restores)).replaced;
  if (before !== null) return before;
  throw new DomainError('conflict', `nothing was in force before version ${restores ?? version}`);
}
