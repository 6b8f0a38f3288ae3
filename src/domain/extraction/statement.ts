import { findDates, type DateMention, type Leaning, type TimeSpan } from '../language/dates.ts';
import type { NameFinder, NameMention } from '../language/names.ts';
import { leaningAt } from '../language/tense.ts';
import { kindOf } from './attributes/kinds.ts';
import { statedIn, type Stated } from './attributes/stated.ts';
import type { Candidate, Turn } from './candidate.ts';
import { topicOf } from './categories.ts';
import type { Clause } from './clauses.ts';
import { confidences } from './confidences.ts';
import { contentOf } from './echoes.ts';
import { emotions } from './rules/emotions.ts';
import { facts } from './rules/facts/facts.ts';
import { factLead, world } from './rules/facts/world.ts';
import { instructions } from './rules/instructions.ts';
import { opinionLead, opinions } from './rules/opinions.ts';
import { commitments, decisions } from './rules/plans.ts';
import { preferences } from './rules/preferences.ts';
import { strongest, type Finding, type Rule } from './rules/rule.ts';
import { datedEvents, noEvent } from './rules/temporal-events.ts';
import { inThirdPerson } from './third-person.ts';

/** Who speaks, and which names the turn may name. */
export interface Speaker {
  /** `user`, or the speaker's name in lower case; absent when "I" may be anyone. */
  subject?: string;
  /** As it is written, when known. */
  name?: string;
  /** The names in the turn and those of the speakers. */
  known: NameFinder;
}

/** The typed memory that a clause of a user's turn yields: one at most, of the kind that says most about it. */
export function statementOf(clause: Clause, turn: Turn, speaker: Speaker): Candidate | undefined {
  if (clause.isQuestion) return undefined;
  const said = speaker.subject ? statedIn(clause, speaker.subject, turn.at) : undefined;
  const leaning = leaningAt(clause.plain);
  const dates = findDates(clause.plain, turn.at, leaning);
  const finding = findingOf(clause, dates, said);
  if (!finding) return undefined;
  // "Jon is excited too", "I got it": a loose pattern over one word of content says nothing by itself.
  if (!said?.isMemory && finding.strength < 0.85 && contentOf(clause.plain).size < 2) return undefined;
  const entities = speaker.known(clause.text);
  // A verb of liking is itself the sign of a person, as is what only people do; of the rest we ask for a name.
  if (finding.type !== 'preferences' && !said?.isMemory && isUnnamed(clause.plain, entities)) return undefined;
  const words = finding.isOpinion && clause.ground ? `${clause.text} ${clause.ground}` : clause.text;
  const content = speaker.name && finding.category !== 'instruction' ? inThirdPerson(words, speaker.name) : words;
  const first = dates[0];
  const isDue =
    first &&
    (finding.isCommitment === true || isDeadline(clause.plain, first, leaning)) &&
    (first.end ?? first.start) > turn.at;
  return {
    type: finding.type,
    category: finding.category ?? topicOf(clause.plain),
    content,
    rule: finding.rule,
    confidence: confidences[finding.rule] ?? 0,
    turns: [turn.index],
    quote: clause.sentence,
    ...(first && finding.type !== 'preferences' ? { event: eventOf(first) } : {}),
    ...(isDue ? { dueAt: first.start } : {}),
    ...(said ? { attribute: said.attribute } : {}),
    entities: content.startsWith(speaker.name ?? '\0') ? withSpeaker(entities, speaker) : entities,
  };
}

const worldly =
  /^(?:(?:the|this|that|these|its|an?) (?:\S+ ){1,9}?|(?:\p{Lu}\S+ ){1,4}(?:\p{Ll}+ ){1,6}?)(?:is|are|was|were|has|have|falls|starts|ends|opens|closes|expires)\b/u;

type Kind = Finding & { isCommitment?: boolean; isOpinion?: boolean };

/** A kind that stands later must be this much stronger to be taken for the clause. */
const margin = 0.06;

function findingOf(clause: Clause, dates: readonly DateMention[], said: Stated | undefined): Kind | undefined {
  const isDated = dates.length > 0 && !noEvent.test(clause.plain);
  let best: Kind | undefined = strongest(instructions, clause);
  const consider = (find: (above: number) => Kind | undefined) => {
    const above = best ? best.strength + margin : 0;
    const found = find(above);
    if (found && found.strength > above) best = found;
  };
  const rules = (of: readonly Rule[]) => consider((above) => strongest(of, clause, above));
  if (said?.isMemory) consider(() => stated(said));
  rules(preferences);
  rules(emotions);
  rules(decisions);
  consider((above) => commitmentFinding(clause, isDated, above));
  if (isDated) consider((above) => datedFinding(clause, above));
  consider((above) => opinionFinding(clause, above));
  rules(facts);
  rules(world);
  consider(() => leadFinding(clause));
  return best;
}

/** An attribute's form covers its whole clause: the surest sign there is, though of an event the rules know more. */
const stated = ({ attribute, isEvent }: Stated): Finding => ({
  rule: 'attributes.stated',
  strength: isEvent ? 0.7 : 0.95,
  ...kindOf(attribute),
});

function commitmentFinding(clause: Clause, isDated: boolean, above: number): Kind | undefined {
  const found = strongest(commitments, clause, isDated ? above - 0.15 : above);
  if (!found) return undefined;
  // With its date, what must be done is more than an event at that date.
  return isDated
    ? { ...found, type: 'temporal_events', strength: found.strength + 0.15, isCommitment: true }
    : { ...found, isCommitment: true };
}

/** What happens to people is an event; that a thing "is" at a date is a fact about the thing, with that date. */
function datedFinding(clause: Clause, above: number): Finding | undefined {
  const event = strongest(datedEvents, clause, above);
  return event && worldly.test(clause.plain) ? { ...event, type: 'facts' } : event;
}

function leadFinding({ leadIn, plain }: Clause): Finding | undefined {
  if (plain.split(' ').length < 5) return undefined;
  return factLead.test(leadIn) ? { rule: 'world.announced', type: 'facts', strength: 0.8 } : undefined;
}

function opinionFinding(clause: Clause, above: number): Kind | undefined {
  const found = strongest(opinions, clause, above);
  if (found) return { ...found, isOpinion: true };
  if (clause.plain.split(' ').length < 5 || !opinionLead.test(clause.leadIn)) return undefined;
  return { rule: 'opinions.announced', type: 'preferences', category: 'other', strength: 0.74, isOpinion: true };
}

/** A sentence on one capitalised word that is no name ("Dance is fun") is about nobody we know. */
function isUnnamed(plain: string, entities: readonly NameMention[]): boolean {
  const word = /^(?!I\b)\p{Lu}[\p{L}-]*(?=\s\p{Ll})/u.exec(plain)?.[0];
  return word !== undefined && !entities.some(({ name }) => name.split(' ').includes(word));
}

function withSpeaker(entities: readonly NameMention[], { name = '' }: Speaker): NameMention[] {
  return entities.some((entity) => entity.name === name) ? [...entities] : [{ name, kind: 'person' }, ...entities];
}

const isDeadline = (plain: string, { index }: DateMention, leaning: (index: number) => Leaning): boolean =>
  /\b(?:due|deadline|expires?)\b/u.test(plain) ||
  (/\b(?:by|before|until|no later than)(?: the)? $/u.test(plain.slice(0, index)) && leaning(index) === 'future');

function eventOf({ start, end, precision }: DateMention): TimeSpan {
  return { start, ...(end ? { end } : {}), precision };
}
