import { expect, test } from 'vitest';
import { unlessAborted } from '../../../src/domain/flow/unless-aborted.ts';
import { withDeadline } from '../../../src/domain/flow/with-deadline.ts';

const late = new Error('too late');
const left = new Error('the caller left');
const never = (signal: AbortSignal) => unlessAborted(new Promise<never>(() => undefined), signal);

test('work that is done in time is returned, and whoever leaves afterwards ends nothing', async () => {
  const caller = new AbortController();
  let given!: AbortSignal;
  const work = async (signal: AbortSignal) => {
    given = signal;
    return 'done';
  };
  expect(await withDeadline({ ms: 60_000, signal: caller.signal }, work)).toBe('done');
  caller.abort();
  expect(given.aborted).toBe(false);
});

test('work that is not done in time is aborted, for the reason that is given', async () => {
  await expect(withDeadline({ ms: 1, timeoutError: () => late }, never)).rejects.toBe(late);
});

test('a caller that leaves ends the work, for its own reason', async () => {
  const caller = new AbortController();
  const working = withDeadline({ ms: 60_000, signal: caller.signal, timeoutError: () => late }, never);
  caller.abort(left);
  await expect(working).rejects.toBe(left);
});

test('work of a caller that has left is aborted before it begins', async () => {
  const reason = await withDeadline({ ms: 60_000, signal: AbortSignal.abort(left) }, async (signal) => signal.reason);
  expect(reason).toBe(left);
});
