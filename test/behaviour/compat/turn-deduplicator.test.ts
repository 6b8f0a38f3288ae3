import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { TurnDeduplicator } from '../../../src/transports/compat/turn-deduplicator.ts';
import { openWorld } from '../../support/world.ts';

const world = openWorld();

test('long turns that were said a moment ago take no more room than short ones', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { access } = await world.instance();
  const turns = new TurnDeduplicator();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 1_000; n++) {
    const content = `${n} `.padEnd(100_000, 'x');
    expect(turns.isKnown(access, { conversationId: 'c', role: 'user', content }, 'rest')).toBe(false);
    expect(turns.isKnown(access, { conversationId: 'c', role: 'user', content }, 'stream')).toBe(true);
  }
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000); // the words alone are 100 MB
});
