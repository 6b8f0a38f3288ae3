export interface EmbedderSettings {
  /** Folder with `model.int8.onnx` and `tokenizer.json`. */
  readonly modelFolder: string;
}

/** One row of `embeddingDimensions` numbers for each text. */
export type Vectors = Float32Array<ArrayBuffer>;

export const embeddingDimensions = 384;

/** The types of the embedder's thread. */
export interface EmbedderContract {
  readonly settings: EmbedderSettings;
  readonly input: readonly string[];
  readonly result: Vectors;
}
