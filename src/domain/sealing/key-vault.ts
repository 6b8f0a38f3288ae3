/** Wraps the data keys of instances with one master key, which never leaves it. */
export interface KeyVault {
  /** Names the master key and tells nothing of it; kept beside each key that it wrapped. */
  readonly masterKeyId: string;
  wrap(dataKey: Buffer, instance: string): Promise<Buffer>;
  /** Throws for a key that this master key did not wrap for this instance, and `unavailable` during an outage. */
  unwrap(wrapped: Buffer, instance: string): Promise<Buffer>;
}

/** A data key as it is stored. */
export interface WrappedKey {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly masterKeyId: string;
}
