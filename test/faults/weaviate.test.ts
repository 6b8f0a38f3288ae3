import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairVectorIndexOf } from '../../src/domain/memories/repair-vectors.ts';
import { ownServer } from '../support/own-server.ts';
import { isWanted, startWeaviate } from '../support/weaviate-server.ts';
import { customerId, openTown } from './killing/town.ts';
import { isProof, lengthOf, seed, tell } from './length.ts';

const own = ownServer();

// `test/behaviour/weaviate` shows an outage of seconds, and every answer meanwhile, wherever Weaviate is installed.
test.runIf(isWanted && isProof)(
  'a Weaviate that is killed while documents come in, and away for a minute: they wait, and none is lost or there twice',
  { timeout: 3_600_000 },
  async () => {
    const weaviate = startWeaviate();
    const town = await openTown(own.server, 'of_weaviate', { variables: weaviate.variables });
    const kills = Number(process.env['KILLS'] ?? lengthOf(10, 1));
    // What is at hand of an owner whose memories did not change answers in full.
    const answers = { inFull: 0, withWarning: 0, unavailable: 0, other: 0 };
    try {
      await town.start('worker');
      for (const [round, ms] of fc.sample(fc.nat(400), { numRuns: kills, seed }).entries()) {
        const sending = Promise.all(Array.from({ length: 10 }, () => town.send()));
        await pause(ms);
        await weaviate.kill();
        await sending; // accepted without it
        for (const mode of ['fast', 'accurate'] as const) {
          const query = { searchQueries: ['Which cellar?'], userId: 'ada', customerId, mode, explain: false };
          await town.app.fetchContext(town.houses[0].access, query).then(
            ({ warnings }) => void (warnings.length ? answers.withWarning++ : answers.inFull++),
            (error: { code?: string }) => void (error.code === 'unavailable' ? answers.unavailable++ : answers.other++),
          );
        }
        await pause(round === 0 ? 60_000 : ms);
        weaviate.restart();
      }
      const outcome = await town.outcome();
      tell('Weaviate killed', { kills, ...answers, ...outcome });
      expect(outcome).toMatchObject({ lost: 0, duplicates: 0, visibleToStrangers: 0 });
      expect(answers.other).toBe(0);
      expect(answers.inFull + answers.withWarning + answers.unavailable).toBe(2 * kills);
      for (const { access } of town.houses) {
        const repair = () =>
          repairVectorIndexOf(town.deps, access, { signal: AbortSignal.timeout(60_000), progress: () => undefined });
        await expect.poll(repair, { timeout: 60_000 }).toMatchObject({ lacking: 0, orphaned: 0, differing: 0 });
      }
    } finally {
      await town.close();
      weaviate.stop();
    }
  },
);
