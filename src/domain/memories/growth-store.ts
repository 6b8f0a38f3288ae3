import type { Sql } from '../../db/database.ts';
import type { MemoryType } from '../memory-types.ts';
import type { Access } from '../tenancy/access.ts';
import { readableBySql } from '../tenancy/readable-by.ts';
import { dayMs } from '../time.ts';

/** Memories of one type that were stored on one day (UTC). */
export interface MemoriesOfDay {
  readonly day: Date;
  readonly type: MemoryType;
  readonly count: number;
}

/** Counts what was stored on each of the last days, today among them, by type; oldest first. */
export function countMemoriesByDay(
  sql: Sql,
  access: Access,
  { days, now }: { days: number; now: Date },
): Promise<MemoriesOfDay[]> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const from = new Date(today - (days - 1) * dayMs);
  return sql.$queryRaw<MemoriesOfDay[]>`
    SELECT date_trunc('day', memory.created_at, 'UTC') AS day, memory.type, count(*)::int AS count FROM memory
    WHERE memory.created_at >= ${from}::timestamptz AND ${readableBySql(access, 'memory')}
    GROUP BY 1, 2 ORDER BY 1, 2`;
}
