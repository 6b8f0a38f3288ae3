import type { Attribute, Candidate, Turn } from '../extraction/candidate.ts';
import { statementKey } from '../extraction/content-key.ts';
import type { CategoryFitter } from '../extraction/fit-category.ts';
import { provenanceOf } from '../extraction/provenance.ts';
import { groupBy } from '../flow/group-by.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { derivedUuid } from '../ids.ts';
import { splitSentences } from '../language/sentences.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemoryWithCandidate } from './find-updates.ts';
import { hashAttribute, noAttribute, storableEvent, storableTime } from './hashed-attribute.ts';
import type { IngestionWork } from './ingestion-store.ts';

/**
 * The memories that candidates become, those that are repeated within the document joined. `sort` gives each its
 * category.
 */
export async function draftMemories(
  access: Access,
  work: IngestionWork,
  { turns, candidates, sort }: { turns: readonly Turn[]; candidates: readonly Candidate[]; sort: CategoryFitter },
): Promise<NewMemoryWithCandidate[]> {
  const read = { turns, attributes: attributesByQuote(candidates), passages: passageNumbers(candidates, turns), sort };
  return joinRepeated(await mapYielding(candidates, (candidate, n) => draft(access, work, read, candidate, n)));
}

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
    turns: [...new Set([turn, ...candidate.turns.map((cited) => turns[cited]!)].map(sentIn))],
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
