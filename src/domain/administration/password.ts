import { argon2id, hash, verify } from 'argon2';
import pLimit from 'p-limit';
import { DomainError } from '../errors.ts';

/** argon2id with the costs that OWASP names first for it; 19 MiB and some 20 ms a password. */
const costs = { type: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Two at a time, so that sign-ins take no more than 40 MiB and leave threads to everything else. */
const inTurn = pLimit(2);
const mostWaiting = 20;

export const hashPassword = (password: string): Promise<string> => queued(() => hash(password, costs));

/** Without a hash, for an address that nobody has, it takes as long and is false: the time tells nobody who is known. */
export async function isPassword(password: string, hashed: string | undefined): Promise<boolean> {
  const isRight = await queued(async () => verify(hashed ?? (await ofNobody()), password));
  return isRight && hashed !== undefined;
}

let nobody: Promise<string> | undefined;
const ofNobody = () => (nobody ??= hash('of nobody', costs));

function queued<T>(work: () => Promise<T>): Promise<T> {
  if (inTurn.pendingCount < mostWaiting) return inTurn(work);
  const message = 'too many are signing in: try again in a moment';
  throw new DomainError('rate_limited', message, { details: { retry_after: 2 } });
}
