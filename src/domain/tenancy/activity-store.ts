import type { Sql } from '../../db/database.ts';
import type { Access } from './access.ts';

/** The last call of a user of an instance; the empty user stands for every call. */
export interface UserCall {
  readonly instanceNumber: bigint;
  readonly userId: string;
  readonly at: Date;
}

/**
 * Saves the last calls of known users: whoever was just forgotten, or is being forgotten, leaves nothing here. Owners
 * that are read are held, so that their erasure sees what was saved. All processes write in one order.
 */
export async function saveUserCalls(sql: Sql, calls: readonly UserCall[]): Promise<void> {
  await sql.$executeRaw`
    WITH call AS (
      SELECT * FROM unnest(${calls.map(({ instanceNumber }) => instanceNumber)}::bigint[], ${calls.map(({ userId }) => userId)}::text[],
        ${calls.map(({ at }) => at.toISOString())}::timestamptz[]) AS t (i, user_id, last_at)
    ), known AS MATERIALIZED (
      SELECT o.i, o.user_id FROM call JOIN owner o ON o.i = call.i AND o.scope = 'USER' AND o.user_id = call.user_id
      FOR KEY SHARE OF o SKIP LOCKED
    )
    INSERT INTO user_activity AS u (i, user_id, last_at)
    SELECT i, user_id, last_at FROM call
    WHERE user_id = '' OR EXISTS (SELECT FROM known WHERE known.i = call.i AND known.user_id = call.user_id)
    ORDER BY i, user_id
    ON CONFLICT (i, user_id) DO UPDATE SET last_at = greatest(u.last_at, excluded.last_at)`;
}

/** Reads when each of these users last called. */
export async function readLastCalls(
  sql: Sql,
  { instanceNumber }: Access,
  userIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await sql.userActivity.findMany({ where: { userId: { in: [...userIds] }, instanceNumber } });
  return new Map(rows.map(({ userId, lastAt }) => [userId, lastAt]));
}
