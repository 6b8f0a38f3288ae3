import { EventEmitter } from 'node:events';
import type { Revision } from '../invalidation/invalidation.ts';

const prefix = 'memories/';
/** The event after which nobody knows which owners changed; no instance has this number. */
const lost = 'lost';

/** Publishes the owners of changed memories: in this process after a commit, in others by notices that may be lost. */
export class MemoryFeed {
  readonly #changed = new EventEmitter().setMaxListeners(0);
  readonly #tellOthers: (subject: string) => void;

  constructor(tellOthers: (subject: string) => void = () => undefined) {
    this.#tellOthers = tellOthers;
  }

  /** Publishes changes. Call it after the commit. */
  publish(revised: readonly Revision[]): void {
    for (const { instanceNumber, ownerNo } of revised) {
      this.#changed.emit(String(instanceNumber), ownerNo);
      this.#tellOthers(`${prefix}${instanceNumber}/${ownerNo}`);
    }
  }

  /** Takes what another process told. Returns whether it is about memories. */
  heard(subject: string): boolean {
    if (!subject.startsWith(prefix)) return false;
    const [instanceNumber, ownerNo] = subject.slice(prefix.length).split('/');
    this.#changed.emit(instanceNumber!, Number(ownerNo));
    return true;
  }

  /** Notices of other processes may have been lost. */
  missed(): void {
    this.#changed.emit(lost);
  }

  /**
   * Calls `hear` with the number of each owner of the instance whose memories changed, and `look` when notices may have
   * been lost, so that any owner may have changed. Returns what ends it.
   */
  listen(instanceNumber: bigint, hear: (ownerNo: number) => void, look: () => void): () => void {
    const each = (ownerNo: number) => hear(ownerNo);
    const anyOne = () => look();
    this.#changed.on(String(instanceNumber), each).on(lost, anyOne);
    return () => void this.#changed.off(String(instanceNumber), each).off(lost, anyOne);
  }
}
