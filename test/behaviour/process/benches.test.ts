import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A bench of its own parts in the place of the service's falls behind the service without anybody noticing. */
test('the bench of streams still pushes bundles through the server of streams', { timeout: 60_000 }, () => {
  const args = ['test/bench/streams/bench.mjs', '--quick', '--only', 'fan-out', '--streams', '20'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toMatch(/^RESULT streams fan-out per_second_service=[1-9]/mu);
});
