import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openPgliteHere } from '../support/pglite-here.ts';
import { isOnPostgres } from '../support/place-database.ts';
import { newFolder, openWorld } from '../support/world.ts';
import type { Counts } from './invalidation/reader.ts';
import { openPlace, playScene, tidy, type Broken } from './invalidation/scene.ts';
import { lengthOf, seed, tell } from './length.ts';

/**
 * Never stale: no bundle holds a memory whose end was acknowledged before the last check of that bundle began; and when
 * an end is acknowledged, its withdrawal is the next that a stream gets which shows the memory.
 */
const world = openWorld();
let here: Database | undefined;
beforeAll(async () => {
  if (!isOnPostgres()) here = await openPgliteHere(join(newFolder(dirname(inject('template'))), 'postgres'));
});
afterAll(() => here?.close());
const runs = Number(process.env['PROOF_INTERLEAVINGS'] ?? lengthOf(100_000, 40));

/** The form for one process on the embedded database; that for several on both, most of it on the real Postgres. */
const forms = isOnPostgres()
  ? ([{ form: 'several', count: runs }] as const)
  : ([
      { form: 'one process', count: runs },
      { form: 'several', count: Math.ceil(runs / 5) },
    ] as const);

async function play(form: 'one process' | 'several', count: number, broken: Broken = 'nothing') {
  const counts: Counts = {
    bundles: 0,
    withdrawals: 0,
    prevented: 0,
    acknowledged: 0,
    revoked: 0,
    hung: 0,
    staleServes: 0,
    lateWithdrawals: 0,
  };
  const place = await openPlace(world, here?.db);
  for (let n = 0; n < count; n++) {
    await playScene(place, { seed: seed + n, form, broken }, counts);
    if (broken === 'nothing' && counts.staleServes + counts.lateWithdrawals) {
      throw new Error(`somebody is, with PROOF_SEED=${seed + n}`);
    }
    if (counts.staleServes) break; // found
    if ((n + 1) % 1_000 === 0) await tidy(place);
    if ((n + 1) % 5_000 === 0) tell(`invalidation, ${form}, ${n + 1} interleavings`, counts);
  }
  return counts;
}

test.each(forms)(
  'whatever comes between, nobody is shown what ended before ($form)',
  { timeout: lengthOf(4 * 3_600_000, 120_000) },
  async ({ form, count }) => {
    const counts = await play(form, count);
    tell(`invalidation, ${form}`, { interleavings: count, ...counts });
    expect(counts).toMatchObject({ staleServes: 0, lateWithdrawals: 0 });
    expect(Math.min(counts.bundles, counts.withdrawals, counts.acknowledged)).toBeGreaterThan(count / 2);
    expect(counts.revoked).toBeGreaterThan(0);
    if (form === 'several') expect(counts.hung).toBeGreaterThan(0);
  },
);

test.each(
  forms.flatMap(({ form }) => (['the barrier', 'the last check'] as const).map((broken) => ({ form, broken }))),
)('without $broken, somebody is ($form)', async ({ form, broken }) => {
  const { staleServes, lateWithdrawals } = await play(form, 300, broken);
  tell(`invalidation, ${form}, without ${broken}`, { staleServes, lateWithdrawals });
  expect(staleServes).toBeGreaterThan(0);
});
