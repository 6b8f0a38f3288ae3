import { conversationsOfDocuments } from '../conversations/turn-store.ts';
import { removeMentions, entityHomesOfMemories } from '../entities/removal-store.ts';
import type { Provenance } from '../extraction/provenance.ts';
import { newUuid } from '../ids.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { attributeTimelines, changedValidities } from '../memories/attribute-timeline.ts';
import { reindexMemory } from '../memories/reindex-memory.ts';
import type { MemoryToChange } from '../memories/change-memory.ts';
import { saveCorrection } from '../memories/correction-store.ts';
import { addEvidence, citationsOf, type Citation } from '../memories/evidence-store.ts';
import { readIndexable } from '../memories/indexable-store.ts';
import type { Memory } from '../memories/memory.ts';
import { WriteConflict, withOptimisticLock } from '../memories/optimistic-lock.ts';
import { neighbourIndexEntries } from '../memories/neighbour-vectors.ts';
import { deletePossibleSupersessions } from '../memories/possible-supersession-store.ts';
import { findStatements } from '../memories/statement-store.ts';
import type { MemoryLocation, NewMemory } from '../memories/memory-store.ts';
import { saveValidities } from '../memories/statement-validity-store.ts';
import { updateIndexAfterCommit } from '../search-index/index-memories.ts';
import type { Access } from '../tenancy/access.ts';
import { lockOwners } from '../tenancy/owner-store.ts';
import { refuseDuplicate } from './duplicates.ts';
import { saveCorrectionDocument } from './document-store.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { attributeStatementOf, statementSourcesOf } from './hashed-attribute.ts';
import { noteCorrection } from './note-correction.ts';
import { linkMentions } from './store-memories.ts';
import { correctionConfidence, rereadMemory } from './reread-memory.ts';

/** The provenance of the new words; the memory itself stays of whoever said it first. */
const correctedBy: Provenance = 'user';

/**
 * Gives a memory other words: reads them anew, and moves what other statements of its attribute are valid for. Null
 * when somebody wrote in between. Throws `conflict` where another memory says the same.
 */
export async function rewriteMemory(
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
  const read = await rereadMemory(deps, access, { home: memory, indexed, before, content, correction });
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
      { ...evidence, confidence: correctionConfidence, jointConfidence: correctionConfidence, isConfirmed: false },
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
