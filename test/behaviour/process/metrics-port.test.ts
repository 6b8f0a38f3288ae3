import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import { migratedPlace, startInVain, startService, type Place } from '../../support/service-process.ts';
import { emptyFolder } from '../../support/world.ts';

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const kinds: readonly Place['kind'][] = isOnPostgres() ? ['api', 'stream', 'worker'] : [undefined];
const adminToken = 'an-administrator-of-tests';

test.each(kinds)('metrics have a port of their own (%s)', async (kind) => {
  const port = await freePort();
  const given = { METRICS_PORT: String(port), PRESAGE_ADMIN_TOKEN: adminToken };
  const place = await migratedPlace(emptyFolder(folder));
  const service = await startService({ ...place, ...(kind ? { kind } : {}), variables: given });
  try {
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(await metrics.text()).toContain('presage_build_info');
    expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${port}/v1/memories`)).status).toBe(404);
  } finally {
    await service.stop();
  }
});

test('a port for metrics that is taken is told with its variable', async () => {
  const place = await migratedPlace(emptyFolder(folder));
  const { code, said } = await startInVain({ ...place, variables: { METRICS_PORT: String(place.port) } });
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('set METRICS_PORT to another port') });
});
