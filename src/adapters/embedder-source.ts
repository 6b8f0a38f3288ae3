import type { Embedder, EmbedderSource } from '../domain/vectors/embedder.ts';

/** An embedder that is opened when it is first wanted, once for all; after a failure the next one to want it tries again. */
export function embedderSource(
  model: string,
  openEmbedder: () => Promise<Embedder>,
  formerModels: readonly string[] = [],
): EmbedderSource & { close(): Promise<void> } {
  let opening: Promise<Embedder> | undefined;
  return {
    model,
    formerModels,
    open: () =>
      (opening ??= openEmbedder().catch((error: unknown) => {
        opening = undefined;
        throw error;
      })),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
