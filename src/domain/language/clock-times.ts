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
  if (hour < 1 || hour > 11 || /(?<!:)\b0\d/u.test(written) || early.test(clause)) return 'as written'; // "05:30" is exact
  if (evening.test(clause)) return 'afternoon';
  if (hour > 6) return 'as written';
  return travel.test(clause) ? 'unknown' : 'afternoon';
}

/** Before "at 9", which may be a price or a speed as well: what one comes to at an hour. */
const appointed =
  /\b(?:call|meeting|meet|met|appointment|interview|lesson|class|session|lunch|dinner|breakfast|brunch|drinks|date|party|ceremony|show|concert|game|match|reservation|table|exam|review|train|bus|flight)\b[^.;]{0,30}$/iu;

/** Whether a bare number ("at 9") is an hour of the clock, by what stands around it. */
export const isClockHour = (before: string, after: string): boolean =>
  appointed.test(before) && /^(?:\s*(?:[.,;!?)]|$)|\s(?:on|with|for|in the|and|but|so|to)\b)/u.test(after);
