const closed = 0;
const inside = 1;
const shut = 1;
/** A text takes some 50 ms and loading 200; whoever is inside for longer hangs. In milliseconds. */
const timeoutMs = 2_000;

/**
 * Shared by a thread and its worker: ending a thread while it is inside onnxruntime aborts the whole process
 * (code 134, "terminate called after throwing Napi::Error"), also when the process is only about to exit.
 */
export class NativeGate {
  readonly memory: SharedArrayBuffer;
  readonly #state: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#state = new Int32Array(memory);
  }

  /** The worker's side: runs native work, one at a time, unless the gate is shut. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    // Enter first, then look: either this side sees the gate shut, or the other sees somebody inside.
    Atomics.store(this.#state, inside, 1);
    try {
      if (Atomics.load(this.#state, closed) === shut) throw new Error('the thread of the model is ending');
      return await work();
    } finally {
      Atomics.store(this.#state, inside, 0);
      Atomics.notify(this.#state, inside);
    }
  }

  /** The owner's side: lets nobody in any more, and blocks until nobody is inside. */
  close(): void {
    Atomics.store(this.#state, closed, shut);
    Atomics.wait(this.#state, inside, 1, timeoutMs);
  }
}
