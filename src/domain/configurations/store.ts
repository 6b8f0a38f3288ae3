import { LRUCache } from 'lru-cache';
import type { Tx } from '../../db/database.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Access } from '../tenancy/access.ts';
import { Configuration, firstConfiguration, type ConfigurationState } from './configuration.ts';

/** A version never changes once it is applied, so it is read once. */
const known = new LRUCache<string, Configuration>({ max: 10_000 });

/** Throws when the instance has no such version. */
export async function configurationOf(tx: Tx, access: Access, version: number): Promise<Configuration> {
  const key = `${access.instance}/${version}`;
  const cached = known.get(key);
  if (cached) return cached;
  const row = await tx.configuration.findUniqueOrThrow({ where: { i_version: { i: access.i, version } } });
  const configuration = Configuration.parse(JSON.parse(access.keys.open('configuration.body', key, row.body)));
  known.set(key, configuration);
  return configuration;
}

/** The configuration with which this call began. */
export const currentConfiguration = (tx: Tx, access: Access) =>
  configurationOf(tx, access, access.configurationVersion);

export async function saveFirstConfiguration(
  tx: Tx,
  instance: { i: bigint; id: string; keys: InstanceKeys },
): Promise<void> {
  const body = instance.keys.seal('configuration.body', `${instance.id}/1`, JSON.stringify(firstConfiguration));
  await tx.configuration.create({ data: { i: instance.i, version: 1, state: 'active', body } });
}

/** Writes the version after the last one and puts it in force in place of `active`. The instance must be locked. */
export async function saveActiveConfiguration(
  tx: Tx,
  { i, instance, keys }: Access,
  active: number,
  body: Configuration,
): Promise<ConfigurationRecord> {
  const { _max: last } = await tx.configuration.aggregate({ where: { i }, _max: { version: true } });
  const version = (last.version ?? 0) + 1;
  const sealed = keys.seal('configuration.body', `${instance}/${version}`, JSON.stringify(body));
  await tx.configuration.update({ where: { i_version: { i, version: active } }, data: { state: 'superseded' } });
  const { createdAt } = await tx.configuration.create({ data: { i, version, state: 'active', body: sealed } });
  return { version, state: 'active', createdAt, body };
}

/** A version, as it is shown. */
export interface ConfigurationRecord {
  readonly version: number;
  readonly state: ConfigurationState;
  readonly createdAt: Date;
  readonly body: Configuration;
}

/** Every version, newest first. */
export async function listConfigurations(tx: Tx, access: Access): Promise<ConfigurationRecord[]> {
  const rows = await tx.configuration.findMany({ where: { i: access.i }, orderBy: { version: 'desc' } });
  return Promise.all(
    rows.map(async ({ version, state, createdAt }) => ({
      version,
      state: state as ConfigurationState,
      createdAt,
      body: await configurationOf(tx, access, version),
    })),
  );
}
