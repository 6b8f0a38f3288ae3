/** One stream as an agent holds it: what stands, by id, the sequence that it took last, and how long answers take. */
export class Reader {
  #call;
  #session;
  #holds;
  #sequence;
  #bundleWaits = [];
  #pongWaits = [];
  /** The bundle that came last. */
  last;
  /** Resolves with the first bundle. */
  begun;

  /** `session` may be what `state` told of it before. */
  constructor(call, { holds = [], lastSequence = 0, ...session }) {
    this.#call = call;
    this.#session = session;
    this.#holds = new Set(holds);
    this.#sequence = lastSequence;
    this.begun = waitIn(this.#bundleWaits);
    call.on('error', (error) => {
      for (const { reject } of [...this.#bundleWaits, ...this.#pongWaits].splice(0)) reject(error);
    });
    call.on('data', (update) => this.#take(update));
    call.write({ sessionStart: { ...session, lastSequence } });
  }

  get state() {
    return { ...this.#session, lastSequence: this.#sequence, holds: [...this.#holds] };
  }

  get isPinging() {
    return this.#pongWaits.length > 0;
  }

  pause = () => this.#call.pause();
  resume = () => this.#call.resume();

  /** Milliseconds until a bundle came; one answers all that waits. */
  says(content) {
    const answered = waitIn(this.#bundleWaits);
    this.#call.write({ message: { role: 'user', content } });
    return answered;
  }

  pings() {
    const answered = waitIn(this.#pongWaits);
    this.#call.write({ ping: {} });
    return answered;
  }

  #take({ bundle, withdrawal, pong }) {
    if (pong) settle(this.#pongWaits);
    if (withdrawal) {
      this.#sequence = withdrawal.sequence;
      for (const id of withdrawal.memoryIds) this.#holds.delete(id);
    }
    if (!bundle) return;
    this.#sequence = bundle.sequence;
    this.#holds = new Set(bundle.memories.map(({ id }) => id));
    this.last = bundle;
    settle(this.#bundleWaits);
  }
}

function waitIn(waits) {
  const began = performance.now();
  return new Promise((resolve, reject) => waits.push({ resolve: () => resolve(performance.now() - began), reject }));
}

function settle(waits) {
  for (const { resolve } of waits.splice(0)) resolve();
}
