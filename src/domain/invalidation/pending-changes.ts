import type { PendingChange, Revision } from './invalidation.ts';

/** The changes that this process is writing, or that it still waits for. */
export class PendingChanges {
  readonly #changes = new Map<PendingChange, Promise<void>>();

  begin(propagate: (revised: readonly Revision[]) => Promise<void>): PendingChange {
    const revised: Revision[] = [];
    let ended: (() => void) | undefined;
    const change: PendingChange = {
      revised,
      propagate: () => propagate(revised),
      end: () => {
        this.#changes.delete(change);
        ended?.();
      },
    };
    this.#changes.set(change, new Promise((resolve) => (ended = resolve)));
    return change;
  }

  /** Resolves when those have ended that revise one of these. */
  async ended(instanceNumber: bigint, ownerNos: readonly number[]): Promise<void> {
    if (!this.#changes.size) return;
    const concerned = [...this.#changes].filter(([{ revised }]) =>
      revised.some((each) => each.instanceNumber === instanceNumber && ownerNos.includes(each.ownerNo)),
    );
    await Promise.all(concerned.map(([, ended]) => ended));
  }
}
