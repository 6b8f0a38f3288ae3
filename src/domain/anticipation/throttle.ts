import { TokenBucket } from '../tenancy/rate.ts';

/** Signals that a stream may send at once, and each second from then on: faster than anybody types or speaks. */
const [burst, perSecond] = [200, 100];

/** `take` returns how long to wait, in milliseconds; 0: not at all. `now` in milliseconds. */
export function createThrottle(now: () => number): { take(): number } {
  const bucket = new TokenBucket({ burst, perMinute: perSecond * 60 }, now());
  return {
    take() {
      const at = now();
      return bucket.take(at) ? 0 : bucket.nextInMs(at);
    },
  };
}
