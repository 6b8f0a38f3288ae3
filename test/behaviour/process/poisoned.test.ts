import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isOnPostgres } from '../../support/place-database.ts';
import { migratedPlace, startService, type ServiceProcess } from '../../support/service-process.ts';

/** A worker looks for jobs each second; in milliseconds. */
const takenWithinMs = 2_500;
/** Takes seconds to ingest, so that the process can be killed meanwhile. */
const long = Array.from(
  { length: 9_000 },
  (_, n) => `On walk ${n} Odile met Marek by the mill of Graz number ${n}.`,
).join(' ');

// On a server a lease of 15 s must run out after each death: `giving-up.test.ts` shows there what becomes of the job.
test.skipIf(isOnPostgres())(
  'a document at which the process died three times is given up',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'presage-poisoned-'));
    const place = await migratedPlace(folder);
    let service: ServiceProcess | undefined = await startService(place);
    try {
      const { ingestion_id: id } = await service.call('POST', '/v1/memories', {
        document: long,
        document_type: 'note',
        user_id: 'ada',
        document_id: 'poison',
      });
      const statusOf = async () => (await service!.call('GET', `/v1/memories/${id}/status`)) as { status: string };
      for (let death = 1; death <= 3; death++) {
        await pause(takenWithinMs); // its stage is what the process before wrote, and does not tell
        expect((await statusOf()).status).not.toMatch(/completed|failed/);
        await service.kill();
        service = await startService(place);
      }
      // What comes after it is not kept waiting.
      const { ingestion_id: next } = await service.call('POST', '/v1/memories', {
        document: 'I keep ducks.',
        document_type: 'note',
        user_id: 'ada',
      });
      expect(await service.call('GET', `/v1/memories/${next}/status?wait=20`)).toMatchObject({ status: 'completed' });
      await expect.poll(statusOf, { timeout: 20_000 }).toMatchObject({
        status: 'failed',
        error: 'given up: 3 times the process that read it ended meanwhile',
      });
      await expect.poll(() => service!.output()).toContain('a job was given up'); // lines of the log wait for one another
    } finally {
      await service.kill().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
