/** Wraps the data keys of instances with a master key that never leaves it. */
export interface KeyVault {
  wrap(dataKey: Buffer): Promise<Buffer>;
  /** Throws when the wrapped key was not made with this vault's master key. */
  unwrap(wrapped: Buffer): Promise<Buffer>;
}
