import { findNames, knownNames, nameFinder, type NameFinder, type NameMention } from '../language/names.ts';
import { splitSentences } from '../language/sentences.ts';
import { attributeOf } from './attributes/stated.ts';
import type { Attribute, Candidate, Discarded, Extraction, Turn } from './candidate.ts';
import { clausesOf, type Clause } from './clauses.ts';
import { headingPaths } from './documents/headings.ts';
import { isAssistant, writeGate } from './junk.ts';
import { withQuestions } from './long-range.ts';
import { cutPassages } from './passages.ts';
import { smallTalkKind } from './small-talk.ts';
import { statementOf, type Speaker } from './statement.ts';

export interface ExtractionOptions {
  mode: 'fast' | 'long-range';
  /** One of the `document_type` values of the API. */
  documentType: string;
  /** Candidates less sure than this are left out and counted. */
  threshold: number;
  /** Asked before each turn and clause: from the first yes on, turns are only cut into passages. Default: never. */
  isLate?: () => boolean;
}

/** Typed statements of one document: what has more says the same again and again, or is no text. */
const mostStatementsOfDocument = 2_000;

// Talk keeps a long message whole where it can; written text is cut finer, since it holds more to a line.
const talk = { whole: 1_200, target: 1_000 };
const writing = { whole: 1_000, target: 900 };
const writings: ReadonlySet<string> = new Set(['email', 'note', 'document', 'markdown']);
// Their headings stand above what they cut.
const structured: ReadonlySet<string> = new Set(['note', 'document', 'markdown']);
// In these, an "I" without a name may be anybody's, so it states no attribute of the user.
const anyonesWords: ReadonlySet<string> = new Set(['meeting-transcript', 'email', 'document', 'markdown']);

/** What a document says that is worth keeping: its passages, verbatim, and the typed statements in them. */
export function extract(turns: readonly Turn[], options: ExtractionOptions): Extraction {
  const { mode, documentType, threshold, isLate = () => false } = options;
  const candidates: Candidate[] = [];
  const discarded: Discarded[] = [];
  const values = new Map<string, string>();
  const speakers = speakersOf(turns, documentType);
  const names = namesIn(turns, isLate);
  const clausesIn = new Map<Turn, Clause[]>();
  const gate = writeGate((turn) => changesValue(clausesIn.get(turn) ?? [], speakers(turn), turn.at, values));
  const byTurn = new Map<number, Candidate[]>();
  const keep = (turn: Turn, found: readonly Candidate[]) => {
    byTurn.set(turn.index, [...(byTurn.get(turn.index) ?? []), ...found]);
    candidates.push(...found);
  };
  let statements = 0;
  let isCutShort = false;
  const isOver = () => statements > mostStatementsOfDocument || isLate();
  for (const [place, turn] of turns.entries()) {
    if (isOver()) {
      keep(
        turn,
        episodesOf(turn, [], documentType, () => []),
      );
      continue;
    }
    const clauses = isAssistant(turn) ? [] : clausesOf(turn.content);
    clausesIn.set(turn, clauses);
    const verdict = gate(turn, turns[place - 1]);
    if (verdict) {
      discarded.push({ turn: turn.index, reason: verdict.reason });
      for (const candidate of byTurn.get(verdict.repeats ?? -1) ?? []) candidate.turns.push(turn.index);
      continue;
    }
    const known = names(turn);
    const speaker: Speaker = { ...speakers(turn), known };
    const typed: Candidate[] = [];
    for (const clause of clauses) {
      if (isOver()) {
        isCutShort = true;
        break;
      }
      const found = statementOf(clause, turn, speaker);
      if (!found) continue;
      typed.push(found);
      statements += 1;
    }
    for (const { attribute } of typed)
      if (attribute) values.set(`${attribute.subject}/${attribute.name}`, valueSaid(attribute));
    keep(turn, episodesOf(turn, typed, documentType, known));
    keep(
      turn,
      typed.filter(({ confidence }) => confidence >= threshold),
    );
    for (const { confidence } of typed)
      if (confidence < threshold) discarded.push({ turn: turn.index, reason: 'below-threshold' });
  }
  return {
    candidates: mode === 'fast' ? candidates : withQuestions(candidates, turns),
    discarded,
    ...(isCutShort ? { isCutShort } : {}),
  };
}

function episodesOf(turn: Turn, typed: readonly Candidate[], documentType: string, known: NameFinder): Candidate[] {
  const limits = writings.has(documentType) ? writing : talk;
  const pathAt = structured.has(documentType) ? headingPaths(turn.content) : () => '';
  const said = turn.name ? [{ name: turn.name, kind: 'person' as const }] : [];
  const statesOnly = statesOnlyIn(typed);
  return cutPassages(turn.content, limits).map(({ content: passage, start }) => ({
    type: 'episodes',
    category: 'other',
    content: [turn.heading ?? pathAt(start), passage].filter(Boolean).join('\n\n'),
    confidence: 1,
    turns: [turn.index],
    quote: passage,
    ...(statesOnly(passage) ? { statesOnly: true } : {}),
    entities: unique([...said, ...known(passage)]),
  }));
}

/** Whether a passage of the turn is nothing but statements of attributes, beside small talk. */
function statesOnlyIn(typed: readonly Candidate[]): (passage: string) => boolean {
  const stated = new Set(typed.filter(({ attribute }) => attribute).map(({ quote }) => quote));
  const others = new Set(typed.filter(({ attribute }) => !attribute).map(({ quote }) => quote));
  if (stated.size === 0) return () => false;
  return (passage) => {
    const sentences = splitSentences(passage).map(({ text }) => text);
    return (
      sentences.some((sentence) => stated.has(sentence)) &&
      sentences.every((sentence) => !others.has(sentence) && (stated.has(sentence) || smallTalkKind(sentence)))
    );
  };
}

function changesValue(
  clauses: readonly Clause[],
  { subject }: Pick<Speaker, 'subject'>,
  at: Date,
  values: ReadonlyMap<string, string>,
): boolean {
  if (!subject) return false;
  return clauses.some((clause) => {
    const attribute = attributeOf(clause, subject, at);
    return attribute && values.get(`${subject}/${attribute.name}`) !== valueSaid(attribute);
  });
}

/** "Stop answering in French" says another thing of French than "answer in French". */
const valueSaid = ({ sense, value }: Attribute): string => `${sense ?? ''}/${value}`;

/** "I" is the user's where one person speaks to an assistant; among several it is each speaker's own. */
function speakersOf(turns: readonly Turn[], documentType: string): (turn: Turn) => Pick<Speaker, 'subject' | 'name'> {
  const people = new Set(turns.filter((turn) => !isAssistant(turn)).map((turn) => turn.name ?? ''));
  return ({ name }) => {
    if (name && people.size > 1) return { subject: name.toLowerCase(), name };
    if (anyonesWords.has(documentType)) return name ? { subject: name.toLowerCase(), name } : {};
    return { subject: 'user', ...(name ? { name } : {}) };
  };
}

/** The names that a turn may name: its own and the speakers'; of an assistant, those that people brought up. */
function namesIn(turns: readonly Turn[], isLate: () => boolean): (turn: Turn) => NameFinder {
  const speakers = unique(turns.flatMap(({ name }) => (name ? [{ name, kind: 'person' as const }] : [])));
  const known = knownNames(speakers);
  const own = new Map(
    turns.filter((turn) => !isAssistant(turn)).map((turn) => [turn, isLate() ? [] : findNames(turn.content, known)]),
  );
  const all = ofOneKind([...[...own.values()].flat(), ...speakers]);
  const kinds = new Map(all.map((entity) => [entity.name, entity.kind]));
  const finder = (names: readonly NameMention[]) =>
    nameFinder(unique(names.map(({ name, kind }) => ({ name, kind: kinds.get(name) ?? kind }))));
  const [ofAll, ofSpeakers] = [finder(all), nameFinder(speakers)];
  return (turn) => {
    const names = own.get(turn);
    const ofTurn = names ? finder(names) : ofAll;
    return (text) => unique([...ofTurn(text), ...ofSpeakers(text)]);
  };
}

/** Each name once, as what it is called most often; "other" only says that one occurrence did not tell. */
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

function unique(names: readonly NameMention[]): NameMention[] {
  return [...new Map(names.map((entity) => [entity.name.toLowerCase(), entity])).values()];
}
