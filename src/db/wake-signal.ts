/** Resumes one waiter, with work for it or without; without, it looks for work itself. */
export type ResumeWaiter<Work> = (work?: Work) => void;

/** Wakes those who wait for work in this process, such as workers for jobs, or hands the work to one of them. */
export interface WakeSignal<Work> {
  /** Starts one who waits; with nobody waiting, the next that would wait goes on instead. */
  wake(): void;
  /** Starts all who wait: such as when another process stored jobs, and how many is not known. */
  wakeAll(): void;
  /** Reserves a waiter. Returns a function that the caller must call to resume it; null when there is no waiter. */
  reserve(): ResumeWaiter<Work> | null;
  /** Resolves when woken, after `ms`, or when aborted; with the work that was handed over, if any. */
  wait(ms: number, signal: AbortSignal): Promise<Work | undefined>;
}

interface Waiter<Work> {
  /** Reserves the waiter: from then on only `goOn` ends its wait. */
  keep(): void;
  readonly goOn: ResumeWaiter<Work>;
}

export function createWakeSignal<Work>(): WakeSignal<Work> {
  const waiting = new Set<Waiter<Work>>();
  let missed = false;
  return {
    wake() {
      const [first] = waiting;
      if (first) first.goOn();
      else missed = true;
    },
    wakeAll() {
      if (!waiting.size) missed = true;
      for (const { goOn } of waiting) goOn();
    },
    reserve() {
      const [first] = waiting;
      first?.keep();
      return first?.goOn ?? null;
    },
    wait(ms, signal) {
      if (missed || signal.aborted || ms <= 0) {
        missed = false;
        return Promise.resolve(undefined);
      }
      return new Promise((resolve) => {
        const keep = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', look);
          waiting.delete(one);
        };
        const goOn = (work?: Work) => {
          keep();
          resolve(work);
        };
        const look = () => goOn();
        const one = { keep, goOn };
        const timer = setTimeout(look, ms);
        signal.addEventListener('abort', look, { once: true });
        waiting.add(one);
      });
    },
  };
}
