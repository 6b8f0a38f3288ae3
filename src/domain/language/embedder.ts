/** Turns texts into unit vectors of meaning. */
export interface Embedder {
  /** Name stored with every vector; vectors of two names are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** One unit vector a text, in order. Texts beyond the model's window are cut. */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  close(): Promise<void>;
}
