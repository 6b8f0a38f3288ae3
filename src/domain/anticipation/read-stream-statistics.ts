import type { Db } from '../../db/database.ts';
import { invalidInputError } from '../errors.ts';
import { dayMs, isStorableTime, unstorableTime } from '../time.ts';
import { readDailyCounts } from '../metering/usage-store.ts';
import type { Access } from '../tenancy/access.ts';
import { streamStatisticsOf, anticipationMetricPrefix, type StreamStatistics } from './stream-statistics.ts';

/** The days to tell of, both included (UTC). */
export interface DayRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The figures of all days together, and of each day on which there was a stream, oldest first. */
export interface StreamStatisticsByDay {
  readonly total: StreamStatistics;
  readonly days: readonly { readonly day: Date; readonly figures: StreamStatistics }[];
}

const [defaultDays, daysAtMost] = [30, 366];

/** Reads statistics by day, default the last thirty. Throws `invalid_input` for days in wrong order, or too many. */
export async function readStreamStatistics(
  deps: { readonly db: Db; readonly now: () => Date },
  access: Access,
  { to = deps.now(), from = new Date(to.getTime() - (defaultDays - 1) * dayMs) }: DayRange,
): Promise<StreamStatisticsByDay> {
  for (const [name, day] of Object.entries({ from, to })) {
    if (!isStorableTime(day)) throw invalidInputError(name, unstorableTime);
  }
  if (from > to) throw invalidInputError('from', 'must not be after `to`');
  if (to.getTime() - from.getTime() > daysAtMost * dayMs)
    throw invalidInputError('from', `must be ${daysAtMost} days before \`to\` at most`);
  const counts = await readDailyCounts(deps.db, access, { prefix: anticipationMetricPrefix, from, to });
  const byDay = new Map<number, Map<string, number>>();
  const total = new Map<string, number>();
  for (const { day, metric, count } of counts) {
    const ofDay = byDay.get(day.getTime()) ?? new Map<string, number>();
    byDay.set(day.getTime(), ofDay.set(metric, count));
    total.set(metric, (total.get(metric) ?? 0) + count);
  }
  return {
    total: streamStatisticsOf(total),
    days: [...byDay].map(([day, ofDay]) => ({ day: new Date(day), figures: streamStatisticsOf(ofDay) })),
  };
}
