import type { Sql } from '../../db/database.ts';
import { rowsSql } from '../../db/rows-sql.ts';
import type { Rate } from './rate.ts';

/**
 * The calls that a process took from the rate of a key or browser token since it last told; `keyId` is that of either.
 */
export interface SpentCalls {
  readonly instanceNumber: bigint;
  readonly keyId: string;
  readonly rate: Rate;
  readonly taken: number;
}

/**
 * Takes from the shared buckets what was spent, and tells what is left in each. At most a burst is owed, so that no key
 * waits longer than a burst takes to come back. In the order of the ids: two processes never wait for each other.
 */
export async function recordSpentCalls(
  sql: Sql,
  spent: readonly SpentCalls[],
): Promise<{ keyId: string; tokens: number }[]> {
  return sql.$queryRaw`
    INSERT INTO rate_limit AS r (i, key_id, per_minute, burst, tokens, at)
    SELECT s.i, s.key_id, s.per_minute, s.burst, s.burst - s.taken, clock_timestamp()
    FROM ${rowsSql('s', spent, [
      ['i', 'bigint', ({ instanceNumber }) => instanceNumber],
      ['key_id', 'uuid', ({ keyId }) => keyId],
      ['per_minute', 'int', ({ rate }) => rate.perMinute],
      ['burst', 'int', ({ rate }) => rate.burst],
      ['taken', 'int', ({ taken }) => taken],
    ])}
    ORDER BY s.i, s.key_id
    ON CONFLICT (i, key_id) DO UPDATE SET
      tokens = greatest(-excluded.burst, excluded.tokens - excluded.burst + least(excluded.burst,
        r.tokens + greatest(0, extract(epoch FROM excluded.at - r.at)::float8) * excluded.per_minute / 60)),
      per_minute = excluded.per_minute, burst = excluded.burst, at = greatest(r.at, excluded.at)
    RETURNING key_id AS "keyId", tokens`;
}

/** Forgets what was taken by credentials that are gone. */
export const removeRateLimits = (
  sql: Sql,
  credentials: readonly { instanceNumber: bigint; id: string }[],
) => sql.$executeRaw`
  DELETE FROM rate_limit r USING unnest(${credentials.map(({ instanceNumber }) => instanceNumber)}::bigint[],
    ${credentials.map(({ id }) => id)}::uuid[]) AS gone (i, id)
  WHERE r.i = gone.i AND r.key_id = gone.id`;
