import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { brokenRules } from '../support/consistency.ts';
import { openPgliteHere } from '../support/pglite-here.ts';
import { isOnPostgres } from '../support/place-database.ts';
import { newFolder, startWorld, type World } from '../support/world.ts';
import { markOf } from './isolation/knowledge.ts';
import { ingest, operations } from './isolation/operations.ts';
import { finished, remember } from './isolation/progress.ts';
import { hear, openScene, type Counts, type Scene } from './isolation/scene.ts';
import { lengthOf, seed, tell } from './length.ts';

/** Sequences on one database. At full length a run that was stopped goes on with the chunk it was in. */
const chunk = lengthOf(200, 12);
const chunks = Number(process.env['PROOF_SEQUENCES'] ?? lengthOf(10_000, chunk)) / chunk;
/** Something is said before anything is tried. */
const sequences = fc.tuple(
  fc.array(ingest, { minLength: 3, maxLength: 5, size: 'max' }),
  fc.commands(operations, { maxCommands: 24, size: 'max' }),
);
/** The rules of the tables are looked at after each so many sequences. */
const rulesEvery = 10;

const total = { sequences: 0, operations: 0, answers: 0, refusals: 0, read: 0, leaks: 0 };
const where = () => (isOnPostgres() ? ', two services on one Postgres' : '');
afterAll(() => tell(`isolation, two instances of three users${where()}`, total));

test.each(Array.from({ length: chunks }, (_, n) => ({ n })))(
  'whatever two instances and their users do, nobody reads what is not theirs (chunk $n)',
  { timeout: 60_000 + chunk * 20_000 },
  async ({ n }) => {
    const counts: Counts & { sequences: number } = finished(seed, n) ?? (await runChunk(n));
    remember(seed, n, counts);
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof counts] += count;
    tell(`chunk ${n}`, counts);
    expect(counts.leaks).toBe(0);
    expect(counts.answers).toBeGreaterThan(chunk);
    expect(counts.read).toBeGreaterThan(chunk); // readers do read
    expect(counts.refusals).toBeGreaterThan(0);
  },
);

async function runChunk(n: number) {
  const counts = { sequences: 0, operations: 0, answers: 0, refusals: 0, read: 0, leaks: 0 };
  const folder = newFolder();
  const here = isOnPostgres() ? {} : { openDatabase: openPgliteHere.bind(null, join(folder, 'postgres')) };
  const world = await startWorld(here, { folder });
  const worlds = isOnPostgres() ? [world, await startWorld({}, { folder })] : [world];
  let marks = 0;
  const newMark = () => markOf(marks++);
  try {
    await fc.assert(
      fc.asyncProperty(sequences, async ([first, rest]) => {
        const scene = await openScene(worlds, counts, newMark);
        await fc.asyncModelRun(() => ({ model: {}, real: scene }), [...first, ...rest]);
        await compareAll(scene, world, counts.sequences);
        counts.sequences += 1;
      }),
      { numRuns: chunk, seed: seed + n },
    );
  } finally {
    await Promise.all(worlds.map((each) => each.close()));
    rmSync(folder, { recursive: true, force: true });
  }
  return counts;
}

/** In the end each instance holds what was told and not forgotten, whoever tried what; and no row without its partner. */
async function compareAll(scene: Scene, { deps }: World, sequence: number): Promise<void> {
  for (const [house, access] of scene.houses.entries()) {
    const told = scene.knowledge.ownedBy(house, {});
    const { data } = await scene.app.memories(access, {}, { limit: 100 });
    hear(scene, data, { allowed: told, expected: told.filter(({ state }) => state !== 'reduced') });
    if (sequence % rulesEvery === 0) expect(await brokenRules(deps, access)).toEqual({});
  }
}
