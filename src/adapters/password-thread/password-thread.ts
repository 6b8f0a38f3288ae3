import { DomainError } from '../../domain/errors.ts';
import type { Passwords } from '../../domain/administration/passwords.ts';
import { openThreadPool } from '../thread-pool.ts';
import type * as tasks from './worker.ts';

const mostWaiting = 20;
const threads = { max: 1, idleMs: 10_000 };

/** Hashes passwords (argon2id) in a thread that is there while people sign in: it takes tens of milliseconds each time. */
export function openPasswordThread(): Passwords & { close(): Promise<void> } {
  const pool = openThreadPool<typeof tasks>(new URL('./worker.js', import.meta.url), threads);
  const run: typeof pool.run = (name, input) => {
    if (pool.waiting() < mostWaiting) return pool.run(name, input);
    const message = 'too many are signing in: try again in a moment';
    throw new DomainError('rate_limited', message, { details: { retry_after: 2 } });
  };
  const hash = async (password: string) => run('hash', password);
  let nobody: string | undefined;
  return {
    hash,
    async verify(password, hashed) {
      const isRight = await run('verify', { password, hashed: hashed ?? (nobody ??= await hash('nobody')) });
      return isRight && hashed !== undefined;
    },
    close: () => pool.close(),
  };
}
