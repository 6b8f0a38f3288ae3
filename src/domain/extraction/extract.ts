import { findNames, namesWithin, type NameMention } from '../language/names.ts';
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
}

// Talk keeps a long message whole where it can; written text is cut finer, since it holds more to a line.
const talk = { whole: 1_200, target: 1_000 };
const writing = { whole: 1_000, target: 900 };
const writings: ReadonlySet<string> = new Set(['email', 'note', 'document', 'markdown']);
// Their headings stand above what they cut.
const structured: ReadonlySet<string> = new Set(['note', 'document', 'markdown']);
// In these, an "I" without a name may be anybody's, so it states no attribute of the user.
const anyonesWords: ReadonlySet<string> = new Set(['meeting-transcript', 'email', 'document', 'markdown']);

/** What a document says that is worth keeping: its passages, verbatim, and the typed statements in them. */
export function extract(turns: readonly Turn[], { mode, documentType, threshold }: ExtractionOptions): Extraction {
  const candidates: Candidate[] = [];
  const discarded: Discarded[] = [];
  const values = new Map<string, string>();
  const speakers = speakersOf(turns, documentType);
  const names = namesIn(turns);
  const clausesIn = new Map<Turn, Clause[]>();
  const gate = writeGate((turn) => changesValue(clausesIn.get(turn) ?? [], speakers(turn), turn.at, values));
  for (const [place, turn] of turns.entries()) {
    const clauses = isAssistant(turn) ? [] : clausesOf(turn.content);
    clausesIn.set(turn, clauses);
    const verdict = gate(turn, turns[place - 1]);
    if (verdict) {
      discarded.push({ turn: turn.index, reason: verdict.reason });
      for (const candidate of candidates) if (candidate.turns[0] === verdict.repeats) candidate.turns.push(turn.index);
      continue;
    }
    const known = names(turn);
    const speaker: Speaker = { ...speakers(turn), known };
    const typed = clauses.map((clause) => statementOf(clause, turn, speaker)).filter((found) => found !== undefined);
    for (const { attribute } of typed)
      if (attribute) values.set(`${attribute.subject}/${attribute.name}`, valueSaid(attribute));
    candidates.push(...episodesOf(turn, typed, documentType, known));
    for (const found of typed) {
      if (found.confidence >= threshold) candidates.push(found);
      else discarded.push({ turn: turn.index, reason: 'below-threshold' });
    }
  }
  if (mode === 'fast') return { candidates, discarded };
  return { candidates: withQuestions(candidates, turns), discarded };
}

function episodesOf(
  turn: Turn,
  typed: readonly Candidate[],
  documentType: string,
  known: readonly NameMention[],
): Candidate[] {
  const limits = writings.has(documentType) ? writing : talk;
  const pathAt = structured.has(documentType) ? headingPaths(turn.content) : () => '';
  const said = turn.name ? [{ name: turn.name, kind: 'person' as const }] : [];
  return cutPassages(turn.content, limits).map(({ content: passage, start }) => ({
    type: 'episodes',
    category: 'other',
    content: [turn.heading ?? pathAt(start), passage].filter(Boolean).join('\n\n'),
    confidence: 1,
    turns: [turn.index],
    quote: passage,
    ...(statesOnly(passage, typed) ? { statesOnly: true } : {}),
    entities: unique([...said, ...namesWithin(passage, known)]),
  }));
}

/** Whether the passage is nothing but statements of attributes, beside small talk. */
function statesOnly(passage: string, typed: readonly Candidate[]): boolean {
  const stated = new Set(typed.filter(({ attribute }) => attribute).map(({ quote }) => quote));
  if (stated.size === 0) return false;
  const others = typed.filter(({ attribute, quote }) => !attribute && passage.includes(quote));
  return others.length === 0 && splitSentences(passage).every(({ text }) => stated.has(text) || smallTalkKind(text));
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
function namesIn(turns: readonly Turn[]): (turn: Turn) => NameMention[] {
  const speakers = unique(turns.flatMap(({ name }) => (name ? [{ name, kind: 'person' as const }] : [])));
  const own = new Map(
    turns.filter((turn) => !isAssistant(turn)).map((turn) => [turn, findNames(turn.content, speakers)]),
  );
  const all = ofOneKind([...[...own.values()].flat(), ...speakers]);
  const kinds = new Map(all.map((entity) => [entity.name, entity.kind]));
  return (turn) =>
    unique([...(own.get(turn) ?? all).map(({ name, kind }) => ({ name, kind: kinds.get(name) ?? kind })), ...speakers]);
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
