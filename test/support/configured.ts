import { defaultConfiguration, type Configuration } from '../../src/domain/configurations/configuration.ts';
import type { Access } from '../../src/domain/tenancy/access.ts';
import type { World } from './world.ts';

/** Brings these settings into force in an instance, and what is not named to its default; resolves to their version. */
export async function configure(
  { app, admin }: Pick<World, 'app' | 'admin'>,
  { instance }: Pick<Access, 'instance'>,
  settings: Partial<Configuration> = {},
): Promise<number> {
  const asAdmin = await app.accessAsAdmin(admin, instance);
  const { version } = await app.configurations.init(asAdmin, {
    configuration: { ...defaultConfiguration, ...settings },
  });
  await app.configurations.submit(asAdmin, { version });
  await app.configurations.review(asAdmin, { version, decision: 'approve' });
  await app.configurations.apply(asAdmin, { version });
  return version;
}

/** A new instance with these settings in force. */
export async function configured(
  world: Pick<World, 'app' | 'admin' | 'instance'>,
  settings: Partial<Configuration> = {},
): Promise<{ access: Access; key: string }> {
  const { access, key } = await world.instance();
  await configure(world, access, settings);
  const caller = await world.app.authenticate(`Bearer ${key}`);
  if (caller.kind !== 'instance') throw new Error('a key opens an instance');
  return { access: caller.access, key };
}
