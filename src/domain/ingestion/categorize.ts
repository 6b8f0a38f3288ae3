import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import type { Attribute, Candidate, Turn } from '../extraction/candidate.ts';
import { statementKey } from '../extraction/content-key.ts';
import { categoryFitterOf, type CategoryFitter } from '../extraction/fit-category.ts';
import { isTrustedProvenance, provenanceOf } from '../extraction/provenance.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { derivedUuid } from '../ids.ts';
import { splitSentences } from '../language/sentences.ts';
import { attributeTimelines, changedValidities, type ChangedValidities } from '../memories/attribute-timeline.ts';
import { confidenceOf } from '../memories/confidence.ts';
import type { RepeatedEvidence } from '../memories/evidence-store.ts';
import type { PossibleSupersession } from '../memories/possible-supersession-store.ts';
import { findStatements, findStatementsOf } from '../memories/statement-store.ts';
import { findByContent, type KnownMemory, type NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { Replacement } from './replace-document.ts';
import { findUpdates, type NewMemoryWithCandidate, type UpdateDependencies } from './find-updates.ts';
import { withMonthsOfChangedEvents } from './month-of-changed-event.ts';
import { assignSharedAttributes, type SharedAttributes } from './shared-attributes.ts';
import type { IngestionWork } from './ingestion-store.ts';
import {
  attributeStatementOf,
  noAttribute,
  statementSourcesOf,
  hashAttribute,
  storableEvent,
  storableTime,
} from './hashed-attribute.ts';

/** The memories to store, decided against what the owner held at `expectedRevision`. */
export interface CategorizedMemories {
  readonly expectedRevision: bigint;
  readonly memories: readonly NewMemoryWithCandidate[];
  /** Known memories that were said again. */
  readonly repeats: readonly RepeatedEvidence[];
  /** Stored statements that a new one changes, with what becomes of them. */
  readonly statementValidities: ChangedValidities;
  /** Attributes of stored memories that had none, which a new statement replaces. */
  readonly attributes: SharedAttributes['stored'];
  /** Memories that do not replace one another, though they share an attribute. */
  readonly exclusions: SharedAttributes['exclusions'];
  /** Memories that a new statement may replace, though not surely. */
  readonly possible: readonly PossibleSupersession[];
  readonly discarded: number;
}

/** The input of categorization: a document and the candidates found in it. */
interface CategorizationInput {
  readonly configuration: Configuration;
  readonly work: IngestionWork;
  readonly turns: readonly Turn[];
  readonly candidates: readonly Candidate[];
  readonly replacement: Replacement;
}

/** Gives each candidate its place: kept or not, new or said before, holding or superseded. Reads, and writes nothing. */
export async function categorizeCandidates(
  deps: UpdateDependencies,
  access: Access,
  { configuration, work, turns, candidates, replacement }: CategorizationInput,
): Promise<CategorizedMemories> {
  const sort = categoryFitterOf(configuration);
  const isKept = (each: Candidate) => each.confidence >= configuration.confidence_threshold && sort(each) !== null;
  const kept = work.mode === 'verbatim' ? candidates : candidates.filter(isKept);
  const read = { turns, attributes: attributesByQuote(kept), passages: passageNumbers(kept, turns), sort };
  const drafts = joinRepeated(await mapYielding(kept, (candidate, n) => draft(access, work, read, candidate, n)));
  const existing = await findByContent(
    deps.db,
    access,
    work.ownerNo,
    drafts.map(({ memory }) => memory.contentKey),
  );
  const repeats: RepeatedAttribute[] = [];
  const repeatsOf = new Map<string, RepeatedAttribute[]>();
  const memories: NewMemoryWithCandidate[] = [];
  for (const { memory, candidate } of drafts) {
    const said = repeatedBy(memory, existing.get(memory.contentKey.toString('hex')));
    if (said) {
      const before = repeatsOf.get(said.id) ?? [];
      const repeat = { ...repeatOf(said, before, memory), attributeKey: memory.attributeKey };
      repeats.push(repeat);
      before.push(repeat);
      repeatsOf.set(said.id, before);
    } else memories.push({ memory, candidate });
  }
  // A record replaces nothing: it is kept beside whatever else is known.
  const compared = work.mode === 'verbatim' ? [] : memories;
  const { sure, possible } = await findUpdates(deps, access, work.ownerNo, compared);
  const { added, stored, exclusions } = assignSharedAttributes(
    access,
    withMonthsOfChangedEvents(memories, possible),
    sure,
  );
  const superseded = await supersede(deps.db, access, work, {
    memories: added,
    repeats: repeats.filter(({ attributeKey }) => attributeKey),
    replacement,
    attributes: stored,
    exclusions,
  });
  const ended = endedBy(superseded);
  return {
    expectedRevision: work.ownerRevision,
    repeats,
    discarded: candidates.length - memories.length - repeats.length,
    attributes: stored,
    exclusions,
    possible: possible
      .filter(({ old }) => !ended.has(old.id))
      .map(({ old, by, probability }) => ({ oldId: old.id, newId: by.id, confidence: probability })),
    ...superseded,
  };
}

/** The memories, stored and new, that hold no more. */
function endedBy({ memories, statementValidities }: Superseded): Set<string> {
  const validities = [...statementValidities, ...memories.map(({ memory }) => memory)];
  return new Set(validities.flatMap(({ id, statementValidity }) => (statementValidity.supersededBy ? id : [])));
}

type RepeatedAttribute = RepeatedEvidence & { attributeKey: NewMemory['attributeKey'] };

/** A document as it was read. */
interface TurnsToCategorize {
  readonly turns: readonly Turn[];
  /** As `attributesByQuote` gives them. */
  readonly attributes: ReadonlyMap<string, readonly Candidate[]>;
  readonly passages: ReadonlyMap<Candidate, number>;
  readonly sort: CategoryFitter;
}

function draft(
  access: Access,
  work: IngestionWork,
  { turns, attributes, passages, sort }: TurnsToCategorize,
  candidate: Candidate,
  n: number,
): NewMemoryWithCandidate {
  const { keys } = access;
  const turn = quotedTurnOf(candidate, turns);
  const attribute = attributeOf(candidate, attributes);
  const memory: NewMemory = {
    id: derivedUuid(work.ingestionId, n),
    ownerNo: work.ownerNo,
    type: candidate.type,
    category: sort(candidate) ?? candidate.category,
    content: candidate.content,
    confidence: candidate.confidence,
    contentKey: keys.hash(
      'content',
      work.mode === 'verbatim' ? `verbatim/${work.documentId}` : statementKey(candidate, turn.at),
    ),
    ...(attribute ? hashAttribute(access, attribute) : noAttribute),
    attributeOnly: Boolean(candidate.statesOnly && attribute),
    event: storableEvent(candidate),
    dueAt: storableTime(candidate.dueAt),
    validFrom: turn.at,
    statementValidity: { validUntil: null, supersededBy: null },
    turns: union(
      [sentIn(turn)],
      candidate.turns.map((cited) => sentIn(turns[cited]!)),
    ),
    quote: candidate.quote,
    passage: passages.get(candidate) ?? 0,
    role: turn.role,
    provenance: provenanceOf({ documentType: work.type, provenance: work.provenance }, turn.role),
    speaker: turn.name ?? null,
  };
  return { memory, candidate };
}

/** The turn that holds the quote: of a question and its answer, the answer. */
export function quotedTurnOf({ turns: cited, quote }: Candidate, turns: readonly Turn[]): Turn {
  const home = cited.length > 1 ? cited.find((n) => turns[n]!.content.includes(quote)) : undefined;
  return turns[home ?? cited[0]!]!;
}

const sentIn = ({ sent, index }: Turn): number => sent ?? index;

/** Numbers the passages of a long turn, and finds the one that holds the quote of each statement. */
function passageNumbers(candidates: readonly Candidate[], turns: readonly Turn[]): Map<Candidate, number> {
  const turnOf = (candidate: Candidate) => sentIn(quotedTurnOf(candidate, turns));
  const passagesOf = groupBy(
    candidates.filter(({ type }) => type === 'episodes'),
    turnOf,
  );
  const numbers = new Map([...passagesOf.values()].flatMap((passages) => passages.map((passage, n) => [passage, n])));
  const reached = new Map<number, number>(); // statements come in the order of their turn
  for (const statement of candidates) {
    if (statement.type === 'episodes') continue;
    const turn = turnOf(statement);
    const passages = passagesOf.get(turn) ?? [];
    const holds = (passage: Candidate | undefined) => passage?.quote.includes(statement.quote) ?? false;
    const at = reached.get(turn) ?? 0;
    const n = passages.findIndex((passage, number) => number >= at && holds(passage));
    const found = n >= 0 ? n : Math.max(0, passages.findIndex(holds));
    reached.set(turn, found);
    numbers.set(statement, found);
  }
  return numbers;
}

/** The candidates that state an attribute, by their quote, which is a sentence. */
export const attributesByQuote = (candidates: readonly Candidate[]): Map<string, Candidate[]> =>
  groupBy(
    candidates.filter(({ attribute }) => attribute),
    ({ quote }) => quote,
  );

/** The attribute that a candidate states, or the one statement that is all of a passage. */
export const attributeOf = (candidate: Candidate, attributes: TurnsToCategorize['attributes']): Attribute | undefined =>
  candidate.statesOnly ? onlyAttributeIn(candidate, attributes) : candidate.attribute;

/** A passage goes with a statement only when it says nothing but that one: with two it must outlive either. */
function onlyAttributeIn(passage: Candidate, attributes: TurnsToCategorize['attributes']) {
  const quotes = new Set(splitSentences(passage.quote).map(({ text }) => text));
  const stated = [...quotes]
    .flatMap((quote) => attributes.get(quote) ?? [])
    .filter(({ turns }) => turns.some((turn) => passage.turns.includes(turn)));
  return stated.length === 1 ? stated[0]!.attribute : undefined;
}

/** Makes repetitions within one document one memory that cites both, unless its attribute had another value between. */
function joinRepeated(drafts: readonly NewMemoryWithCandidate[]): NewMemoryWithCandidate[] {
  const joined: { readonly draft: NewMemoryWithCandidate; readonly turns: Set<number> }[] = [];
  const places = new Map<string, number>();
  const values = new Map<string, string>();
  for (const next of drafts) {
    const { contentKey, attributeKey, attributeValue, attributeSense, turns } = next.memory;
    const [key, attribute] = [contentKey.toString('hex'), attributeKey?.toString('hex')];
    const value = `${attributeSense ?? ''}/${attributeValue?.toString('hex')}`;
    const isChange = attribute !== undefined && values.get(attribute) !== value;
    if (attribute !== undefined) values.set(attribute, value);
    const first = isChange ? undefined : joined[places.get(key) ?? -1];
    if (first) for (const turn of turns) first.turns.add(turn);
    else {
      places.set(key, joined.length);
      joined.push({ draft: next, turns: new Set(turns) });
    }
  }
  return joined.map(({ draft: { memory, candidate }, turns }) => ({
    candidate,
    memory: { ...memory, turns: [...turns] },
  }));
}

const union = (some: readonly number[], more: readonly number[]): number[] => [...new Set([...some, ...more])];

/**
 * Which of the memories that have its words a new one repeats. Somebody who states an attribute repeats none that does
 * not state it, such as a letter that has the words "I live in Leeds": else their statement would replace nothing.
 */
function repeatedBy({ attributeKey }: NewMemory, existing: readonly KnownMemory[] = []): KnownMemory | undefined {
  const attribute = attributeKey?.toString('hex') ?? null;
  return existing.find((each) => each.attribute === attribute) ?? (attribute === null ? existing[0] : undefined);
}

/** `before`: the same, said earlier in this document. */
const repeatOf = (
  { id, nextN, provenance: known, evidence }: KnownMemory,
  before: readonly RepeatedEvidence[],
  { turns, quote, validFrom, confidence, provenance }: NewMemory,
): RepeatedEvidence => ({
  memoryId: id,
  n: nextN + before.length,
  turns,
  quote,
  saidAt: validFrom,
  confidence,
  provenance,
  jointConfidence: confidenceOf([...evidence, ...before, { confidence, provenance }]),
  isConfirmed: isTrustedProvenance(provenance) && !isTrustedProvenance(known),
});

interface ToSupersede extends Pick<CategorizedMemories, 'memories' | 'attributes' | 'exclusions'> {
  readonly repeats: readonly RepeatedAttribute[];
  readonly replacement: Replacement;
}

type Superseded = Pick<CategorizedMemories, 'memories' | 'statementValidities'>;

/** Lays the new statements, and those said again, among the stored ones of the same attributes. */
async function supersede(
  db: Db,
  access: Access,
  { ownerNo, documentId }: IngestionWork,
  { memories, repeats, replacement, attributes, exclusions }: ToSupersede,
): Promise<Superseded> {
  const stating = memories.filter(({ memory }) => memory.attributeKey);
  const attributeKeys = [...stating.map(({ memory }) => memory), ...repeats].map(({ attributeKey }) => attributeKey!);
  const existing = [
    ...(await findStatements(db, access, ownerNo, attributeKeys)),
    ...(await findStatementsOf(db, access, ownerNo, attributes)),
  ];
  const exclusionsOf = groupBy(exclusions, ({ oldId }) => oldId);
  const excludedFor = (id: string, already?: ReadonlySet<string>) =>
    new Set([...(already ?? []), ...(exclusionsOf.get(id) ?? []).map(({ newId }) => newId)]);
  const repeatsOf = groupBy(repeats, ({ memoryId }) => memoryId);
  const stored = existing
    .map((statement) => {
      const again = (repeatsOf.get(statement.id) ?? []).flatMap((repeat) =>
        statementSourcesOf({ ...repeat, documentId }),
      );
      const before = statement.said.filter((saying) => !replacement.documentIds.has(saying.documentId));
      return {
        ...statement,
        said: [...before, ...again],
        neverReplacedBy: excludedFor(statement.id, statement.neverReplacedBy),
      };
    })
    .filter(({ said }) => said.length); // what only the replaced documents state supersedes nothing
  const added = stating.map(({ memory }) =>
    attributeStatementOf(memory, {
      said: statementSourcesOf({ ...memory, saidAt: memory.validFrom, documentId }),
      isPassage: memory.attributeOnly,
      neverReplacedBy: excludedFor(memory.id),
    }),
  );
  const timeline = attributeTimelines([...stored, ...added]);
  return {
    memories: memories.map(({ memory, candidate }) => ({
      candidate,
      memory: { ...memory, statementValidity: timeline.get(memory.id) ?? memory.statementValidity },
    })),
    statementValidities: changedValidities(stored, timeline),
  };
}
