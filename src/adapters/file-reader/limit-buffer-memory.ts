/** The most bytes that a parser may hold outside the heap, which the heap's own limit does not count. */
const max = 160 << 20;
/** Smaller ones are not counted one by one: there would have to be very many. */
const small = 64 << 10;

/** A parser asked for more memory or work than a file is worth. */
export class TooCostlyError extends Error {
  override readonly name = 'TooCostlyError';
}

/**
 * Refuses this thread byte arrays beyond a limit. A stream of five megabytes may unpack to five gigabytes, which the heap
 * limit of a thread does not see: such arrays lie outside of it. Decompression by the platform, which would fill them
 * unseen, is taken away, and the parser falls back on its own.
 */
export function limitBufferMemory(): void {
  const plain = globalThis.Uint8Array;
  const guarded: typeof plain = new Proxy(plain, {
    construct(target, args: [unknown, ...unknown[]], newTarget): object {
      const [size] = args;
      if (typeof size === 'number' && size > small && process.memoryUsage().arrayBuffers + size > max)
        throw new TooCostlyError('a file asks for too much memory');
      return Reflect.construct(target, args, newTarget === guarded ? target : newTarget) as object;
    },
  });
  globalThis.Uint8Array = guarded;
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
}
