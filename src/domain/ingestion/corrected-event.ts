import { invalidInputError } from '../errors.ts';
import { endOfPeriod, type Precision } from '../dates/calendar.ts';
import { dayMs, isStorableTime, unstorableTime } from '../time.ts';
import type { Memory } from '../memories/memory.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import { storableTime } from './hashed-attribute.ts';

/** The times of the event that a memory tells of. */
export interface CorrectedTimes {
  /** Null: it tells of no event. */
  readonly eventStart?: Date | null | undefined;
  /** Exclusive. Null: none. Default: beside an `eventStart`, the end of a period of the precision. */
  readonly eventEnd?: Date | null | undefined;
  /** Null, and the default beside an `eventStart`: `day` for a midnight in UTC, else `minute`. */
  readonly eventPrecision?: Precision | null | undefined;
}

type MemoryTimes = Pick<NewMemory, 'event' | 'dueAt'>;

/** The event that a stored memory tells of. */
export const eventOf = ({
  eventStart: start,
  eventEnd: end,
  eventPrecision: precision,
}: Pick<Memory, 'eventStart' | 'eventEnd' | 'eventPrecision'>): NewMemory['event'] =>
  start && precision ? { start, end, precision } : null;

/**
 * The times of a memory with those that a correction gives in the place of what was there, or was read. What falls due
 * as its event begins goes on doing so. Throws `invalid_input`.
 */
export function correctedTimes({ event, dueAt }: MemoryTimes, given: CorrectedTimes): MemoryTimes {
  const corrected = correctedEvent(event, given);
  const isDueWithEvent = dueAt !== null && dueAt.getTime() === event?.start.getTime();
  return { event: corrected, dueAt: isDueWithEvent ? (corrected?.start ?? null) : dueAt };
}

function correctedEvent(
  event: NewMemory['event'],
  { eventStart, eventEnd, eventPrecision }: CorrectedTimes,
): NewMemory['event'] {
  for (const [field, time] of Object.entries({ event_start: eventStart, event_end: eventEnd }))
    if (time && !isStorableTime(time)) throw invalidInputError(field, unstorableTime);
  const start = eventStart === undefined ? event?.start : eventStart;
  if (!start) {
    const [lonely] =
      Object.entries({ event_end: eventEnd, event_precision: eventPrecision }).find(([, value]) => value) ?? [];
    if (lonely) throw invalidInputError(lonely, 'takes an event_start: this memory tells of no event');
    return null;
  }
  const isAsBefore = event && eventStart === undefined;
  const precision =
    eventPrecision ?? (isAsBefore && eventPrecision === undefined ? event.precision : exactnessOf(start));
  const end = eventEnd === undefined ? (isAsBefore ? event.end : endOf(start, precision as Precision)) : eventEnd;
  if (end && end <= start) throw invalidInputError('event_end', 'must be after event_start');
  return { start, end, precision };
}

const exactnessOf = (time: Date): Precision => (time.getTime() % dayMs === 0 ? 'day' : 'minute');

const endOf = (start: Date, precision: Precision): Date | null =>
  precision === 'minute' ? null : storableTime(endOfPeriod(start, precision));
