import { expect, test } from 'vitest';
import { TokenBucket } from '../../../src/domain/tenancy/rate.ts';

const rate = { perMinute: 1_200, burst: 300 };
const second = 1_000;

/** How many calls are taken at this time. */
function takenAt(bucket: TokenBucket, at: number): number {
  for (let n = 0; ; n++) if (!bucket.take(at)) return n;
}

test('a burst at once, then as many as come back', () => {
  const bucket = new TokenBucket(rate, 0);
  expect(takenAt(bucket, 0)).toBe(300);
  expect(takenAt(bucket, second)).toBe(20);
  expect(takenAt(bucket, 1.5 * second)).toBe(10);
});

test('in no minute more than the burst and the rate of a minute', () => {
  const bucket = new TokenBucket(rate, 0);
  let taken = 0;
  for (let at = 0; at < 60 * second; at += 10) taken += takenAt(bucket, at);
  expect(taken).toBeLessThanOrEqual(1_500);
  expect(taken).toBeGreaterThan(1_490);
});

test('a rest brings back the burst and no more', () => {
  const bucket = new TokenBucket(rate, 0);
  takenAt(bucket, 0);
  expect(bucket.quota(7 * second)).toEqual({ rate, remaining: 140, fullInSeconds: 8, nextInSeconds: 0 });
  expect(takenAt(bucket, 3_600 * second)).toBe(300);
});

test('what is owed is waited for', () => {
  const bucket = new TokenBucket(rate, 0);
  bucket.set(-59, 0);
  expect(bucket.quota(0)).toMatchObject({ remaining: 0, nextInSeconds: 3 });
  expect(takenAt(bucket, 2 * second)).toBe(0);
  expect(takenAt(bucket, 3 * second)).toBe(1);
});

test('a clock that goes back takes nothing away', () => {
  const bucket = new TokenBucket(rate, 10 * second);
  expect(takenAt(bucket, 0)).toBe(300);
});

test('another rate gives nothing back: what is left is left, as far as the new burst holds it', () => {
  const bucket = new TokenBucket(rate, 0);
  expect(takenAt(bucket.under({ perMinute: 60, burst: 10 }, 0), 0)).toBe(10);
  for (let n = 0; n < 295; n++) bucket.take(0);
  expect(takenAt(bucket.under({ perMinute: 60, burst: 1_000 }, 0), 0)).toBe(5);
  bucket.set(-59, 0);
  expect(bucket.under({ perMinute: 60, burst: 10 }, 0).quota(0)).toMatchObject({ remaining: 0, nextInSeconds: 60 });
});
