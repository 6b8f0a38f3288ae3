import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createWakeSignal } from '../../src/db/wake-signal.ts';
import { IngestionProgress } from '../../src/domain/ingestion/watch-ingestion.ts';

/** Node 20 collects an `AbortSignal.any` or `.timeout` that only its listener holds: what waits for one alone waits for ever. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const never = new AbortController().signal;
const waits: Record<string, () => Promise<void>> = {
  'a worker for its next look': () => createWakeSignal<void>().wait(200, never),
  'a watcher of an ingestion': () => new IngestionProgress(() => undefined).next('an ingestion', 200, never),
};

test.each(Object.keys(waits))('%s: it ends in time, also when garbage is collected meanwhile', async (name) => {
  const waiting = Promise.all(Array.from({ length: 10 }, waits[name]!)).then(() => 'over');
  for (let n = 0; n < 5; n++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    collectGarbage();
  }
  const late = new Promise((resolve) => setTimeout(resolve, 2_000, 'still waiting'));
  expect(await Promise.race([waiting, late])).toBe('over');
});
