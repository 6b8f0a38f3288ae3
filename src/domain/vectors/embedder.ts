/** Turns texts into unit vectors of meaning. */
export interface Embedder {
  /** The name stored with every vector; vectors of two names are never compared, but for former names of one. */
  readonly model: string;
  readonly dimensions: number;
  /**
   * One unit vector a text, in order. Texts beyond the model's window are cut. `used` is told the tokens that a
   * provider charges. `isUrgent`: a person waits, so before what is not, and not for long. Throws `unavailable` when
   * the model does not answer.
   */
  embed(
    texts: readonly string[],
    options?: { signal?: AbortSignal | undefined; isUrgent?: boolean; used?: (tokens: number) => void },
  ): Promise<Float32Array[]>;
  /**
   * The unit vector of what answers a request, from the unit vector of the request, which seldom resembles it: "suggest
   * a dinner" needs the allergy. Left out by a model that compares requests as they are.
   */
  toAnswer?(request: Float32Array): Float32Array;
  close(): Promise<void>;
}

/** A model that may yet have to be loaded or reached. */
export interface EmbedderSource {
  readonly model: string;
  /** Models whose stored vectors are near enough to be searched with this one's until they are made again. */
  readonly formerModels?: readonly string[];
  /** Returns the one embedder of this source. Throws `unavailable` while the model cannot be loaded or reached. */
  open(): Promise<Embedder>;
}
