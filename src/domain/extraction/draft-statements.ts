import type { TenseHint } from '../language/calendar.ts';
import { findDates } from '../language/dates.ts';
import { onDayOf, type DateMention } from '../language/hours-of-days.ts';
import { uniqueNames, type NameFinder } from '../language/names.ts';
import { tenseHintAt } from '../language/tense.ts';
import { antecedentOf } from './antecedent.ts';
import { findStatedAttribute } from './attributes/stated-attributes.ts';
import type { Turn } from './candidate.ts';
import { clausesOf, remindMeSource, type Clause } from './clauses.ts';
import { confirmedStatement, isYesOrNo } from './confirmed-question.ts';
import { resolvePronoun } from './pronoun-resolution.ts';
import { precedingStatements, questionBefore, statementsLookedBack, type TurnContext } from './preceding-statements.ts';
import { asksToRemember } from './requests-to-remember.ts';
import { withInlineCorrection, withCorrection } from './self-corrections.ts';
import { quoteFrom, type Speaker, type StatementDraft } from './draft.ts';
import { isSmallTalk } from './small-talk.ts';
import { wordsBefore } from './statement-classifier.ts';

/** The context in which the clauses of a turn are read. */
export interface ClauseContext extends TurnContext {
  readonly speaker: Speaker;
  /** The names in a turn and those of the speakers. */
  readonly namesOf: (turn: Turn) => NameFinder;
  /** Several people talk, so that the model is told who speaks. */
  readonly isTalkOfSeveral: boolean;
  /** Asked before each clause: from the first yes on, no more are read. */
  readonly isLate: () => boolean;
}

/** "No wait", "actually no", "I meant": what was said right before is taken back. */
const retraction =
  /^(?:(?:no|nee|nein|non|oh|ah|hm+|sorry),? )?(?:(?:wait|warte|moment|espera|attends)(?=\s*[,.!…—–]|\s+(?:-|no\b)|$)(?!,\s+(?:i|we) (?:also|forgot)\b)|(?:scratch that|strike that|actually,? no|no,? actually|on second thoughts?|i meant|no,? i mean|quatsch|nein,? doch|no,? perdón|mejor dicho|non,? pardon)\b|(?:i (?:was|am)|that['’]?s) wrong\b(?! (?:for|to|and)\b))/iu;

/** Words that say the statement right before was a joke: "Haha, just kidding". */
const jokeDisclaimer =
  /^(?:\p{L}{2,8}[,.!…]+\s*|(?:(?:ha|he|ja){2,}|lol)\s+)?(?:(?:(?:i['’]?m|i am|i was|we['’]re) )?(?:(?:just|only|totally) )?(?:kidding|joking)\b(?! (?:aside|apart|about|around|with))|(?:(?:war )?(?:nur|bloß) (?:ein )?(?:spaß|scherz|witz)|(?:(?:es|era) )?(?:una )?broma|je (?:plaisante|rigole|blague)|c['’]était une blague)(?!\p{L}))/iu;

/** The statements among the clauses of a turn with what rules know of each, and whether there was time for all. */
export function draftStatements(
  said: readonly Clause[],
  context: ClauseContext,
): { statements: StatementDraft[]; isComplete: boolean } {
  const drafts: StatementDraft[] = [];
  const clauses = withSelfCorrections(said, context.turn.content);
  const sectionStarts = sectionStartsOf(clauses, context.turn.content);
  const laterSections = { ...context, turnsBefore: [] };
  for (const [place, clause] of clauses.entries()) {
    if (context.isLate()) return { statements: drafts, isComplete: false };
    const next = clauses[place + 1];
    if (next && !next.isQuestion && (retraction.test(next.said) || jokeDisclaimer.test(next.said))) continue;
    const sectionStart = sectionStarts[place]!;
    const earlier = clauses.slice(Math.max(sectionStart, place - statementsLookedBack), place);
    const inSection = sectionStart === 0 ? context : laterSections;
    const isAskedToRemember = clause.isAskedToRemember || (next !== undefined && asksToRemember(next.said));
    drafts.push(
      (place === 0 && draftConfirmed(clause, inSection)) ||
        draftStatement({ ...clause, isAskedToRemember }, earlier, inSection),
    );
  }
  return { statements: drafts, isComplete: true };
}

/** The clauses with the corrections that their speaker made at once: a clause and its correction become one. */
function withSelfCorrections(clauses: readonly Clause[], content: string): Clause[] {
  const holding: Clause[] = [];
  for (const clause of clauses) {
    const before = holding.at(-1);
    const isStatement = !clause.isQuestion;
    const corrected =
      isStatement && before && !before.isQuestion ? withCorrection(before.said, clause.said) : undefined;
    if (before && corrected !== undefined)
      holding.splice(-1, 1, restated(before, corrected, quoteFrom(before.sentence, clause.sentence, content)));
    else holding.push(restated(clause, isStatement ? withInlineCorrection(clause.said) : undefined, clause.sentence));
  }
  return holding;
}

function restated(clause: Clause, words: string | undefined, sentence: string): Clause {
  const [first = clause] = words === undefined ? [] : clausesOf(words);
  return { ...first, sentence, isAskedToRemember: clause.isAskedToRemember };
}

/** A heading, a block of code or a rule across the page: what stands below does not go on with what stands above. */
const sectionBreak = /\n[ \t]*(?:#{1,6} |`{3}|~{3}|(?:-{3,}|\*{3,})[ \t]*\n)/u;

/** For each clause, the place of the first clause of its section. */
function sectionStartsOf(clauses: readonly Clause[], content: string): number[] {
  let [sectionStart, end] = [0, 0];
  return clauses.map(({ sentence }, place) => {
    const at = sentence === clauses[place - 1]?.sentence ? -1 : content.indexOf(sentence, end);
    if (at < 0) return sectionStart;
    if (sectionBreak.test(content.slice(end, at))) sectionStart = place;
    end = at + sentence.length;
    return sectionStart;
  });
}

/** Drafts the statement that a bare yes or no makes, where somebody else asked a question right before. */
function draftConfirmed(clause: Clause, context: ClauseContext): StatementDraft | undefined {
  const { turn } = context;
  const before = context.turnsBefore.at(-1);
  const question = isYesOrNo(clause.sentence) ? questionBefore(turn, before) : undefined;
  const said = question && confirmedStatement(question, clause.sentence);
  const [confirmed] = said ? clausesOf(said) : [];
  if (!before || !confirmed) return undefined;
  const draft = draftStatement({ ...confirmed, sentence: clause.sentence }, [], { ...context, turnsBefore: [] });
  return { ...draft, confirms: before.index };
}

function draftStatement(clause: Clause, earlier: readonly Clause[], context: ClauseContext): StatementDraft {
  const { turn, turnsBefore, speaker, namesOf, isTalkOfSeveral } = context;
  const before = turnsBefore.at(-1);
  const prefix = isTalkOfSeveral && turn.name ? `${turn.name}: ` : '';
  const stated = speaker.subject ? findStatedAttribute(clause, speaker.subject, turn) : undefined;
  const leaning = tenseHintAt(clause.plain);
  const first = firstTimeOf(clause, earlier.at(-1), turn);
  const isDue = first !== undefined && (first.end ?? first.start) > turn.at && isDeadline(clause.plain, first, leaning);
  const preceding = precedingStatements(earlier, context);
  const antecedent = antecedentOf(clause, preceding, context);
  const person = resolvePronoun(clause.text, preceding, context);
  const namesInFront = [...turnsBefore, turn].flatMap((each) =>
    antecedent?.turns.includes(each.index) ? namesOf(each)(antecedent.content) : [],
  );
  const asked = earlier.length === 0 ? questionBefore(turn, before) : undefined;
  const shown = before && { content: before.content, name: isTalkOfSeveral ? before.name : undefined };
  return {
    // Without its lead-in: behind "Hi,", "For context:" and "Oui," the model takes less for worth keeping.
    utterance: {
      text: prefix + clause.text,
      before: wordsBefore(earlier.at(-1)?.said, shown),
    },
    nameWords: prefix.split(' ').length - 1,
    text: clause.text,
    quote: clause.sentence,
    ...(stated ? { stated } : {}),
    ...(first
      ? { event: { start: first.start, ...(first.end ? { end: first.end } : {}), precision: first.precision } }
      : {}),
    isAhead: first !== undefined && !first.isTimeOnly && first.start > turn.at,
    isDue,
    isReminder: isDue && reminder.test(clause.plain),
    isAskedToRemember: clause.isAskedToRemember,
    entities: uniqueNames([...namesOf(turn)(clause.text), ...(person?.names ?? []), ...namesInFront]),
    ...(antecedent ? { antecedent } : {}),
    ...(person ? { person } : {}),
    ...(asked && isSmallTalk(asked) && clause.text.split(/\s+/u).length >= leastAlone
      ? { followsSmallTalk: true }
      : {}),
  };
}

/** "Same day but 3 pm": of a day that was named before, and not of today. */
const sameDay =
  /\b(?:(?:on )?(?:the )?same day|that (?:same )?day|am (?:selben|gleichen) tag|(?:el|ese) mismo día|ese día|le même jour|ce jour-là)(?!\p{L})/iu;

const now = /\b(?:right )?now\b/iu;

/**
 * The first time that a clause names. An hour of something to come, without a day of its own, is one of the day that the
 * clause before it names: "The test is on 14 December, and I have to fast from midnight". Another sentence tells of that
 * day where it says so, or what has to be done then: "We marry on 14 December. Call me at 5 pm" does not.
 */
function firstTimeOf(
  { plain, text, sentence }: Clause,
  before: Clause | undefined,
  turn: Turn,
): DateMention | undefined {
  const leaning = tenseHintAt(plain);
  const [first] = findDates(plain, turn, leaning);
  if (!first?.isTimeOnly) return first;
  const isSameDay = sameDay.test(plain);
  if (!isSameDay && (leaning(first.index) === 'past' || reminder.test(plain) || now.test(text))) return first;
  if (!isSameDay && sentence !== before?.sentence && !obliged.test(plain) && !obligedAbroad.test(plain)) return first;
  const day = before && findDates(before.plain, turn, tenseHintAt(before.plain)).at(-1);
  if (day && ['minute', 'hour', 'day'].includes(day.precision)) return onDayOf(day, first);
  return isSameDay ? undefined : first;
}

/** The fewest words of a statement behind small talk that stands alone: "Tired." answers "How are you?". */
const leastAlone = 4;

const obliged =
  /\b(?:I|we) (?:have to|need to|must|ought to|shall|will(?! be (?:happy|glad|fine)\b)|promised|committed|agreed)\b|\bremind me\b|\b(?:do not|must not) (?:let me )?forget\b|^(?:need|have|got) to\b/iu;

const obligedAbroad =
  /(?<!\p{L})(?:muss|müssen|(?:tengo|tenemos|hay) que|deb(?:o|emos)|je dois|nous devons|on doit|il faut)(?!\p{L})/iu;

/** "Remind me to call the bank on Monday": asked for once, and not for now. */
const reminder = new RegExp(`^(?:(?:please|and|also),? )*${remindMeSource}`, 'iu');

/** Whether a clause says that something has to be done by or at a time: what is promised falls due. */
const isDeadline = (plain: string, { index }: DateMention, leaning: (index: number) => TenseHint): boolean =>
  obliged.test(plain) ||
  /\b(?:due|deadline|expires?)\b/u.test(plain) ||
  (/\b(?:by|before|until|no later than)(?: the)? $/u.test(plain.slice(0, index)) && leaning(index) === 'future');
