import type { Configuration } from '../configurations/configuration.ts';
import { dayMs } from '../time.ts';
import type { Memory } from './memory.ts';

/** How often a memory was returned or reported as used, and when last. */
export interface AccessCount {
  readonly count: number;
  readonly lastAt: Date;
}

/** Categories of memories that do not expire while their user calls. */
const lasting = new Set(['instruction', 'identity']);

/** Accesses to a memory that were counted since the last time they were written. */
export interface CountedAccesses extends AccessCount {
  readonly instanceNumber: bigint;
  readonly memoryId: string;
}

/** The part of a configuration that decides how long memories are kept. */
export interface Retention {
  readonly base_days: number;
}

/** The part of a memory that decides how long it is kept. */
export interface RetentionFacts {
  readonly category: string;
  readonly accessCount: number;
  readonly lastAccess: Date;
}

/**
 * The time at which a memory would expire: `last access + base × (1 + log2(1 + accesses) / 4)`, at most four times the
 * base. The ingestion is the first access. Null: not by time alone. For what happens then, see docs/decisions/0028.
 */
export function expiryOf(retention: Retention, memory: RetentionFacts): Date | null {
  return lasting.has(memory.category) ? null : timeOf(retention, memory);
}

/** The accesses of a memory and the expiry that follows from them, as they are shown. */
export const accessAndExpiryOf = (
  { category, createdAt }: Pick<Memory, 'category' | 'createdAt'>,
  accesses: AccessCount | undefined,
  { retention }: Configuration,
): Pick<Memory, 'accessCount' | 'lastAccessedAt' | 'expiresAt'> => {
  const [accessCount, lastAccess] = [accesses?.count ?? 0, accesses?.lastAt ?? createdAt];
  return {
    accessCount,
    lastAccessedAt: accesses?.lastAt ?? null,
    expiresAt: expiryOf(retention, { category, accessCount, lastAccess }),
  };
};

/** Whether its time is over; standing instructions and identity also wait for a base period without a call. */
export function isExpired(
  retention: Retention,
  memory: RetentionFacts & { readonly lastCall: Date | null },
  now: Date,
): boolean {
  if (timeOf(retention, memory) > now) return false;
  if (!lasting.has(memory.category) || !memory.lastCall) return true;
  return memory.lastCall.getTime() + retention.base_days * dayMs <= now.getTime();
}

/** A memory that was accessed after this time cannot be expired. */
export const lastAccessOfExpired = ({ base_days: days }: Retention, now: Date): Date =>
  new Date(now.getTime() - days * dayMs * factorOf(0));

const timeOf = ({ base_days: days }: Retention, { accessCount, lastAccess }: RetentionFacts): Date =>
  new Date(lastAccess.getTime() + days * dayMs * factorOf(accessCount));

/** The factor for accesses after the first, which is the ingestion. */
const factorOf = (accesses: number) => Math.min(4, 1 + Math.log2(1 + 1 + accesses) / 4);
