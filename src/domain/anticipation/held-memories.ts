import type { StreamObserver } from './observe-stream.ts';
import type { Update } from './stream-messages.ts';

/** The memories that the agent of one stream holds: those of the current bundle, without those withdrawn. */
export class HeldMemories implements StreamObserver {
  #since: ReadonlyMap<string, number> = new Map();

  /** When (`performance.now()`) each memory came into the bundle, by public id. A returned map never changes. */
  get since(): ReadonlyMap<string, number> {
    return this.#since;
  }

  sending(update: Update): void {
    if (update.kind === 'bundle') {
      const nowMs = performance.now();
      this.#since = new Map(update.memories.map(({ id }) => [id, this.#since.get(id) ?? nowMs]));
    } else if (update.kind === 'withdrawal') {
      const gone = new Set(update.memoryIds);
      this.#since = new Map([...this.#since].filter(([id]) => !gone.has(id)));
    }
  }
}
