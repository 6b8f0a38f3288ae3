import type { ModelProviders } from '../configurations/configuration.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { saveStep, saveVersion } from '../configurations/configuration-store.ts';
import { writeTransaction } from '../invalidation/write-transaction.ts';
import type { Access } from '../tenancy/access.ts';
import {
  lockActive,
  activateVersion,
  requireKnownProviders,
  type ConfigurationDependencies,
} from './activate-version.ts';
import { actorOf, saveInstanceAudit } from './audit-store.ts';

/**
 * Puts a configuration in force that names other providers; what is left out stays. With another embedding model the
 * instance is re-embedded, and searched as before until that is done. Throws `invalid_input` for a name that the
 * deployment does not have.
 */
export async function setProviders(
  deps: ConfigurationDependencies,
  access: Access,
  chosen: Partial<ModelProviders>,
): Promise<ConfigurationRecord> {
  requireKnownProviders(deps, chosen, '');
  const at = deps.now();
  return writeTransaction(deps, async (tx) => {
    const before = await lockActive(tx, access);
    const inference = { ...before.body.inference, ...chosen };
    const body = { ...before.body, inference };
    const change = {
      state: 'active',
      body,
      baseVersion: before.version,
      previousActiveVersion: before.version,
      at,
    } as const;
    const version = await saveVersion(tx, access, change);
    await saveStep(tx, access, { version, step: 'apply', actor: actorOf(access.principal), at });
    const audited = { action: 'providers.choose', target: access.instance, at };
    await saveInstanceAudit(tx, access, { ...audited, before: before.body.inference, after: inference });
    return activateVersion(tx, access, { before, version, body, cause: 'providers', at });
  });
}
