import { ModelThread } from '../onnx-thread/model-thread.ts';
import { embeddingDimensions, type EmbedderContract, type EmbedderSettings } from './messages.ts';

/** A worker thread with the embedder loaded, which ends for good when it ends. */
export class EmbeddingThread {
  readonly #thread: ModelThread<EmbedderContract>;

  private constructor(thread: ModelThread<EmbedderContract>) {
    this.#thread = thread;
  }

  /** Resolves when the model is loaded; rejects when it, or the native runtime, cannot be. */
  static async start(settings: EmbedderSettings): Promise<EmbeddingThread> {
    return new EmbeddingThread(await ModelThread.start(new URL('./embedding-worker.js', import.meta.url), settings));
  }

  get hasEnded(): boolean {
    return this.#thread.hasEnded;
  }

  /** One vector for each text, in order. */
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors = await this.#thread.run(texts);
    return texts.map((_, row) => vectors.slice(row * embeddingDimensions, (row + 1) * embeddingDimensions));
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}
