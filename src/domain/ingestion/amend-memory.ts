import { conversationsOfDocuments } from '../conversations/turn-store.ts';
import type { MemoryType } from '../memory-types.ts';
import type { MemoryToChange } from '../memories/change-memory.ts';
import { saveAmendment } from '../memories/correction-store.ts';
import { citationsOf } from '../memories/evidence-store.ts';
import type { Memory } from '../memories/memory.ts';
import { neighbourVectors } from '../memories/neighbour-vectors.ts';
import { withOwnerRevision } from '../memories/with-owner-revision.ts';
import type { Access } from '../tenancy/access.ts';
import { correctedTimes, eventOf } from './corrected-event.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { refuseDuplicate } from './duplicates.ts';
import { noteCorrection } from './note-correction.ts';

/**
 * Gives a memory another type or other times. Its words, and what they state and mention, stay, and so does the key by
 * which it is known again: whoever says the words once more repeats this memory, and makes none of the former type.
 */
export async function amendMemory(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { before, correction }: { before: Memory; correction: Correction },
): Promise<true | null> {
  const { id, ownerNo, expectedRevision } = memory;
  const type = correction.type ?? before.type;
  const times = correctedTimes({ event: eventOf(before), dueAt: before.dueAt }, correction);
  const isRetyped = type !== before.type;
  const { content, validFrom: saidAt } = before;
  if (isRetyped) await refuseDuplicate(deps, access, { id, ownerNo, type, content, event: eventOf(before), saidAt });
  const made = isRetyped ? await vectorsAs(deps, access, memory, { text: content, type }) : undefined;
  const documentIds = (await citationsOf(deps.db, access, [id])).map(({ documentId }) => documentId);
  return withOwnerRevision(deps, access, { ownerNo, expectedRevision, ...(made ? { made } : {}) }, async (tx) => {
    await saveAmendment(tx, access, { id, type, ...times });
    await noteCorrection(tx, deps, access, { id, correction });
    const conversationIds = await conversationsOfDocuments(tx, access, documentIds);
    await deps.removeCompactions(tx, access, { memoryIds: [id], conversationIds });
    return true as const;
  });
}

/** The vector of a memory tells its type, by which searches are filtered. */
async function vectorsAs(
  deps: CorrectionDependencies,
  access: Access,
  memory: MemoryToChange,
  { text, type }: { text: string; type: MemoryType },
) {
  const model = await deps.embedding.serving(access);
  const change = { corrected: { id: memory.id, text, type } };
  return { space: model.space, vectors: await neighbourVectors(deps.db, model, access, [memory], change) };
}
