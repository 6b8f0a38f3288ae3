import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockFolder } from '../../../src/db/lock-file.ts';
import { emptyFolder } from '../../support/world.ts';
import { timed } from '../../support/timed.ts';

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const lock = join(folder, 'lock');
const isLinux = process.platform === 'linux';

/** A process that never was: no pid is so high. */
const gone = 4_194_305;

/** What a lock says of this process, as if it were another one. */
async function ownWords(): Promise<{ birth: string; place: string }> {
  const unlock = await lockFolder(folder);
  const [, birth, place] = readFileSync(lock, 'utf8').trim().split(' ');
  unlock();
  return { birth: birth!, place: place! };
}

test('one process has the folder until it gives it back, and leaves nothing behind', async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}:`);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(isLinux)('the lock of a process that is gone from here is taken over at once', timed, async () => {
  const { birth, place } = await ownWords();
  writeFileSync(lock, `${gone} ${birth} ${place}\n`);
  const began = performance.now();
  (await lockFolder(folder))();
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.runIf(isLinux)('the lock of another container is taken over once nobody shows there any more', async () => {
  const { birth } = await ownWords();
  writeFileSync(lock, `${gone} ${birth} elsewhere\n`);
  const living = setInterval(() => utimesSync(lock, new Date(), new Date()), 500);
  try {
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${gone} of another container or machine:`);
  } finally {
    clearInterval(living);
  }
  const unlock = await lockFolder(folder);
  expect(readFileSync(lock, 'utf8')).toContain(`${process.pid} `);
  unlock();
});

test('a lock shows that its process lives', async () => {
  const unlock = await lockFolder(folder);
  utimesSync(lock, new Date(0), new Date(0));
  await expect.poll(() => Date.now() - statSync(lock).mtimeMs).toBeLessThan(2_000);
  unlock();
});

test.runIf(isLinux)('many that find the lock of a dead process: one has the folder', async () => {
  const { birth, place } = await ownWords();
  writeFileSync(lock, `${gone} ${birth} ${place}\n`);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
  const unlocks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  expect(unlocks).toHaveLength(1);
  unlocks[0]!();
  expect(readdirSync(folder)).toEqual([]);
});
