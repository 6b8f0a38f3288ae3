import { keepNewest } from './keep-newest.ts';
import type { AnticipatedMemory, Bundle, RetainedMemory, Withdrawal } from './stream-messages.ts';

/** The memories that the reader holds after an update. */
interface Held {
  readonly sequence: number;
  readonly ids: readonly string[];
  /** The owner of each of them. */
  readonly ownerNos: readonly number[];
  /** The content version of each. */
  readonly versions: readonly number[];
}

/** A memory that a reader holds, by its public id, and how many corrections its words include. */
export interface RetainedVersion {
  readonly id: string;
  readonly contentVersion: number;
}

/** Updates that a reader may have missed: more than these are in flight on no connection. */
const remembered = 32;
const withdrawnAtMost = 1_000;

/** The numbered updates that a session was sent, so that less travels and a lost connection loses nothing. */
export class SessionHistory {
  #sequence = 0;
  /** Plain lists: thousands of streams remember some dozens each. */
  #history: Held[] = [];
  #withdrawn = new Map<string, number>();
  #isSnapshot = true;

  next(): number {
    return (this.#sequence += 1);
  }

  /** The memories of the current bundle, without those withdrawn. */
  get ids(): readonly string[] {
    return this.#history.at(-1)?.ids ?? [];
  }

  /** The memories of the current bundle that belong to these owners. */
  heldByOwners(ownerNos: ReadonlySet<number>): readonly RetainedVersion[] {
    const last = this.#history.at(-1);
    if (!last) return [];
    return last.ids.flatMap((id, n) =>
      ownerNos.has(last.ownerNos[n]!) ? { id, contentVersion: last.versions[n]! } : [],
    );
  }

  /** The bundle as it leaves: what a reader that keeps bundles holds already goes by its id. */
  recordSent(bundle: Bundle, keepsBundle: boolean): Bundle {
    const isSnapshot = this.#isSnapshot;
    const last = this.#history.at(-1);
    const held = keepsBundle && !isSnapshot ? new Map(last?.ids.map((id, n) => [id, last.versions[n]])) : null;
    const memories = held
      ? bundle.memories.map((memory) => (held.get(memory.id) === contentVersionOf(memory) ? byId(memory) : memory))
      : bundle.memories;
    this.#remember({
      sequence: bundle.sequence,
      ids: bundle.memories.map(({ id }) => id),
      ownerNos: bundle.memories.map(ownerOf),
      versions: bundle.memories.map(contentVersionOf),
    });
    this.#isSnapshot = false;
    return { ...bundle, memories, isSnapshot };
  }

  withdraw(withdrawal: Withdrawal): Withdrawal {
    const gone = new Set(withdrawal.memoryIds);
    for (const id of gone) {
      this.#withdrawn.delete(id);
      this.#withdrawn.set(id, withdrawal.sequence);
    }
    keepNewest(this.#withdrawn, withdrawnAtMost);
    const { ids, ownerNos, versions } = this.#history.at(-1) ?? { ids: [], ownerNos: [], versions: [] };
    const stays = (_: unknown, n: number) => !gone.has(ids[n]!);
    this.#remember({
      sequence: withdrawal.sequence,
      ids: ids.filter(stays),
      ownerNos: ownerNos.filter(stays),
      versions: versions.filter(stays),
    });
    return withdrawal;
  }

  /**
   * Resumes after the last update the reader received. Returns its memories withdrawn since; null if no longer known:
   * the session then begins with a snapshot.
   */
  resume(lastSequence: number): string[] | null {
    const last = this.#history.find(({ sequence }) => sequence === lastSequence);
    if (!last) {
      this.#history = [];
      this.#isSnapshot = true;
      return null;
    }
    this.#history = [last];
    return last.ids.filter((id) => (this.#withdrawn.get(id) ?? 0) > lastSequence);
  }

  #remember(held: Held): void {
    this.#history.push(held);
    if (this.#history.length > remembered) this.#history.shift();
  }
}

const byId = ({ id, score, reason, possiblyOutdatedBy }: AnticipatedMemory | RetainedMemory): RetainedMemory => ({
  held: true,
  id,
  score,
  reason,
  possiblyOutdatedBy,
});
const ownerOf = (memory: AnticipatedMemory | RetainedMemory) => ('held' in memory ? -1 : memory.ownerNo);
const contentVersionOf = (memory: AnticipatedMemory | RetainedMemory) =>
  'held' in memory ? -1 : memory.contentVersion;
