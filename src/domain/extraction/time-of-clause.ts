import type { TenseHint } from '../dates/calendar.ts';
import { findDates } from '../dates/find-dates.ts';
import { onDayOf, type DateMention } from '../dates/attach-hours.ts';
import { tenseHintAt } from '../dates/tense.ts';
import type { Turn } from './candidate.ts';
import type { Clause } from './clauses.ts';
import type { StatementDraft } from './draft.ts';
import { remindMeSource } from './indirect-requests.ts';

type TenseAt = (index: number) => TenseHint;

/** The time that a clause names first, and whether it is yet to come, or one at which something is due. */
export function timeOfClause(
  clause: Clause,
  before: Clause | undefined,
  turn: Turn,
): Pick<StatementDraft, 'event' | 'isAhead' | 'isDue' | 'isReminder'> {
  const tenseAt = tenseHintAt(clause.normalized);
  const first = firstTimeOf(clause, before, turn, tenseAt);
  if (!first) return { isAhead: false, isDue: false, isReminder: false };
  const { start, end, precision } = first;
  const isDue = (end ?? start) > turn.at && isDeadline(clause.normalized, first, tenseAt);
  return {
    event: { start, ...(end ? { end } : {}), precision },
    isAhead: !first.isTimeOnly && start > turn.at,
    isDue,
    isReminder: isDue && reminder.test(clause.normalized),
  };
}

/** "Same day but 3 pm": of a day that was named before, and not of today. */
const sameDay =
  /\b(?:(?:on )?(?:the )?same day|that (?:same )?day|am (?:selben|gleichen) tag|(?:el|ese) mismo día|ese día|le même jour|ce jour-là)(?!\p{L})/iu;

const now = /\b(?:right )?now\b/iu;

/**
 * The first time that a clause names. An hour of something to come, without a day of its own, is one of the day that
 * the clause before it names: "The test is on 14 December, and I have to fast from midnight". Another sentence tells of
 * that day where it says so, or what has to be done then: "We marry on 14 December. Call me at 5 pm" does not.
 */
function firstTimeOf(
  { normalized, text, sentence }: Clause,
  before: Clause | undefined,
  turn: Turn,
  tenseAt: TenseAt,
): DateMention | undefined {
  const [first] = findDates(normalized, turn, tenseAt);
  if (!first?.isTimeOnly) return first;
  const isSameDay = sameDay.test(normalized);
  if (!isSameDay && (tenseAt(first.words.start) === 'past' || reminder.test(normalized) || now.test(text)))
    return first;
  if (!isSameDay && sentence !== before?.sentence && !obliged.test(normalized) && !obligedAbroad.test(normalized))
    return first;
  const day = before && findDates(before.normalized, turn, tenseHintAt(before.normalized)).at(-1);
  if (day && ['minute', 'hour', 'day'].includes(day.precision)) return onDayOf(day, first);
  return isSameDay ? undefined : first;
}

const obliged =
  /\b(?:I|we) (?:have to|need to|must|ought to|shall|will(?! be (?:happy|glad|fine)\b)|promised|committed|agreed)\b|\bremind me\b|\b(?:do not|must not) (?:let me )?forget\b|^(?:need|have|got) to\b/iu;

const obligedAbroad =
  /(?<!\p{L})(?:muss|müssen|(?:tengo|tenemos|hay) que|deb(?:o|emos)|je dois|nous devons|on doit|il faut)(?!\p{L})/iu;

/** "Remind me to call the bank on Monday": asked for once, and not for now. */
const reminder = new RegExp(`^(?:(?:please|and|also),? )*${remindMeSource}`, 'iu');

/** Whether a clause says that something has to be done by or at a time: what is promised falls due. */
const isDeadline = (normalized: string, { words }: DateMention, tenseAt: TenseAt): boolean =>
  obliged.test(normalized) ||
  /\b(?:due|deadline|expires?)\b/u.test(normalized) ||
  (/\b(?:by|before|until|no later than)(?: the)? $/u.test(normalized.slice(0, words.start)) &&
    tenseAt(words.start) === 'future');
