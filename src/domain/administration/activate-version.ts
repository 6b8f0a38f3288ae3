import type { Sql, Tx } from '../../db/database.ts';
import type { Configuration, ModelProviders } from '../configurations/configuration.ts';
import { nextConfigurationState, semanticVersion } from '../configurations/lifecycle.ts';
import type { ConfigurationRecord } from '../configurations/record.ts';
import { changeVersion, readVersion, saveStep } from '../configurations/configuration-store.ts';
import { invalidInputError, notFoundError } from '../errors.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import type { WriteDependencies, WriteTx } from '../invalidation/write-transaction.ts';
import type { EmbeddingModels } from '../search-index/embedding-models.ts';
import { enqueueReembedding } from '../search-index/space-store.ts';
import type { Access } from '../tenancy/access.ts';
import { lockActiveVersion, saveActiveVersion } from '../tenancy/instance-store.ts';
import { actorOf } from './audit-store.ts';

export interface ConfigurationDependencies extends WriteDependencies {
  readonly embedding: EmbeddingModels;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, unknown>;
  readonly now: () => Date;
}

/** Throws `not_found`. */
export async function requireVersion(sql: Sql, access: Access, version: number): Promise<ConfigurationRecord> {
  const record = await readVersion(sql, access, version);
  if (!record) throw notFoundError('configuration version');
  return record;
}

/** The version in force; whoever else changes the instance's configurations waits until the transaction ends. */
export const lockActive = async (tx: Tx, access: Access): Promise<ConfigurationRecord> =>
  requireVersion(tx, access, await lockActiveVersion(tx, access.instanceNumber));

/**
 * Lets new calls begin with the version: those under way keep theirs. The previous one is superseded and kept, the
 * event is recorded, and other vectors are asked for where the embedding model is another. The instance must be locked.
 */
export async function activateVersion(
  tx: WriteTx,
  access: Access,
  { before, version, body, cause, at }: VersionActivation,
): Promise<ConfigurationRecord> {
  const { version: previous, revision, state } = before;
  const superseded = nextConfigurationState(previous, state, 'supersede');
  await changeVersion(tx, access, { version: previous, revision }, { state: superseded });
  const actor = actorOf(access.principal);
  await saveStep(tx, access, { version: previous, step: 'supersede', actor, at });
  await saveActiveVersion(tx, access.instanceNumber, version);
  if (body.inference.embedding !== before.body.inference.embedding) await enqueueReembedding(tx, access);
  const data = { version, semantic_version: semanticVersion(version), previous_version: previous, cause };
  await saveEvent(tx, access, { type: 'config.applied', at, data });
  return requireVersion(tx, access, version);
}

interface VersionActivation {
  /** The version in force until then. */
  readonly before: ConfigurationRecord;
  readonly version: number;
  readonly body: Configuration;
  readonly cause: 'apply' | 'rollback' | 'providers';
  readonly at: Date;
}

/** Throws `invalid_input` for a provider that the deployment does not have; `path` is where the names stand. */
export function requireKnownProviders(
  deps: ConfigurationDependencies,
  inference: Partial<ModelProviders>,
  path = 'configuration.inference.',
): void {
  refuseUnknown(`${path}extraction`, inference.extraction, ['default', 'none', ...deps.languageModels.keys()]);
  refuseUnknown(`${path}embedding`, inference.embedding, ['none', ...deps.embedding.names()]);
}

function refuseUnknown(field: string, name: string | undefined, existing: readonly string[]): void {
  if (name === undefined || existing.includes(name)) return;
  throw invalidInputError(field, `must be one of ${[...new Set(existing)].join(', ')}`);
}
