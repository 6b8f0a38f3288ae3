import { uniqueNames, type NameFinder } from '../language/names.ts';
import { antecedentOf } from './antecedent.ts';
import { findStatedAttribute } from './attributes/stated-attributes.ts';
import type { Turn } from './candidate.ts';
import { clausesOf, type Clause } from './clauses.ts';
import { confirmedStatement } from './confirmed-question.ts';
import { resolvePronoun } from './pronoun-resolution.ts';
import { precedingStatements, questionBefore, statementsLookedBack, type TurnContext } from './preceding-statements.ts';
import { asksToRemember } from './requests-to-remember.ts';
import { withInlineCorrection, withCorrection } from './self-corrections.ts';
import { quoteFrom, type Speaker, type StatementDraft } from './draft.ts';
import { isSmallTalk } from './small-talk.ts';
import { wordsBefore } from './statement-classifier.ts';
import { timeOfClause } from './time-of-clause.ts';

/** The context in which the clauses of a turn are read. */
export interface ClauseContext extends TurnContext {
  readonly speaker: Speaker;
  /** The names in a turn and those of the speakers. */
  readonly namesOf: (turn: Turn) => NameFinder;
  /** Whether several people talk, so that the model is told who speaks. */
  readonly isTalkOfSeveral: boolean;
  /** Called before each clause. Once it is true, no more are read. */
  readonly isLate: () => boolean;
}

/** Words that take back the statement right before: "No wait", "actually no", "I meant". */
const retraction =
  /^(?:(?:no|nee|nein|non|oh|ah|hm+|sorry),? )?(?:(?:wait|warte|moment|espera|attends)(?=\s*[,.:!…—–]|\s+(?:-|no\b)|$)(?!,\s+(?:i|we) (?:also|forgot)\b)|(?:scratch that|strike that|actually,? no|no,? actually|on second thoughts?|i meant|no,? i mean|quatsch|nein,? doch|no,? perdón|mejor dicho|non,? pardon)\b|(?:i (?:was|am)|that['’]?s) wrong\b(?! (?:for|to|and)\b))/iu;

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
    if (next && !next.isQuestion && (retraction.test(next.withMarkers) || jokeDisclaimer.test(next.withMarkers)))
      continue;
    const sectionStart = sectionStarts[place]!;
    const earlier = clauses.slice(Math.max(sectionStart, place - statementsLookedBack), place);
    const inSection = sectionStart === 0 ? context : laterSections;
    const isAskedToRemember = clause.isAskedToRemember || (next !== undefined && asksToRemember(next.withMarkers));
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
      isStatement && before && !before.isQuestion ? withCorrection(before.withMarkers, clause.withMarkers) : undefined;
    if (before && corrected !== undefined)
      holding.splice(-1, 1, restated(before, corrected, quoteFrom(before.sentence, clause.sentence, content)));
    else
      holding.push(
        restated(clause, isStatement ? withInlineCorrection(clause.withMarkers) : undefined, clause.sentence),
      );
  }
  return holding;
}

function restated(clause: Clause, words: string | undefined, sentence: string): Clause {
  const [first = clause] = words === undefined ? [] : clausesOf(words);
  return { ...first, sentence, isAskedToRemember: clause.isAskedToRemember };
}

/** The start of a section of its own: a heading, a block of code or a rule across the page. */
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
  const question = questionBefore(turn, before);
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
  const preceding = precedingStatements(earlier, context);
  const antecedent = antecedentOf(clause, preceding, context);
  const person = resolvePronoun(clause.text, preceding, context);
  const namesInFront = [...turnsBefore, turn].flatMap((each) =>
    antecedent?.turns.includes(each.index) ? namesOf(each)(antecedent.content) : [],
  );
  const asked = earlier.length === 0 ? questionBefore(turn, before) : undefined;
  const shown = before && { content: before.content, name: isTalkOfSeveral ? before.name : undefined };
  return {
    // Without discourse markers: behind "Hi,", "For context:" and "Oui," the model takes less for worth keeping.
    utterance: {
      text: prefix + clause.text,
      before: wordsBefore(earlier.at(-1)?.withMarkers, shown),
    },
    nameWords: prefix.split(' ').length - 1,
    text: clause.text,
    quote: clause.sentence,
    ...(stated ? { stated } : {}),
    ...timeOfClause(clause, earlier.at(-1), turn),
    isAskedToRemember: clause.isAskedToRemember,
    entities: uniqueNames([...namesOf(turn)(clause.text), ...(person?.names ?? []), ...namesInFront]),
    ...(antecedent ? { antecedent } : {}),
    ...(person ? { person } : {}),
    ...(asked && isSmallTalk(asked) && clause.text.split(/\s+/u).length >= leastAlone
      ? { followsSmallTalk: true }
      : {}),
  };
}

/** The fewest words of a statement behind small talk that stands alone: "Tired." answers "How are you?". */
const leastAlone = 4;
