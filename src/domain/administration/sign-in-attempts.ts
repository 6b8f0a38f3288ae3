import { LRUCache } from 'lru-cache';
import { DomainError, hasErrorCode } from '../errors.ts';

const mostWrong = 8;
const forgottenAfterMs = 10 * 60_000;

/**
 * Counts wrong sign-ins by what was tried and from where, in this process; after eight of them the next have to wait.
 * Whoever guesses at an address from elsewhere keeps nobody out who knows their password.
 */
export class SignInAttempts {
  readonly #wrong = new LRUCache<string, number>({ max: 10_000, ttl: forgottenAfterMs });

  /**
   * Runs the work, which counts as a failure from its start until it succeeds or throws anything but
   * `unauthenticated`, so that parallel guesses gain nothing. Throws `rate_limited` after too many failures.
   */
  async attempt<T>(by: string, work: () => Promise<T>): Promise<T> {
    const before = this.#wrong.get(by) ?? 0;
    if (before >= mostWrong) throw tooMany(this.#wrong.getRemainingTTL(by));
    this.#wrong.set(by, before + 1);
    try {
      const done = await work();
      this.#wrong.delete(by);
      return done;
    } catch (error) {
      const isWrong = hasErrorCode(error, 'unauthenticated');
      if (!isWrong) this.#wrong.set(by, Math.max(0, (this.#wrong.get(by) ?? 0) - 1));
      throw error;
    }
  }
}

function tooMany(remainingMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1_000));
  const message = `too many wrong sign-ins: try again in ${Math.ceil(seconds / 60)} minutes`;
  return new DomainError('rate_limited', message, { details: { retry_after: seconds } });
}
