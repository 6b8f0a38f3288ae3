import type { Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemory } from './memory-store.ts';

/** The fields of a corrected memory: its new words, and everything that follows from them. */
export type CorrectedMemory = Pick<
  NewMemory,
  | 'id'
  | 'content'
  | 'contentKey'
  | 'attributeKey'
  | 'attributeValue'
  | 'attributeSense'
  | 'attributeUntil'
  | 'event'
  | 'dueAt'
>;

/** Gives the memory its new words. Its owner must be locked. */
export async function saveCorrection(
  tx: Tx,
  { instanceNumber, keys }: Access,
  corrected: CorrectedMemory,
): Promise<void> {
  const { id, content, event } = corrected;
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: {
      content: keys.seal('memory.content', id, content),
      contentKey: corrected.contentKey,
      attributeKey: corrected.attributeKey,
      attributeValue: corrected.attributeValue,
      attributeSense: corrected.attributeSense,
      attributeUntil: corrected.attributeUntil,
      attributeOnly: false, // it was said of the words before
      eventStart: event?.start ?? null,
      eventEnd: event?.end ?? null,
      eventPrecision: event?.precision ?? null,
      dueAt: corrected.dueAt,
      contentVersion: { increment: 1 },
    },
  });
}

/** Gives a record its new words, of which it has no other evidence than itself. Its owner must be locked. */
export async function saveCorrectedRecord(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { id, content, quote }: { id: string; content: string; quote: string },
): Promise<void> {
  const sealed = keys.seal('memory.content', id, content);
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: { content: sealed, contentVersion: { increment: 1 } },
  });
  const quoted = keys.seal('memory_evidence.quote', id, quote);
  await tx.memoryEvidence.updateMany({ where: { memoryId: id, n: 0, instanceNumber }, data: { quote: quoted } });
}

/** Replaces what the caller notes of a memory; null: nothing. */
export async function saveMetadata(
  tx: Tx,
  { instanceNumber, keys }: Access,
  id: string,
  metadata: Readonly<Record<string, unknown>> | null,
): Promise<void> {
  const sealed = metadata && keys.seal('memory.metadata', id, JSON.stringify(metadata));
  await tx.memory.update({ where: { instanceNumber_id: { instanceNumber, id } }, data: { metadata: sealed } });
}
