import type { WriteTx } from '../invalidation/write-transaction.ts';
import { toPublicId } from '../ids.ts';
import { saveNotes } from '../memories/correction-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';

/**
 * Keeps the metadata and the reason of a correction with its memory, and leaves a row in the audit that tells who
 * corrected what: never the reason, which goes when the memory is forgotten. A correction of metadata alone keeps the
 * reason of the one before unless it has its own: that one tells why the memory says what it says.
 */
export async function noteCorrection(
  tx: WriteTx,
  deps: Pick<CorrectionDependencies, 'saveAudit' | 'now'>,
  access: Access,
  { id, correction: { reason, ...fields } }: { id: string; correction: Correction },
): Promise<void> {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : name));
  const isMetadataAlone = given.every((name) => name === 'metadata');
  await saveNotes(tx, access, id, { metadata: fields.metadata, reason: isMetadataAlone ? reason : (reason ?? null) });
  const corrected = given.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const target = toPublicId('memory', id);
  await deps.saveAudit(tx, access, { action: 'memory.correct', target, at: deps.now(), after: { corrected } });
}
