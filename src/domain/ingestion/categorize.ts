import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import type { Candidate, Turn } from '../extraction/candidate.ts';
import { categoryFitterOf } from '../extraction/fit-category.ts';
import { isTrustedProvenance } from '../extraction/provenance.ts';
import { groupBy } from '../flow/group-by.ts';
import { attributeTimelines, changedValidities, type ChangedValidities } from '../memories/attribute-timeline.ts';
import { confidenceOf } from '../memories/confidence.ts';
import type { RepeatedEvidence } from '../memories/evidence-store.ts';
import type { PossibleSupersession } from '../memories/possible-supersession-store.ts';
import { findStatements, findStatementsOf } from '../memories/statement-store.ts';
import { findByContent, type KnownMemory, type NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import { draftMemories } from './draft-memories.ts';
import type { Replacement } from './replace-document.ts';
import { findUpdates, type NewMemoryWithCandidate, type UpdateDependencies } from './find-updates.ts';
import { withMonthsOfChangedEvents } from './month-of-changed-event.ts';
import { assignSharedAttributes, type SharedAttributes } from './shared-attributes.ts';
import type { IngestionWork } from './ingestion-store.ts';
import { attributeStatementOf, statementSourcesOf } from './hashed-attribute.ts';

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

/** Gives each candidate its place: kept or not, new or said before, holding or superseded. Writes nothing. */
export async function categorizeCandidates(
  deps: UpdateDependencies,
  access: Access,
  { configuration, work, turns, candidates, replacement }: CategorizationInput,
): Promise<CategorizedMemories> {
  const sort = categoryFitterOf(configuration);
  const isKept = (each: Candidate) => each.confidence >= configuration.confidence_threshold && sort(each) !== null;
  const kept = work.mode === 'verbatim' ? candidates : candidates.filter(isKept);
  const drafts = await draftMemories(access, work, { turns, candidates: kept, sort });
  const existing = await findByContent(
    deps.db,
    access,
    work.ownerNo,
    drafts.map(({ memory }) => memory.contentKey),
  );
  const { memories, repeats } = separateRepeats(drafts, existing);
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

/** Separates what is new from what repeats a known memory, by the memories that have each content. */
function separateRepeats(
  drafts: readonly NewMemoryWithCandidate[],
  existing: ReadonlyMap<string, readonly KnownMemory[]>,
): { memories: NewMemoryWithCandidate[]; repeats: RepeatedAttribute[] } {
  const memories: NewMemoryWithCandidate[] = [];
  const repeats: RepeatedAttribute[] = [];
  const repeatsOf = new Map<string, RepeatedAttribute[]>();
  for (const draft of drafts) {
    const { memory } = draft;
    const known = repeatedBy(memory, existing.get(memory.contentKey.toString('hex')));
    if (!known) {
      memories.push(draft);
      continue;
    }
    const before = repeatsOf.get(known.id) ?? [];
    const repeat = { ...repeatOf(known, before, memory), attributeKey: memory.attributeKey };
    repeatsOf.set(known.id, [...before, repeat]);
    repeats.push(repeat);
  }
  return { memories, repeats };
}

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
