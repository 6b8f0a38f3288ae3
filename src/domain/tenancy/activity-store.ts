import type { Sql } from '../../db/database.ts';
import type { Access } from './access.ts';

/** When a user of an instance last called; the empty user stands for every call. */
export interface UserCall {
  readonly instanceNumber: bigint;
  readonly userId: string;
  readonly at: Date;
}

/**
 * Saves the last calls of known users: whoever was just forgotten leaves nothing here. All processes write in one
 * order.
 */
export async function saveUserCalls(sql: Sql, calls: readonly UserCall[]): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO user_activity AS u (i, user_id, last_at)
    SELECT t.i, t.user_id, t.last_at
    FROM unnest(${calls.map(({ instanceNumber }) => instanceNumber)}::bigint[], ${calls.map(({ userId }) => userId)}::text[],
      ${calls.map(({ at }) => at.toISOString())}::timestamptz[]) AS t (i, user_id, last_at)
    WHERE t.user_id = '' OR EXISTS (SELECT 1 FROM owner o WHERE o.i = t.i AND o.scope = 'USER' AND o.user_id = t.user_id)
    ORDER BY t.i, t.user_id
    ON CONFLICT (i, user_id) DO UPDATE SET last_at = greatest(u.last_at, excluded.last_at)`;
}

/** When each of these last called, by user. */
export async function readLastCalls(
  sql: Sql,
  { instanceNumber }: Access,
  userIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await sql.userActivity.findMany({ where: { userId: { in: [...userIds] }, instanceNumber } });
  return new Map(rows.map(({ userId, lastAt }) => [userId, lastAt]));
}
