import type { DocumentType } from '../configurations/configuration.ts';
import { groupBy } from '../flow/group-by.ts';
import { limits } from '../limits.ts';
import type { DateOrder, SaidAt } from '../dates/calendar.ts';
import { languageOf } from '../language/sentence-language.ts';
import { dateOrderOf } from '../dates/slash-dates.ts';
import { isUnnamedMachine } from '../language/speaker.ts';
import {
  findNames,
  knownNames,
  nameFinder,
  uniqueNames,
  type NameFinder,
  type NameMention,
} from '../language/names.ts';
import { statedAttributeOf } from './attributes/stated-attributes.ts';
import type { Attribute, Candidate, DiscardedTurn, Turn } from './candidate.ts';
import { clausesOf, type Clause } from './clauses.ts';
import { documentTraits } from './documents/document-traits.ts';
import { headingPaths } from './documents/headings.ts';
import type { DocumentDraft, Speaker, TurnDraft } from './draft.ts';
import { draftStatements } from './draft-statements.ts';
import { noveltyFilter } from './novelty-filter.ts';
import { splitIntoPassages } from './passages.ts';
import { speakerKey } from './preceding-statements.ts';
import { rolePlayTracker } from './quoted-speech/role-play.ts';

export interface DraftOptions {
  readonly documentType: DocumentType;
  /** Other texts of the speaker of all turns, which also tell in what order they write day and month. Default: none. */
  readonly saidElsewhere?: readonly string[];
  /** Called before each turn. Once it is true, turns are only cut into passages. Default: never true. */
  readonly isLate?: () => boolean;
}

/** How many turns before a statement are searched for the person that "she" stands for. */
const turnsLookedBack = 4;

/** Sentences and clauses of one document: what has more says the same again and again, or is no text. */
const mostStatementsOfDocument = 4_000;

// Talk keeps a long message whole where it can.
const talk = { whole: 1_200, target: 1_000 };
const writing = { whole: 1_000, target: 900 };

/** A document's passages, and its statements as far as rules can read them. */
export function draftDocument(said: readonly Turn[], options: DraftOptions): DocumentDraft {
  const { documentType, saidElsewhere = [], isLate = () => false } = options;
  const turns = withDateOrder(said, saidElsewhere, isLate);
  const drafts = new Map<number, TurnDraft>();
  const discarded: DiscardedTurn[] = [];
  const values = new Map<string, string>();
  const speakers = speakersOf(turns, documentType);
  const names = namesIn(turns, isLate);
  const clausesIn = new Map<Turn, Clause[]>();
  const isTalkOfSeveral = peopleIn(turns).size > 1;
  const isNews = (turn: Turn) => changesValue(clausesIn.get(turn) ?? [], speakers(turn), turn, values);
  const gate = noveltyFilter(isNews, isTalkOfSeveral);
  const isRolePlayed = documentType === 'ai-chat-conversation' ? rolePlayTracker() : () => false;
  let statements = 0;
  let isCutShort = false;
  const isOver = (place: number) => statements > mostStatementsOfDocument || place >= limits.turns.max || isLate();
  for (const [place, turn] of turns.entries()) {
    const speaker = speakers(turn);
    const draft = { turn, speaker, statements: [], repeatedIn: [] };
    if (isOver(place)) {
      isCutShort ||= !isUnnamedMachine(turn);
      drafts.set(turn.index, { ...draft, passages: episodesOf(turn, documentType, () => []) });
      continue;
    }
    const clauses = isRolePlayed(turn) || isUnnamedMachine(turn) ? [] : clausesOf(turn.content);
    clausesIn.set(turn, clauses);
    const verdict = gate(turn, turns[place - 1]);
    if (verdict) {
      discarded.push({ turn: turn.index, reason: verdict.reason });
      drafts.get(verdict.repeats ?? -1)?.repeatedIn.push(turn.index);
      continue;
    }
    const known = names(turn);
    const remaining = Math.max(0, mostStatementsOfDocument - statements);
    isCutShort ||= clauses.length > remaining;
    const { statements: found, isComplete } = draftStatements(clauses.slice(0, remaining), {
      turn,
      turnsBefore: turns.slice(Math.max(0, place - turnsLookedBack), place),
      speaker,
      namesOf: names,
      isTalkOfSeveral,
      isLate,
    });
    isCutShort ||= !isComplete;
    statements += found.length;
    for (const { stated } of found)
      if (stated) values.set(`${stated.attribute.subject}/${stated.attribute.name}`, valueSaid(stated.attribute));
    drafts.set(turn.index, { ...draft, statements: found, passages: episodesOf(turn, documentType, known) });
  }
  return { turns: [...drafts.values()], discarded, isCutShort };
}

/** The turns with the order of day and month that their speaker writes, where there are dates with a slash. */
function withDateOrder(
  turns: readonly Turn[],
  saidElsewhere: readonly string[],
  isLate: () => boolean,
): readonly Turn[] {
  if (isLate() || !turns.some(({ content }) => /\d\/\d/u.test(content))) return turns;
  const orders = new Map<string, DateOrder | undefined>();
  for (const [speaker, texts] of groupBy(turns, speakerKey, ({ content }) => content)) {
    if (isLate()) break;
    orders.set(speaker, dateOrderOf([...texts, ...saidElsewhere]));
  }
  return turns.map((turn) => {
    const dateOrder = orders.get(speakerKey(turn));
    return dateOrder ? { ...turn, dateOrder } : turn;
  });
}

function episodesOf(turn: Turn, documentType: DocumentType, known: NameFinder): Candidate[] {
  const { isWriting, hasHeadings } = documentTraits[documentType];
  const pathAt = hasHeadings ? headingPaths(turn.content) : () => '';
  const said = turn.name ? [{ name: turn.name, kind: 'person' as const }] : [];
  return splitIntoPassages(turn.content, isWriting ? writing : talk).map(({ content: passage, start }) => ({
    type: 'episodes',
    category: 'other',
    content: [turn.heading ?? pathAt(start), passage].filter(Boolean).join('\n\n'),
    confidence: 1,
    turns: [turn.index],
    quote: passage,
    entities: uniqueNames([...said, ...known(passage)]),
  }));
}

function changesValue(
  clauses: readonly Clause[],
  { subject }: Speaker,
  when: SaidAt,
  values: ReadonlyMap<string, string>,
): boolean {
  if (!subject) return false;
  return clauses.some((clause) => {
    const attribute = statedAttributeOf(clause, subject, when);
    return attribute && values.get(`${subject}/${attribute.name}`) !== valueSaid(attribute);
  });
}

/** The value with its sense: "Stop answering in French" says another thing of French than "answer in French". */
const valueSaid = ({ sense, value }: Attribute): string => `${sense ?? ''}/${value}`;

const peopleIn = (turns: readonly Turn[]): ReadonlySet<string> =>
  new Set(turns.filter((turn) => !isUnnamedMachine(turn)).map((turn) => turn.name ?? ''));

/** "I" is the user's where one person speaks to an assistant; among several it is each speaker's own. */
function speakersOf(turns: readonly Turn[], documentType: DocumentType): (turn: Turn) => Speaker {
  const people = peopleIn(turns);
  return ({ name }) => {
    if (name && people.size > 1) return { subject: name.toLowerCase(), name };
    if (documentTraits[documentType].hasAmbiguousFirstPerson) return name ? { subject: name.toLowerCase(), name } : {};
    return { subject: 'user', ...(name ? { name } : {}) };
  };
}

/** The names that a turn may name: its own and the speakers'; of an assistant, those that people brought up. */
function namesIn(turns: readonly Turn[], isLate: () => boolean): (turn: Turn) => NameFinder {
  const speakers = uniqueNames(turns.flatMap(({ name }) => (name ? [{ name, kind: 'person' as const }] : [])));
  const ofSpeakers = knownNames(speakers);
  // "Elliot has called": at the head of a sentence a word is a name where it was one before.
  const heard = new Set(ofSpeakers.words);
  const own = new Map<Turn, NameMention[]>();
  for (const turn of turns.filter((each) => !isUnnamedMachine(each))) {
    const names = isLate() ? [] : findNames(turn.content, { ...ofSpeakers, words: heard });
    for (const { name, kind } of names) heard.add(kind === 'person' ? name.split(' ')[0]! : name);
    own.set(turn, names);
  }
  const all = ofOneKind([...[...own.values()].flat(), ...speakers]);
  const kinds = new Map(all.map((entity) => [entity.name, entity.kind]));
  const finder = (names: readonly NameMention[]) =>
    nameFinder(uniqueNames(names.map(({ name, kind }) => ({ name, kind: kinds.get(name) ?? kind }))));
  const [findAll, findSpeakers] = [finder(all), nameFinder(speakers)];
  const ofTurns = new Map(
    [...own].map(([turn, names]): [Turn, NameFinder] => {
      const ofTurn = finder(names);
      // In German a name that stands without a cue is told by the turn that introduced it.
      if (languageOf(turn.content) === 'de') return [turn, findAll];
      return [turn, (text) => uniqueNames([...ofTurn(text), ...findSpeakers(text)])];
    }),
  );
  return (turn) => ofTurns.get(turn) ?? findAll;
}

/** Each name once, of the kind that it has most often; "other" counts little, as it tells nothing. */
function ofOneKind(names: readonly NameMention[]): NameMention[] {
  const counts = new Map<string, Map<NameMention['kind'], number>>();
  for (const { name, kind } of names) {
    const count = counts.get(name) ?? new Map<NameMention['kind'], number>();
    counts.set(name, count.set(kind, (count.get(kind) ?? 0) + (kind === 'other' ? 0.1 : 1)));
  }
  return [...counts].map(([name, count]) => ({
    name,
    kind: [...count].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'other',
  }));
}
