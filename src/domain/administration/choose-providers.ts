import { transaction, type Db } from '../../db/database.ts';
import type { Inference } from '../configurations/configuration.ts';
import { configurationOf, saveActiveConfiguration, type ConfigurationRecord } from '../configurations/store.ts';
import { invalid } from '../errors.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import { askToReembed } from '../search-index/space-store.ts';
import type { Access } from '../tenancy/access.ts';
import { mayChange } from '../tenancy/authenticate.ts';
import { lockActiveVersion, saveActiveVersion } from '../tenancy/instance-store.ts';
import { saveAudit } from './store.ts';

/** What choosing needs. */
export interface Choosing {
  readonly db: Db;
  readonly embedding: EmbeddingModels;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, unknown>;
  readonly now: () => Date;
}

/**
 * Puts a configuration in force that names other providers; what is left out stays. With another embedding model the
 * instance is re-embedded, and searched as before until that is done. Throws `invalid_input` for a name that the
 * deployment does not have.
 */
export async function chooseProviders(
  d: Choosing,
  access: Access,
  chosen: Partial<Inference>,
): Promise<ConfigurationRecord> {
  const { principal } = access;
  mayChange(principal);
  refuseUnknown('extraction', chosen.extraction, ['default', 'none', ...d.languageModels.keys()]);
  refuseUnknown('embedding', chosen.embedding, ['none', ...d.embedding.names()]);
  return transaction(d.db, async (tx) => {
    const active = await lockActiveVersion(tx, access.i);
    const before = await configurationOf(tx, access, active);
    const inference = { ...before.inference, ...chosen };
    const record = await saveActiveConfiguration(tx, access, active, { ...before, inference });
    await saveActiveVersion(tx, access.i, record.version);
    if (inference.embedding !== before.inference.embedding) await askToReembed(tx, access);
    const audited = { actor: principal, action: 'providers.choose', target: access.instance, at: d.now() };
    await saveAudit(tx, access, { ...audited, after: inference });
    return record;
  });
}

function refuseUnknown(field: string, name: string | undefined, known: readonly string[]): void {
  if (name === undefined || known.includes(name)) return;
  throw invalid(field, `must be one of ${[...new Set(known)].join(', ')}`);
}
