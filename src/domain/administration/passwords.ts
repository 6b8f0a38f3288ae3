/** Makes and compares hashes of passwords, slowly on purpose, and away from the thread that answers requests. */
export interface Passwords {
  /** The hash with its salt and costs. Throws `rate_limited` when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Whether it is the password of this hash. Without a hash, for an address that nobody has, it takes as long and is
   * false: the time tells nobody who is known. Throws `rate_limited` when too many wait.
   */
  verify(password: string, hashed: string | undefined): Promise<boolean>;
}
