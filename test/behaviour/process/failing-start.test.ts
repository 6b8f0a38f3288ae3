import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDependencies } from '../../../src/dependencies.ts';
import { readEnvironment } from '../../../src/environment.ts';
import { createTelemetry } from '../../../src/telemetry.ts';
import { databaseVariables, openDatabaseOf } from '../../support/place-database.ts';
import { migratedPlace, startInVain, startService, type Place } from '../../support/service-process.ts';

let folder: string;
let place: Place;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'presage-failing-'));
  place = await migratedPlace(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const variables = async () => ({
  PRESAGE_DATA_DIR: join(folder, 'data'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  ...(await databaseVariables(folder)),
});
const open = async (overrides?: Parameters<typeof openDependencies>[2]) => {
  const environment = { ...readEnvironment(await variables()), ownFolder: join(folder, 'own') };
  return openDependencies(environment, createTelemetry({ level: 'silent', process: 'test' }), overrides);
};

test.each([
  { case: 'files that hold no certificate', written: 'no certificate' },
  { case: 'files that are not there', written: null },
])('with $case a start ends, and says which variables to mend', async ({ written }) => {
  const file = join(folder, written ? 'tls.pem' : 'nowhere.pem');
  if (written) writeFileSync(file, written);
  const { code, said } = await startInVain({ ...place, variables: { TLS_CERT_FILE: file, TLS_KEY_FILE: file } });
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/TLS_CERT_FILE.*TLS_KEY_FILE/) });
  await (await open()).close();
});

test('a first start whose PORT or GRPC_PORT is taken says so, and the next one still has its key', async () => {
  const there = await migratedPlace(mkdtempSync(join(folder, 'taken-')));
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  for (const variable of ['GRPC_PORT', 'PORT']) {
    const { code, said } = await startInVain({ ...there, variables: { [variable]: String(port) } });
    expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining(`set ${variable} to another port`) });
  }
  other.close();
  const service = await startService(there);
  expect(await service.call('GET', '/v1/memories')).toMatchObject({ data: [] });
  await service.stop();
});

test('a wrong environment is told in words, each mistake of it', async () => {
  const { code, said } = await startInVain({ ...place, variables: { PORT: 'abc', LOG_LEVEL: 'loud' } });
  expect({ code, said }).toEqual({
    code: 1,
    said: expect.stringMatching(/must be a number[^]*LOG_LEVEL|LOG_LEVEL[^]*must be a number/),
  });
  expect(said).toMatch(/^presage: the environment is wrong/);
  expect(said).not.toContain('    at ');
});

test('where vectors cannot be prepared, the database is closed again and the folder given back', async () => {
  let isClosed = false;
  const opening = open({
    openDatabase: async () => {
      const database = await openDatabaseOf(folder, join(folder, 'data'));
      return {
        ...database,
        exclusively: () => Promise.reject(new Error('no table of vectors')),
        async close() {
          await database.close();
          isClosed = true;
        },
      };
    },
  });
  await expect(opening).rejects.toThrow('no table of vectors');
  expect(isClosed).toBe(true);
  await (await open()).close();
});
