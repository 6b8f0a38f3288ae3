import type { Signal, Update } from './stream-messages.ts';

/** Is shown what passes on a stream. */
export interface StreamObserver {
  heard?(signal: Signal): void;
  /** An update is about to leave. */
  sending?(update: Update): void;
  /** An update has left, and work for it delays it no more. */
  sent?(update: Update): void;
}

/** Passes signals to `anticipate` and its updates on, unchanged, and shows each to the observers in their order. */
export async function* observeStream(
  signals: AsyncIterable<Signal>,
  anticipate: (signals: AsyncIterable<Signal>) => AsyncIterable<Update>,
  observers: readonly StreamObserver[],
): AsyncGenerator<Update, void, undefined> {
  async function* observed() {
    for await (const signal of signals) {
      for (const observer of observers) observer.heard?.(signal);
      yield signal;
    }
  }
  for await (const update of anticipate(observed())) {
    for (const observer of observers) observer.sending?.(update);
    yield update;
    for (const observer of observers) observer.sent?.(update);
  }
}
