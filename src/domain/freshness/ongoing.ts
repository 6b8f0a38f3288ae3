import type { Announced, Revised } from './freshness.ts';

/** The changes that this process is writing, or that it still waits for. */
export class Ongoing {
  readonly #changes = new Map<Announced, Promise<void>>();

  begin(passed: (revised: readonly Revised[]) => Promise<void>): Announced {
    const revised: Revised[] = [];
    let ended: (() => void) | undefined;
    const change: Announced = {
      revised,
      passed: () => passed(revised),
      end: () => {
        this.#changes.delete(change);
        ended?.();
      },
    };
    this.#changes.set(change, new Promise((resolve) => (ended = resolve)));
    return change;
  }

  /** Resolves when those have ended that revise one of these. */
  async ended(i: bigint, ownerNos: readonly number[]): Promise<void> {
    for (const [{ revised }, ended] of this.#changes) {
      if (revised.some((each) => each.i === i && ownerNos.includes(each.ownerNo))) await ended;
    }
  }
}
