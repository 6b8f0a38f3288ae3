/** How the embedder was opened. */
export interface WorkerSettings {
  /** Folder with `model.int8.onnx` and `tokenizer.json`. */
  readonly modelFolder: string;
  /** Threads the native runtime may use for one text. */
  readonly threads: number;
}

/** What the embedding worker is started with. */
export interface WorkerStart extends WorkerSettings {
  /** Memory of the `NativeGate`. */
  readonly gate: SharedArrayBuffer;
}

/** Texts to embed, or the end. */
export type ToWorker = { readonly kind: 'embed'; readonly texts: readonly string[] } | { readonly kind: 'stop' };

/** `vectors` holds one row of `dimensions` numbers a text, its buffer transferred. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'embedded'; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly kind: 'failed'; readonly reason: string };

export const dimensions = 384;
