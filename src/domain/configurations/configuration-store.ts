import { LRUCache } from 'lru-cache';
import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import { newUuid } from '../ids.ts';
import { afterFilter } from '../tenancy/keyset-store.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Access } from '../tenancy/access.ts';
import { mayReadContent } from '../tenancy/roles.ts';
import { Configuration, defaultConfiguration } from './configuration.ts';
import { wasEverActive, type ConfigurationState, type ConfigurationStep } from './lifecycle.ts';
import type { ConfigurationRecord, ConfigurationExplanation, StepRecord } from './record.ts';

/** Versions that are or were in force: these never change, so each is read once. */
const known = new LRUCache<string, Configuration>({ max: 10_000 });

/** Throws when the instance has no such version. */
export async function configurationOf(sql: Sql, access: Access, version: number): Promise<Configuration> {
  const cached = known.get(placeOf(access, version));
  if (cached) return cached;
  const row = await sql.configuration.findUniqueOrThrow({
    where: { instanceNumber_version: { version, instanceNumber: access.instanceNumber } },
  });
  return bodyOf(access, row);
}

/** The configuration with which this call began. */
export const currentConfiguration = (sql: Sql, access: Access) =>
  configurationOf(sql, access, access.configurationVersion);

export async function saveFirstConfiguration(
  tx: Tx,
  instance: { instanceNumber: bigint; id: string; keys: InstanceKeys },
): Promise<void> {
  const body = instance.keys.seal('configuration.body', `${instance.id}/1`, JSON.stringify(defaultConfiguration));
  await tx.configuration.create({
    data: { instanceNumber: instance.instanceNumber, version: 1, state: 'active', body },
  });
}

/** A version to be written, with its first step. */
export interface NewVersion {
  readonly state: ConfigurationState;
  readonly body: Configuration;
  readonly baseVersion: number;
  readonly restoredVersion?: number;
  readonly previousActiveVersion?: number;
  readonly explanation?: ConfigurationExplanation | undefined;
  readonly at: Date;
}

/** Writes the version after the last one; returns its number. The instance must be locked. */
export async function saveVersion(tx: Tx, access: Access, { body, explanation, at, ...rest }: NewVersion) {
  const { instanceNumber, keys } = access;
  const { _max: last } = await tx.configuration.aggregate({ where: { instanceNumber }, _max: { version: true } });
  const version = (last.version ?? 0) + 1;
  const place = placeOf(access, version);
  await tx.configuration.create({
    data: {
      ...rest,
      instanceNumber,
      version,
      body: keys.seal('configuration.body', place, JSON.stringify(body)),
      explanation: explanation ? keys.seal('configuration.explanation', place, JSON.stringify(explanation)) : null,
      createdAt: at,
    },
  });
  return version;
}

/** The change of a version: all of it, or false when somebody changed it since it had this revision. */
export async function changeVersion(
  tx: Tx,
  access: Access,
  { version, revision }: { version: number; revision: number },
  change: { state: ConfigurationState; body?: Configuration; baseVersion?: number; previousActiveVersion?: number },
): Promise<boolean> {
  const { body, ...rest } = change;
  const sealed = body && access.keys.seal('configuration.body', placeOf(access, version), JSON.stringify(body));
  const { count } = await tx.configuration.updateMany({
    where: { version, revision, instanceNumber: access.instanceNumber },
    // The reasons were for other settings.
    data: { ...rest, ...(sealed ? { body: sealed, explanation: null } : {}), revision: { increment: 1 } },
  });
  return count === 1;
}

export async function saveStep(
  tx: Tx,
  { instanceNumber, keys }: Access,
  step: { version: number; step: ConfigurationStep; actor: string; at: Date; comment?: string | undefined },
): Promise<void> {
  const id = newUuid();
  const comment = step.comment ? keys.seal('configuration_step.comment', id, step.comment) : null;
  await tx.configurationStep.create({ data: { ...step, instanceNumber, id, comment } });
}

/** A version with its history; null when there is none. */
export async function readVersion(sql: Sql, access: Access, version: number): Promise<ConfigurationRecord | null> {
  const row = await sql.configuration.findUnique({
    where: { instanceNumber_version: { version, instanceNumber: access.instanceNumber } },
  });
  if (!row) return null;
  const [record] = await recordsOf(sql, access, [row]);
  return record!;
}

/** A page of versions. */
export async function listVersions(
  sql: Sql,
  access: Access,
  { direction, after, limit }: Pick<KeysetQuery<number>, 'direction' | 'after' | 'limit'>,
): Promise<ConfigurationRecord[]> {
  const rows = await sql.configuration.findMany({
    where: { ...(after ? { version: afterFilter(direction, after) } : {}), instanceNumber: access.instanceNumber },
    orderBy: { version: direction },
    take: limit,
  });
  return recordsOf(sql, access, rows);
}

/** At most one more than `maxTotalCount`. */
export const countVersions = (sql: Sql, { instanceNumber }: Access): Promise<number> =>
  sql.configuration.count({ where: { instanceNumber }, take: maxTotalCount + 1 });

type Row = NonNullable<Awaited<ReturnType<Tx['configuration']['findUnique']>>>;

async function recordsOf(sql: Sql, access: Access, rows: readonly Row[]): Promise<ConfigurationRecord[]> {
  const { keys } = access;
  const steps = await sql.configurationStep.findMany({
    where: { version: { in: rows.map(({ version }) => version) }, instanceNumber: access.instanceNumber },
    orderBy: [{ at: 'asc' }, { id: 'asc' }],
  });
  const shown = (step: (typeof steps)[number]): StepRecord => ({
    step: step.step as ConfigurationStep,
    actor: step.actor,
    at: step.at,
    comment: step.comment && keys.open('configuration_step.comment', step.id, step.comment),
  });
  return rows.map((row) => ({
    version: row.version,
    state: row.state as ConfigurationState,
    revision: row.revision,
    baseVersion: row.baseVersion,
    restoredVersion: row.restoredVersion,
    previousActiveVersion: row.previousActiveVersion,
    createdAt: row.createdAt,
    body: bodyOf(access, row),
    // It cites the use-case file.
    explanation:
      row.explanation && mayReadContent(access.principal)
        ? (JSON.parse(
            keys.open('configuration.explanation', placeOf(access, row.version), row.explanation),
          ) as ConfigurationExplanation)
        : null,
    steps: steps.filter(({ version }) => version === row.version).map(shown),
  }));
}

function bodyOf(access: Access, { version, state, body }: Pick<Row, 'version' | 'state' | 'body'>): Configuration {
  const place = placeOf(access, version);
  const cached = known.get(place);
  if (cached) return cached;
  const configuration = Configuration.parse(withPresentNames(access.keys.open('configuration.body', place, body)));
  if (wasEverActive(state as ConfigurationState)) known.set(place, configuration);
  return configuration;
}

/** A stored configuration, with names of an earlier release perhaps: it is sealed, so no migration renames them. */
function withPresentNames(body: string): unknown {
  const { entity_bands: thresholds, ...settings } = JSON.parse(body) as Record<string, unknown>;
  return thresholds === undefined ? settings : { ...settings, entity_match_thresholds: thresholds };
}

const placeOf = ({ instance }: Access, version: number) => `${instance}/${version}`;
