import { expect, test } from 'vitest';
import { changes, expectNoDowntime } from './expect-no-downtime.ts';
import { recordEvents } from '../../support/events.ts';
import { openAdmin } from './open-admin.ts';

const administered = openAdmin();
const { world } = administered;

test(
  `${changes} applies and rollbacks under load: no request fails, and each is of exactly one version`,
  { timeout: 120_000 },
  async () => {
    const { id, access } = await world.instance();
    const asAdmin = await world.app.accessAsAdmin(world.admin, access.instance);
    const { key } = await world.app.createKey(asAdmin, { label: null, rate: { perMinute: 60_000, burst: 10_000 } });
    const recorded = await recordEvents(world, access);
    const urls = [administered.baseUrl] as const;
    await expectNoDowntime({ urls, key, adminToken: administered.tokenOf('admin'), instance: id });
    expect((await recorded()).filter(({ type }) => type === 'config.applied')).toHaveLength(changes);
  },
);
