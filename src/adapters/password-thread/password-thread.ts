import { Piscina } from 'piscina';
import { DomainError } from '../../domain/errors.ts';
import type { Passwords } from '../../domain/administration/passwords.ts';
import type * as tasks from './worker.ts';

const mostWaiting = 20;
const idleMs = 10_000;

type Tasks = typeof tasks;

/** Hashes passwords (argon2id) in a thread that is there while people sign in: it takes tens of milliseconds each time. */
export function openPasswordThread(): Passwords & { close(): Promise<void> } {
  let pool: Piscina | undefined;
  async function run(name: keyof Tasks, input: Parameters<Tasks[keyof Tasks]>[0]): Promise<unknown> {
    pool ??= new Piscina({
      filename: new URL('./worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      execArgv: [],
    });
    if (pool.queueSize >= mostWaiting) {
      const message = 'too many are signing in: try again in a moment';
      throw new DomainError('rate_limited', message, { details: { retry_after: 2 } });
    }
    return pool.run(input, { name });
  }

  const hash = (password: string) => run('hash', password) as Promise<string>;
  let nobody: Promise<string> | undefined;
  return {
    hash,
    async verify(password, hashed) {
      const isRight = await run('verify', { password, hashed: hashed ?? (await (nobody ??= hash('nobody'))) });
      return isRight === true && hashed !== undefined;
    },
    close: async () => pool?.destroy(),
  };
}
