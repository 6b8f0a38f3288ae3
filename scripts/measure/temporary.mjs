// The real service in this process, on a database that is gone afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../dist/app.js';
import { openDependencies } from '../../dist/dependencies.js';
import { newUuid, parseInstanceId } from '../../dist/domain/ids.js';
import { hashSecret, newSecret } from '../../dist/domain/tenancy/credentials.js';
import { readEnvironment } from '../../dist/environment.js';
import { createTelemetry } from '../../dist/telemetry.js';
import { runWorker } from '../../dist/jobs/worker.js';

export async function openTemporary() {
  const folder = mkdtempSync(join(tmpdir(), 'presage-measure-'));
  const environment = {
    ...readEnvironment({ PRESAGE_DATA_DIR: folder, LOG_LEVEL: 'silent' }),
    ownFolder: join(folder, 'own'),
  };
  const telemetry = createTelemetry({ level: 'silent', process: 'measure' });
  const deps = await openDependencies(environment, telemetry);
  const app = createApp(deps);
  const id = newUuid();
  await deps.db.adminToken.create({ data: { id, hash: hashSecret(newSecret('admin')), role: 'owner' } });
  const admin = { kind: 'admin', tokenId: id, role: 'owner' };
  const stopping = new AbortController();
  const working = runWorker(deps, telemetry, { signal: stopping.signal, concurrency: 1 });
  return {
    app,
    deps,
    async instance() {
      const { id: instance } = await app.createInstance(admin, { name: 'measure' });
      const { key } = await app.createKey(await app.accessAsAdmin(admin, parseInstanceId(instance)), { label: null });
      return (await app.authenticate(`Bearer ${key}`)).access;
    },
    async settle() {
      while (await deps.db.job.count()) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async close() {
      stopping.abort();
      await working;
      await deps.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
