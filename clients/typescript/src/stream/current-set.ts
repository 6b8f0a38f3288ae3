import type { Bundle__Output } from '../generated/proto/presage/anticipation/v1/Bundle.ts';
import type { Withdrawal__Output } from '../generated/proto/presage/anticipation/v1/Withdrawal.ts';
import { fromMemory, changingFieldsOf } from './from-message.ts';
import type { StreamMemory, StreamUpdate } from './records.ts';

/** The memories that stand, as bundles and withdrawals change them. */
export class CurrentSet {
  #memories = new Map<string, StreamMemory>();
  #withdrawn = new Set<string>();
  #sequence = 0;
  #hasNews = false;

  get memories(): readonly StreamMemory[] {
    return [...this.#memories.values()];
  }

  /** Of the last update that was taken; the server resumes after it. */
  get sequence(): number {
    return this.#sequence;
  }

  /** A bundle is the whole set; a memory that stood before travels by its id. */
  replace(bundle: Bundle__Output): void {
    const held = bundle.snapshot ? new Map<string, StreamMemory>() : this.#memories;
    const next = new Map<string, StreamMemory>();
    for (const memory of bundle.memories) {
      const known = memory.held ? held.get(memory.id) : undefined;
      if (memory.held && !known) continue; // it was withdrawn while the bundle was on its way
      next.set(memory.id, known ? { ...known, ...changingFieldsOf(memory) } : fromMemory(memory));
    }
    // After a lost connection that could not be resumed, nobody tells what was withdrawn meanwhile.
    if (bundle.snapshot) for (const id of this.#memories.keys()) if (!next.has(id)) this.#withdrawn.add(id);
    for (const id of next.keys()) this.#withdrawn.delete(id);
    this.#memories = next;
    this.#take(bundle.sequence);
  }

  withdraw({ memory_ids, sequence }: Withdrawal__Output): void {
    for (const id of memory_ids) {
      this.#memories.delete(id);
      this.#withdrawn.add(id);
    }
    this.#take(sequence);
  }

  /** What changed since it was asked last; undefined: nothing. */
  news(): StreamUpdate | undefined {
    if (!this.#hasNews) return undefined;
    const withdrawn = [...this.#withdrawn];
    this.#withdrawn = new Set();
    this.#hasNews = false;
    return { memories: this.memories, withdrawn, sequence: this.#sequence };
  }

  #take(sequence: number): void {
    this.#sequence = sequence;
    this.#hasNews = true;
  }
}
