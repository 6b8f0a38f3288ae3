import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/environment.ts';
import { openService } from '../../../src/processes/open-service.ts';
import { databaseVariables } from '../../support/place-database.ts';
import { newFolder } from '../../support/world.ts';

test('the parts of a process stop at once, and before what they use is closed', async () => {
  const folder = newFolder();
  const variables = { PRESAGE_DATA_DIR: folder, XDG_CONFIG_HOME: join(folder, 'own'), LOG_LEVEL: 'silent' };
  const service = await openService('all', readEnvironment({ ...variables, ...(await databaseVariables(folder)) }));
  let goOn!: () => void;
  const both = new Promise<void>((resolve) => (goOn = resolve));
  let stopping = 0;
  const stop = async () => {
    if (++stopping === 2) goOn();
    await both; // each waits for the other
    await service.deps.db.instance.count();
  };
  service.onStop(stop);
  service.onStop(stop);
  await service.close();
  expect(stopping).toBe(2);
  rmSync(folder, { recursive: true, force: true });
});
