import { hasErrorCode } from '../errors.ts';
import { clausesOf } from '../extraction/clauses.ts';
import { toPublicId } from '../ids.ts';
import { literalSource } from '../language/pattern-sources.ts';
import { archiveMemories } from '../memories/archive.ts';
import { changeMemory, type MemoryToChange } from '../memories/change-memory.ts';
import { citationsOf } from '../memories/evidence-store.ts';
import { readIndexable } from '../memories/indexable-store.ts';
import { readMemory } from '../memories/list-memories.ts';
import type { Memory } from '../memories/memory.ts';
import type { Access } from '../tenancy/access.ts';
import { eventOf } from './corrected-event.ts';
import { findDuplicates } from './duplicates.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { rewriteMemory } from './rewrite-memory.ts';

/** A memory (UUID) that holds the former words of a corrected one, and what its text becomes with the new ones. */
export interface StaleCopy {
  readonly id: string;
  readonly reworded: (text: string) => string;
}

/**
 * Finds the active memories that have the very words of a memory, and the passages that hold them among others: else
 * the former words would still be found there, and found first. A passage that tells it in other words stays.
 */
export async function findStaleCopies(
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
  // A superseded memory is corrected as it was said then, and its passages are marked as outdated already.
  if (before.type === 'episodes' || before.status === 'superseded') return copies;
  const quotes = before.evidence.map(({ quote }) => quote).filter((quote) => clausesOf(quote).length === 1);
  const former = [...new Set([before.content, ...quotes])].filter((words) => words && words !== content);
  const cited = await citationsOf(deps.db, access, [memory.id]);
  const places = cited.flatMap(({ documentId, turns }) => turns.map((turn) => ({ documentId, turn })));
  const around = await readIndexable(deps.db, access, { places });
  for (const { memoryId: id, type, noted } of around) {
    if (type === 'episodes' && noted === null && !same.some((each) => each.id === id))
      copies.push({ id, reworded: (text) => former.reduce((all, words) => replaceWords(all, words, content), text) });
  }
  return copies;
}

/** Matches the end of a clause. */
const clauseEnd = String.raw`(?=\s*[\p{P}]|\s*$|\s+(?:and|but|or|und|aber|oder|y|pero|o|et|mais|ou)\s)`;

/** Replaces words of a text wherever they are whole clauses, and keeps its punctuation. */
function replaceWords(text: string, former: string, words: string): string {
  const source = literalSource(former.replace(/[.!?]+$/u, ''));
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${source}(?![\p{L}\p{N}])${clauseEnd}`, 'gu');
  return text.replaceAll(pattern, (found, at: number) =>
    text.slice(at + found.length).trim() ? words.replace(/[.!?]+$/u, '') : words,
  );
}

/**
 * Rewords a copy, unless it has given way to the correction or gone, or the memory was corrected once more. Where
 * another memory has the new words already, the copy is archived: its own are wrong.
 */
export async function correctCopy(
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
      return await rewriteMemory(deps, access, memory, { before, content, correction: { content, reason } });
    } catch (error) {
      if (!hasErrorCode(error, 'conflict')) throw error;
      return (await archiveMemories(deps, access, { ownerNo: memory.ownerNo, ids: [uuid] })) === null ? null : true;
    }
  };
  await changeMemory(deps, access, { id, named: {}, change }).catch((error: unknown) => {
    if (!hasErrorCode(error, 'not_found')) throw error;
  });
}
