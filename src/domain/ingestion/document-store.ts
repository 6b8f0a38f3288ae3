import type { Tx } from '../../db/database.ts';
import { removeMessagesOf, removeTurns } from '../conversations/message-store.ts';
import { citationsIn } from '../memories/evidence-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { SubmittedTurn } from './ingestion.ts';
import type { DocumentBody } from './store.ts';

/** Turns of a document that are to lose their text. */
interface Turns {
  readonly documentId: string;
  readonly turns: readonly number[];
}

/**
 * Blanks the turns that no memory cites any more; their places stay, so that the numbers of other turns hold. The
 * messages that they were made of go. Returns how many were blanked.
 */
export async function blankTurns(tx: Tx, access: Access, citations: readonly Turns[]): Promise<number> {
  const { i, keys } = access;
  let blanked = 0;
  for (const { documentId, turns } of citations) {
    const evidence = await citationsIn(tx, access, [{ documentId }]);
    const cited = new Set(evidence.flatMap((row) => row.turns));
    const free = turns.filter((turn) => !cited.has(turn));
    const row = await tx.document.findUnique({ where: { i_id: { i, id: documentId } }, select: { body: true } });
    if (!row || !free.length) continue;
    const body = blank(JSON.parse(keys.open('document.body', documentId, row.body)) as DocumentBody, new Set(free));
    const sealed = keys.seal('document.body', documentId, JSON.stringify(body));
    await tx.document.update({ where: { i_id: { i, id: documentId } }, data: { body: sealed } });
    await removeTurns(tx, access, { documentId, turns: free });
    blanked += free.length;
  }
  return blanked;
}

function blank(body: DocumentBody, turns: ReadonlySet<number>): DocumentBody {
  if (typeof body === 'string') return '';
  return body.map((turn: SubmittedTurn, n) => (turns.has(n) ? { ...turn, content: '' } : turn));
}

/** The documents of these owners, or those with this id of the caller or of ours. */
export async function findDocuments(
  tx: Tx,
  access: Access,
  where: { ownerNo: { in: number[] } } | { OR: ({ externalId: string } | { id: string })[] },
): Promise<{ id: string; ownerNo: number }[]> {
  return tx.document.findMany({ where: { ...where, i: access.i }, select: { id: true, ownerNo: true } });
}

/**
 * Removes documents with their ingestions, and the messages that they were made of; a job that has not run finds
 * nothing and ends. Returns the rows removed.
 */
export async function removeDocuments(tx: Tx, access: Access, documentIds: readonly string[]): Promise<number> {
  const ids = [...documentIds];
  const ingestions = await tx.ingestion.deleteMany({ where: { documentId: { in: ids }, i: access.i } });
  const documents = await tx.document.deleteMany({ where: { id: { in: ids }, i: access.i } });
  return ingestions.count + documents.count + (await removeMessagesOf(tx, access, ids));
}
