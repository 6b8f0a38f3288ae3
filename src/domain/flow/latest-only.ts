/**
 * Works on one input at a time. Of the inputs that arrive meanwhile only the newest is worked on next: an answer to an
 * older one would come too late to be of use. `work` must not reject.
 */
export function latestOnly<T>(work: (input: T) => Promise<void>) {
  let next: { readonly input: T } | undefined;
  let running: Promise<void> | undefined;

  async function run() {
    while (next) {
      const { input } = next;
      next = undefined;
      await work(input);
    }
    running = undefined;
  }

  return {
    push(input: T) {
      next = { input };
      running ??= run();
    },
    /** Resolves when nothing is worked on and nothing waits. */
    settled: () => running ?? Promise.resolve(),
  };
}
