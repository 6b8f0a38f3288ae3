import type { Tx } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemory } from './memory-store.ts';

/** The fields of a memory that a correction may change beside its words. */
type Amendment = Pick<NewMemory, 'id' | 'type' | 'event' | 'dueAt'>;

/** The fields of a corrected memory: its new words, and everything that follows from them. */
export type CorrectedMemory = Amendment &
  Pick<NewMemory, 'content' | 'contentKey' | 'attributeKey' | 'attributeValue' | 'attributeSense' | 'attributeUntil'>;

const columnsOf = ({ type, event, dueAt }: Amendment) => ({
  type,
  eventStart: event?.start ?? null,
  eventEnd: event?.end ?? null,
  eventPrecision: event?.precision ?? null,
  dueAt,
  contentVersion: { increment: 1 },
});

/** Gives the memory its new words. Its owner must be locked. */
export async function saveCorrection(
  tx: Tx,
  { instanceNumber, keys }: Access,
  corrected: CorrectedMemory,
): Promise<void> {
  const { id, content } = corrected;
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: {
      ...columnsOf(corrected),
      content: keys.seal('memory.content', id, content),
      contentKey: corrected.contentKey,
      attributeKey: corrected.attributeKey,
      attributeValue: corrected.attributeValue,
      attributeSense: corrected.attributeSense,
      attributeUntil: corrected.attributeUntil,
      attributeOnly: false, // it was said of the words before
    },
  });
}

/** Gives the memory another type or other times. Its owner must be locked. */
export async function saveAmendment(tx: Tx, { instanceNumber }: Access, amended: Amendment): Promise<void> {
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id: amended.id } },
    data: columnsOf(amended),
  });
}

/** Gives a record its new words, of which it has no other evidence than itself. Its owner must be locked. */
export async function saveCorrectedRecord(
  tx: Tx,
  { instanceNumber, keys }: Access,
  { content, quote, ...amended }: Amendment & { content: string; quote: string },
): Promise<void> {
  const { id } = amended;
  const sealed = keys.seal('memory.content', id, content);
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: { ...columnsOf(amended), content: sealed },
  });
  const quoted = keys.seal('memory_evidence.quote', id, quote);
  await tx.memoryEvidence.updateMany({ where: { memoryId: id, n: 0, instanceNumber }, data: { quote: quoted } });
}

/** Replaces what the caller notes of a memory, and why it was last corrected. Null: none; undefined: as it was. */
export async function saveNotes(
  tx: Tx,
  { instanceNumber, keys }: Access,
  id: string,
  {
    metadata,
    reason,
  }: { metadata: Readonly<Record<string, unknown>> | null | undefined; reason: string | null | undefined },
): Promise<void> {
  const correctionReason = typeof reason === 'string' ? keys.seal('memory.correction_reason', id, reason) : reason;
  const sealed = metadata && keys.seal('memory.metadata', id, JSON.stringify(metadata));
  await tx.memory.update({
    where: { instanceNumber_id: { instanceNumber, id } },
    data: {
      ...(correctionReason === undefined ? {} : { correctionReason }),
      ...(sealed === undefined ? {} : { metadata: sealed }),
    },
  });
}
