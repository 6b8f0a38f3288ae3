import type { Db } from '../../db/database.ts';
import { invalid } from '../errors.ts';
import { dayMs, isStorableTime } from '../language/calendar.ts';
import { readDailyCounts } from '../metering/usage-store.ts';
import type { Access } from '../tenancy/access.ts';
import { figuresOf, metricPrefix, type Figures } from './figures.ts';

/** The days to tell of, both included (UTC). */
export interface Days {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** The figures of all days together, and of each day on which there was a stream, oldest first. */
export interface DailyFigures {
  readonly total: Figures;
  readonly days: readonly { readonly day: Date; readonly figures: Figures }[];
}

const [usualDays, daysAtMost] = [30, 366];

/** Without days, of the last thirty. Throws `invalid_input` when they are in the wrong order or too many. */
export async function readFigures(
  deps: { readonly db: Db; readonly now: () => Date },
  access: Access,
  { to = deps.now(), from = new Date(to.getTime() - (usualDays - 1) * dayMs) }: Days,
): Promise<DailyFigures> {
  for (const [name, day] of Object.entries({ from, to })) {
    if (!isStorableTime(day)) throw invalid(name, 'must be in the years 2 to 9998');
  }
  if (from > to) throw invalid('from', 'must not be after `to`');
  if (to.getTime() - from.getTime() > daysAtMost * dayMs)
    throw invalid('from', `must be ${daysAtMost} days before \`to\` at most`);
  const counts = await readDailyCounts(deps.db, access, { prefix: metricPrefix, from, to });
  const byDay = new Map<number, Map<string, number>>();
  const total = new Map<string, number>();
  for (const { day, metric, count } of counts) {
    const ofDay = byDay.get(day.getTime()) ?? new Map<string, number>();
    byDay.set(day.getTime(), ofDay.set(metric, count));
    total.set(metric, (total.get(metric) ?? 0) + count);
  }
  return {
    total: figuresOf(total),
    days: [...byDay].map(([day, ofDay]) => ({ day: new Date(day), figures: figuresOf(ofDay) })),
  };
}
