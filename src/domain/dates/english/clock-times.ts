import { anyWordOf, calendarNames, weekdaySource } from '../../language/calendar-names.ts';
import type { DateMention } from '../attach-hours.ts';
import { truncateDate } from '../calendar.ts';
import { dayEndSource } from './days-of-month.ts';

/** Words of early hours, or that name the half of the day. */
const early =
  /\b(?:morning|a\.?m|early|alarm|w[ao]ke|waking|wakes?|get(?:ting)? up|got up|up at|bed|asleep|sleep|slept|sunrise|dawn|overnight|night|shift|fr[üu]h|morgens|vormittags?|nachts|aufstehen|wecker|matin|l[èe]ve|r[ée]veil|madrugada|levanto|despierto)\b/iu;
const travel =
  /\b(?:flights?|fly|flying|flew|plane|train|bus|coach|ferry|boat|airport|taxi|cab|depart\p{L}*|zug|flug|bahn|tren|vuelo|avión|vol|avion)\b/iu;
const evening =
  /\b(?:dinner|supper|drinks|concert|gig|show|movie|film|theatre|theater|opera|party|pub|evening|tonight|(?:eltern|feier)?abends?|abendessen|kino|konzert|cena|cine|concierto|dîner|soir|soirée|cinéma)\b/iu;

/**
 * How an hour without "am" or "pm" is meant, in the clause that names it. From 1 to 6 it is an hour of the afternoon,
 * and up to 11 one of the evening where the evening is spoken of. Trains leave at any hour: nobody can tell. The price:
 * a swim "at 6" that is a swim before breakfast is read twelve hours late, where nothing says that it is early.
 */
export function inferHalfOfDay(
  hour: number,
  { written, clause }: { written: string; clause: string },
): 'as written' | 'afternoon' | 'unknown' {
  // "05:30" is exact.
  if (hour < 1 || hour > 11 || /(?<!:)\b0\d/u.test(written) || early.test(clause)) return 'as written';
  if (evening.test(clause)) return 'afternoon';
  if (hour > 6) return 'as written';
  return travel.test(clause) ? 'unknown' : 'afternoon';
}

/** Words before an hour ("at 9") that may also be a price or a speed: something that one comes to. */
const appointed =
  /\b(?:call|meeting|meet|met|appointment|interview|lesson|class|session|lunch|dinner|breakfast|brunch|drinks|date|party|ceremony|show|concert|game|match|reservation|table|exam|review|train|bus|flight)\b[^.;]{0,30}$/iu;

/** Whether a bare number ("at 9") is an hour of the clock, by what stands around it. */
export const isClockHour = (before: string, after: string): boolean =>
  appointed.test(before) && /^(?:\s*(?:[.,;!?)]|$)|\s(?:on|with|for|in the|and|but|so|to)\b)/u.test(after);

const { number: numbers } = calendarNames.en;
const minutesOf: Readonly<Record<string, number>> = { five: 5, ten: 10, quarter: 15, twenty: 20, 'twenty-five': 25 };
/** Matches "half past six", "half four" (half past four, in Britain), "quarter to nine", and "at ten to five". */
const spokenTime = new RegExp(
  String.raw`\b(?:(?:at |by |from |until |till |around |about )?(?:(?<half>half)(?: past)?|(?:a )?(?<quarter>quarter) (?<side>past|to))|(?:at|by|until|till|around|about) (?<minutes>five|ten|twenty(?:-five)?) (?<way>past|to)) (?<hour>${anyWordOf(numbers)}|1[0-2]|[1-9])(?!\s*(?:%|[a-z]*(?:hours?|minutes?|years?|weeks?|months?|days?|percent|people|of)\b)|[:.]\d)\b`,
  'giu',
);

/** Matches an hour whose words may also count something: "about five to six guests", "the first half 3 goals". */
const mayCount = /^(?!.*\b(?:quarter|past)\b)/iu;
const endsHour = new RegExp(
  String.raw`^(?:${dayEndSource}|\s(?:today|tonight|tomorrow|this|next|sharp|${weekdaySource}|[ap]\.?m|o['’]clock)\b)`,
  'iu',
);

/** The hours that are written in words, on the day on which it is said, until a date beside them tells another. */
export function findSpokenTimes(text: string, at: Date, clause: string): DateMention[] {
  return [...text.matchAll(spokenTime)].flatMap((match) => {
    if (mayCount.test(match[0]) && !endsHour.test(text.slice(match.index + match[0].length))) return [];
    const { half, quarter, minutes = quarter, side, way = side, hour: said = '' } = match.groups!;
    const named = Number(numbers[said.toLowerCase()] ?? said);
    const past = half ? 30 : (way?.toLowerCase() === 'past' ? 1 : -1) * (minutesOf[minutes?.toLowerCase() ?? ''] ?? 0);
    const ofDay = named * 60 + past;
    const isAfternoon = inferHalfOfDay(Math.floor(ofDay / 60), { written: match[0], clause }) === 'afternoon';
    const start = new Date(truncateDate(at, 'day').getTime() + (ofDay + (isAfternoon ? 12 * 60 : 0)) * 60_000);
    const words = { start: match.index, end: match.index + match[0].length };
    return [{ words, start, precision: 'minute' as const }];
  });
}
