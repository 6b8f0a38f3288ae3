import type { Db } from '../../db/database.ts';
import { conversationsOfDocuments } from '../conversations/turn-store.ts';
import { removeMentions, entityHomesOfMemories } from '../entities/removal-store.ts';
import { DomainError, invalidInputError, hasErrorCode } from '../errors.ts';
import type { Candidate, StatementSense, Turn } from '../extraction/candidate.ts';
import { clausesOf } from '../extraction/clauses.ts';
import { statementKey } from '../extraction/content-key.ts';
import { isExcluded } from '../extraction/fit-category.ts';
import type { Provenance } from '../extraction/provenance.ts';
import { newUuid, toPublicId } from '../ids.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { archiveMemories } from '../memories/archive.ts';
import { attributeTimelines, changedValidities } from '../memories/attribute-timeline.ts';
import { reindexMemory } from '../memories/reindex-memory.ts';
import { withOwnerRevision } from '../memories/with-owner-revision.ts';
import { changeMemory, type MemoryToChange } from '../memories/change-memory.ts';
import { saveCorrection } from '../memories/correction-store.ts';
import { addEvidence, citationsOf, type Citation } from '../memories/evidence-store.ts';
import { readIndexable, recordsAmong } from '../memories/indexable-store.ts';
import { readMemory } from '../memories/list-memories.ts';
import type { Memory } from '../memories/memory.ts';
import { WriteConflict, withOptimisticLock } from '../memories/optimistic-lock.ts';
import { neighbourIndexEntries } from '../memories/neighbour-vectors.ts';
import { deletePossibleSupersessions } from '../memories/possible-supersession-store.ts';
import { findStatements } from '../memories/statement-store.ts';
import type { MemoryLocation, NewMemory } from '../memories/memory-store.ts';
import { hashContentAsValue } from '../memories/shared-attribute.ts';
import { saveValidities } from '../memories/statement-validity-store.ts';
import { updateIndexAfterCommit, type Indexable } from '../search-index/index-memories.ts';
import type { Access } from '../tenancy/access.ts';
import { lockOwners } from '../tenancy/owner-store.ts';
import { amendMemory } from './amend-memory.ts';
import { correctedTimes, eventOf } from './corrected-event.ts';
import { findDuplicates, refuseDuplicate } from './duplicates.ts';
import { readDocumentBody, saveCorrectionDocument } from './document-store.ts';
import { attributeOf, attributesByQuote } from './categorize.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import type { NewMemoryWithCandidate } from './find-updates.ts';
import {
  attributeStatementOf,
  noAttribute,
  statementSourcesOf,
  hashAttribute,
  storableEvent,
  storableTime,
  type HashedAttribute,
} from './hashed-attribute.ts';
import { noteCorrection } from './note-correction.ts';
import { linkMentions } from './store-memories.ts';
import { rewriteRecord } from './rewrite-record.ts';

/**
 * Corrects a memory in place: its new words are read as the old ones were, for what they state, mention and date, but
 * for those of a record, which are kept as given. The new words are a document of their own, said now (where the memory
 * was superseded, when it was said), so that other statements of the attribute give way. Memories with the very words
 * of the former are corrected too, and the passages in which it was said; compactions that may hold these words go, and
 * streams withdraw them before this resolves.
 *
 * Throws `not_found`; `conflict` for an archived memory, for one of another content than the expected, and where another
 * memory says the same; `invalid_input` where nothing is corrected, for words of a kind that the configuration excludes
 * and a type that it does not remember, for another type of an episode, and for times that are no event.
 */
export async function correctMemory(
  deps: CorrectionDependencies,
  access: Access,
  id: string,
  { userId, customerId, ...correction }: Correction,
): Promise<Memory> {
  const { content, type, metadata } = correction;
  const named = { userId, customerId };
  const isAmended = isGiven(type, correction.eventStart, correction.eventEnd, correction.eventPrecision);
  if (!isAmended && !isGiven(content, metadata))
    throw invalidInputError('content', 'is required, unless a type, times or metadata are given');
  await refuseExcluded(deps.db, access, correction);
  let copies: readonly StaleCopy[] = [];
  const change = async (memory: MemoryToChange): Promise<true | null> => {
    const before = await readMemory(deps.db, access, id, named);
    if (before.status === 'archived') throw new DomainError('conflict', 'this memory is archived: restore it first');
    if (correction.expectedContent !== undefined && before.content !== correction.expectedContent)
      throw new DomainError('conflict', 'this memory was corrected a moment ago');
    if (type !== undefined && before.type === 'episodes')
      throw invalidInputError('type', 'cannot be changed: this memory is an episode, which is what was said');
    const records = await recordsAmong(deps.db, access, [memory.id]);
    if (records.has(memory.id)) return rewriteRecord(deps, access, memory, { before, correction });
    if (content !== undefined) copies = await findStaleCopies(deps, access, memory, { before, content });
    if (content === undefined || content === before.content)
      return (isAmended ? amendMemory : annotate)(deps, access, memory, { before, correction });
    return rewrite(deps, access, memory, { before, content, correction });
  };
  const corrected = await changeMemory(deps, access, { id, named, change });
  for (const copy of copies) await correctCopy(deps, access, copy, { of: corrected, reason: correction.reason });
  return corrected;
}

const isGiven = (...fields: readonly unknown[]): boolean => fields.some((field) => field !== undefined);

async function refuseExcluded(db: Db, access: Access, { content, type }: Correction): Promise<void> {
  const configuration = await currentConfiguration(db, access);
  if (content !== undefined && isExcluded(configuration, content))
    throw invalidInputError('content', 'is of a kind that the configuration excludes from memories');
  if (type !== undefined && !configuration.memory_types.includes(type))
    throw invalidInputError('type', 'is not among the types that the configuration remembers');
}

/** A memory (UUID) that holds the former words of a corrected one, and what its text becomes with the new ones. */
interface StaleCopy {
  readonly id: string;
  readonly reworded: (text: string) => string;
}

/**
 * The active memories that have the very words of one, and the passages in which it was said, where they have them among
 * others: else the words that were corrected would be found there, and found first. Where its words do not stand in the
 * passage, that is left as it is.
 */
async function findStaleCopies(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { before, content }: { before: Memory; content: string },
): Promise<StaleCopy[]> {
  // To repeat a correction completes one that was interrupted: that one left its words as the last quote.
  const isRepeated = content === before.content;
  if (isRepeated && before.evidence.at(-1)?.quote !== content) return [];
  const statement = { ...memory, content: before.content, event: eventOf(before), saidAt: before.validFrom };
  const same = isRepeated ? [] : await findDuplicates(deps, access, statement);
  const copies = same.map(({ id }): StaleCopy => ({ id, reworded: () => content }));
  // What was superseded is mended as it was said then, and its passages are marked as outdated already.
  if (before.type === 'episodes' || before.status === 'superseded') return copies;
  const quotes = before.evidence.map(({ quote }) => quote).filter((quote) => clausesOf(quote).length === 1);
  const former = [...new Set([before.content, ...quotes])].filter((words) => words && words !== content);
  const cited = await citationsOf(deps.db, access, [memory.id]);
  const places = cited.flatMap(({ documentId, turns }) => turns.map((turn) => ({ documentId, turn })));
  const around = await readIndexable(deps.db, access, { places });
  for (const { memoryId: id, type, noted } of around) {
    if (type === 'episodes' && noted === null && !same.some((each) => each.id === id))
      copies.push({ id, reworded: (text) => former.reduce((all, words) => replaced(all, words, content), text) });
  }
  return copies;
}

/** Where a clause ends. */
const clauseEnd = String.raw`(?=\s*[\p{P}]|\s*$|\s+(?:and|but|or|und|aber|oder|y|pero|o|et|mais|ou)\s)`;

/** A text with other words in the place of the former ones, wherever these are whole clauses; its punctuation goes on. */
function replaced(text: string, former: string, words: string): string {
  const own = former.replace(/[.!?]+$/u, '').replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const wanted = new RegExp(String.raw`(?<![\p{L}\p{N}])${own}(?![\p{L}\p{N}])${clauseEnd}`, 'gu');
  return text.replaceAll(wanted, (found, at: number) =>
    text.slice(at + found.length).trim() ? words.replace(/[.!?]+$/u, '') : words,
  );
}

/**
 * It may have given way to the correction, or gone; and the memory may have been corrected once more. Where another memory
 * has the new words already, it is archived: its own are wrong.
 */
async function correctCopy(
  deps: CorrectionDependencies,
  access: Access,
  { id: uuid, reworded }: StaleCopy,
  { of, reason }: { of: Memory; reason: Correction['reason'] },
): Promise<void> {
  const id = toPublicId('memory', uuid);
  const change = async (memory: MemoryToChange): Promise<true | null> => {
    const before = await readMemory(deps.db, access, id, {});
    const { content: present } = await readMemory(deps.db, access, of.id, {});
    const content = reworded(before.content);
    if (before.status !== 'active' || present !== of.content || content === before.content) return true;
    try {
      return await rewrite(deps, access, memory, { before, content, correction: { content, reason } });
    } catch (error) {
      if (!hasErrorCode(error, 'conflict')) throw error;
      return (await archiveMemories(deps, access, { ownerNo: memory.ownerNo, ids: [uuid] })) === null ? null : true;
    }
  };
  await changeMemory(deps, access, { id, named: {}, change }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'not_found')) throw error;
  });
}

function annotate(
  deps: CorrectionDependencies,
  access: Access,
  { id, ownerNo, expectedRevision }: MemoryToChange,
  { correction }: { correction: Correction },
) {
  return withOwnerRevision(deps, access, { ownerNo, expectedRevision }, async (tx) => {
    await noteCorrection(tx, deps, access, { id, correction });
    return true as const;
  });
}

/** Sure: whoever corrects it says so. The memory itself stays of whoever said it first. */
const confidence = 1;
const correctedBy: Provenance = 'user';

async function rewrite(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { before, content, correction }: { before: Memory; content: string; correction: Correction },
): Promise<true | null> {
  const { id, ownerNo } = memory;
  const at = deps.now();
  // The words of what was superseded are mended as they were said then: said now, they would hold again.
  const saidAt = before.status === 'superseded' ? before.validFrom : at;
  const [indexed] = await readIndexable(deps.db, access, { ids: [id] });
  if (!indexed) return null; // archived or forgotten a moment ago
  const document = { id: newUuid(), ownerNo, body: content, memoryId: id, at };
  const read = await readAnew(deps, access, { home: memory, indexed, before, content, correction });
  await refuseDuplicate(deps, access, { ...read.memory, saidAt: before.validFrom });
  const cited = await citationsOf(deps.db, access, [id]);
  const statementValidities = await validitiesWith(deps, access, {
    home: memory,
    memory: read.memory,
    cited: [...cited, { documentId: document.id, turns: [0], saidAt, provenance: correctedBy }],
  });
  const work = { ingestionId: document.id, documentId: document.id, ownerNo, customerId: before.customerId ?? '' };
  const configuration = await currentConfiguration(deps.db, access);
  const resolution = await deps.resolveEntities(deps, access, { work, configuration, memories: [read] });
  const model = await deps.embedding.serving(access);
  const change = { corrected: { id, text: content, type: read.memory.type }, statementValidities };
  const entries = await neighbourIndexEntries(deps.db, model, access, [memory], change);
  const vectors = entries.map(({ vector }) => vector);
  const prepared = await deps.vectors.prepare(access, { space: model.space, vectors }, { allowDeferred: true });
  const isDone = await withOptimisticLock(deps, access, async (tx) => {
    const homes = await entityHomesOfMemories(tx, access, [id]);
    const locked = await lockOwners(tx, access.instanceNumber, [ownerNo, resolution.home.ownerNo, ...homes]);
    if (!locked.has(resolution.home.ownerNo)) throw new WriteConflict(); // its customer was forgotten
    await reindexMemory(tx, deps, access, memory, { entries, prepared });
    await saveCorrection(tx, access, read.memory);
    await noteCorrection(tx, deps, access, { id, correction });
    await saveCorrectionDocument(tx, access, document);
    const n = (cited.at(-1)?.n ?? -1) + 1;
    const evidence = { memoryId: id, n, turns: [0], quote: content, saidAt, provenance: correctedBy };
    await addEvidence(tx, access, { documentId: document.id }, [
      { ...evidence, confidence, jointConfidence: confidence, isConfirmed: false },
    ]);
    const kept = resolution.names.map((name) => name.id);
    await removeMentions(tx, access, [id], kept);
    await linkMentions(tx, access, resolution, at);
    await deletePossibleSupersessions(tx, access, id);
    await saveValidities(tx, deps.vectors, access, statementValidities);
    const documentIds = cited.map(({ documentId }) => documentId);
    const conversationIds = await conversationsOfDocuments(tx, access, documentIds);
    await deps.removeCompactions(tx, access, { memoryIds: [id], conversationIds });
    return true as const;
  });
  const moved = statementValidities.map((each) => each.id);
  if (isDone) await updateIndexAfterCommit(deps.vectors, access, moved);
  return isDone;
}

/** The memory as its new words make it, read as if its speaker had said them when it was said. */
async function readAnew(
  deps: Pick<CorrectionDependencies, 'db' | 'readDocument'>,
  access: Access,
  {
    home,
    indexed,
    before,
    content,
    correction,
  }: { home: MemoryLocation; indexed: Indexable; before: Memory; content: string; correction: Correction },
): Promise<NewMemoryWithCandidate> {
  const { keys } = access;
  const { role, speaker, passage } = indexed;
  const saidElsewhere = hasSlashDate.test(content) ? await wordsInDocument(deps.db, access, indexed) : [];
  const read = async (words: string): Promise<Candidate[]> => {
    const said = { role, content: words, timestamp: before.validFrom, name: speaker ?? undefined };
    const document = { body: [said], createdAt: before.validFrom, type: 'ai-chat-conversation' } as const;
    return (await deps.readDocument({ ...document, saidElsewhere, mode: 'fast', threshold: 0 })).candidates;
  };
  const candidates = await read(content);
  const type = correction.type ?? before.type;
  const found = candidates.find((each) => each.type === type) ?? candidates.find((each) => each.type === before.type);
  const times = found
    ? { event: storableEvent(found), dueAt: storableTime(found.dueAt) }
    : { event: eventOf(before), dueAt: before.dueAt };
  const attribute = found && attributeOf(found, attributesByQuote(candidates));
  const stated = attribute
    ? hashAttribute(access, attribute)
    : (await read(before.content)).some((each) => each.attribute)
      ? noAttribute // the former words stated it, and these do not
      : keptAttribute(access, home, content);
  const candidate: Candidate = {
    type: found?.type ?? before.type, // as it is read when it is said again
    category: found?.category ?? 'other',
    content,
    confidence,
    turns: [0],
    quote: content,
    entities: candidates.flatMap(({ entities }) => entities),
    ...(found?.event ? { event: found.event } : {}),
  };
  const turn: Turn = { index: 0, role, content, at: before.validFrom };
  const memory: NewMemory = {
    id: home.id,
    ownerNo: home.ownerNo,
    type,
    category: before.category,
    content,
    confidence,
    contentKey: keys.hash('content', statementKey(candidate, turn.at)),
    ...stated,
    attributeOnly: false,
    ...correctedTimes(times, correction),
    validFrom: before.validFrom,
    statementValidity: { validUntil: null, supersededBy: null },
    turns: [0],
    quote: content,
    passage,
    role,
    provenance: before.provenance,
    speaker,
  };
  return { memory, candidate };
}

const hasSlashDate = /\d\/\d/u;

/** What the speaker of a memory said in its document: it tells whether "3/12" is in March or in December. */
async function wordsInDocument(
  db: Db,
  access: Access,
  { documentId, role, speaker }: Indexable,
): Promise<readonly string[]> {
  const body = (await readDocumentBody(db, access, documentId)) ?? [];
  if (typeof body === 'string') return [body];
  return body.flatMap((turn) => (turn.role === role && (turn.name ?? null) === speaker ? [turn.content] : []));
}

/** The attribute that a memory was given, since it replaced another or was replaced: its place there stays. */
function keptAttribute(
  access: Access,
  { attributeKey: key, attributeValue: value, attributeSense: sense }: MemoryLocation,
  content: string,
): HashedAttribute {
  if (!key || !value) return noAttribute;
  return {
    attributeKey: Buffer.from(key),
    attributeValue: sense ? Buffer.from(value) : hashContentAsValue(access, content),
    attributeSense: sense as StatementSense | null,
    attributeUntil: null,
  };
}

/**
 * Recomputes the validity of every statement of the memory's old and new attribute, including the corrected memory. A
 * memory that no longer states an attribute is valid without an end.
 */
async function validitiesWith(
  { db }: Pick<CorrectionDependencies, 'db'>,
  access: Access,
  {
    home,
    memory,
    cited,
  }: {
    home: MemoryLocation;
    memory: NewMemory;
    cited: readonly Pick<Citation, 'documentId' | 'turns' | 'saidAt' | 'provenance'>[];
  },
) {
  const keys = [home.attributeKey, memory.attributeKey].filter((key) => key !== null);
  if (!keys.length) return [];
  const stored = await findStatements(db, access, home.ownerNo, keys);
  const others = stored.filter(({ id }) => id !== home.id);
  const existing = stored.find(({ id }) => id === home.id);
  const own = attributeStatementOf(memory, {
    said: cited.flatMap(statementSourcesOf),
    isPassage: memory.type === 'episodes',
    ...(existing?.neverReplacedBy ? { neverReplacedBy: existing.neverReplacedBy } : {}),
  });
  const timeline = attributeTimelines([...others, own]);
  const statementValidity = existing?.statementValidity ?? { validUntil: null, supersededBy: null };
  return changedValidities([...others, { ...own, statementValidity }], timeline);
}
