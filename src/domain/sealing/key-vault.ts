/** Wraps the data keys of instances with one master key, which never leaves it. */
export interface KeyVault {
  /** Names the master key and tells nothing of it; kept beside each key that it wrapped. */
  readonly masterKeyId: string;
  wrap(dataKey: Buffer, instance: string): Promise<Buffer>;
  /**
   * Throws when this was not wrapped by this master key for this instance, and `unavailable` when the vault does not
   * answer.
   */
  unwrap(wrapped: Buffer, instance: string): Promise<Buffer>;
}

/** A data key as it is stored. */
export interface WrappedKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly masterKeyId: string;
}
