/** Signals that a stream may send at once, and each second from then on: faster than anybody types or speaks. */
const [burst, perSecond] = [200, 100];

/** A token bucket. `take` returns how long to wait, in milliseconds; 0: not at all. `now` in milliseconds. */
export function createThrottle(now: () => number): { take(): number } {
  let tokens = burst;
  let last = now();
  return {
    take() {
      const at = now();
      tokens = Math.min(burst, tokens + ((at - last) / 1_000) * perSecond);
      last = at;
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      return Math.ceil(((1 - tokens) / perSecond) * 1_000);
    },
  };
}
