/** Lets whoever did something in this process start those who wait for it at once, such as workers for jobs. */
export interface WakeUp {
  /** Starts one who waits; with nobody waiting, the next that would wait goes on instead. */
  wake(): void;
  /** Starts all who wait: such as when another process stored jobs, and how many is not known. */
  wakeAll(): void;
  /** Resolves when woken, after `ms`, or when aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function createWakeUp(): WakeUp {
  const waiting = new Set<() => void>();
  let missed = false;
  return {
    wake() {
      const [first] = waiting;
      if (first) first();
      else missed = true;
    },
    wakeAll() {
      if (!waiting.size) missed = true;
      for (const goOn of waiting) goOn();
    },
    wait(ms, signal) {
      if (missed || signal.aborted) {
        missed = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        const goOn = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', goOn);
          waiting.delete(goOn);
          resolve();
        };
        const timer = setTimeout(goOn, ms);
        signal.addEventListener('abort', goOn, { once: true });
        waiting.add(goOn);
      });
    },
  };
}
