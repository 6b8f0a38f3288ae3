import { anyMonthSource } from '../language/calendar-names.ts';
import { wholeWordSource } from '../language/pattern-sources.ts';
import { truncateDate } from '../dates/calendar.ts';
import { findDates } from '../dates/find-dates.ts';
import { correctedTimes } from './corrected-event.ts';
import type { NewMemoryWithCandidate, PossibleMemoryUpdate } from './find-updates.ts';

/** Matches a month by its name or number. */
const namesMonth = new RegExp(String.raw`${wholeWordSource(anyMonthSource)}|\d[./-]\d`, 'iu');

/**
 * The added memories, a day without a month in the month of the event that they likely change: "the wedding is pushed
 * to the 21st" means February where the wedding was on 14 February, and not the next 21st.
 */
export function withMonthsOfChangedEvents(
  added: readonly NewMemoryWithCandidate[],
  updates: readonly PossibleMemoryUpdate[],
): NewMemoryWithCandidate[] {
  const likeliestFirst = updates.toSorted((one, other) => other.probability - one.probability);
  return added.map((each) => {
    const changed = likeliestFirst.find(({ old, by }) => by.id === each.memory.id && old.eventStart)?.old.eventStart;
    const start = changed && dayInMonthOf(changed, each);
    return start
      ? { ...each, memory: { ...each.memory, ...correctedTimes(each.memory, { eventStart: start }) } }
      : each;
  });
}

function dayInMonthOf(changed: Date, { memory, candidate }: NewMemoryWithCandidate): Date | undefined {
  const month = truncateDate(changed, 'month');
  if (!memory.event || month <= memory.validFrom) return undefined; // of this month and the next the next one is meant
  const day = memory.event.start.getUTCDate();
  const text = candidate.asSaid ?? candidate.content;
  return findDates(text, { at: month }, 'future').find(({ start, words }) => {
    const written = text.slice(words.start, words.end);
    return (
      start.getUTCDate() === day &&
      truncateDate(start, 'month').getTime() === month.getTime() &&
      new RegExp(String.raw`(?<!\d)0?${day}(?!\d)`, 'u').test(written) &&
      !namesMonth.test(written)
    );
  })?.start;
}
