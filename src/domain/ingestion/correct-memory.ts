import type { Db } from '../../db/database.ts';
import { DomainError, invalidInputError } from '../errors.ts';
import { isExcluded } from '../extraction/fit-category.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { withOwnerRevision } from '../memories/with-owner-revision.ts';
import { changeMemory, type MemoryToChange } from '../memories/change-memory.ts';
import { recordsAmong } from '../memories/indexable-store.ts';
import { readMemory } from '../memories/list-memories.ts';
import type { Memory } from '../memories/memory.ts';
import type { Access } from '../tenancy/access.ts';
import { amendMemory } from './amend-memory.ts';
import type { Correction, CorrectionDependencies } from './correction.ts';
import { noteCorrection } from './note-correction.ts';
import { rewriteRecord } from './rewrite-record.ts';
import { rewriteMemory } from './rewrite-memory.ts';
import { correctCopy, findStaleCopies, type StaleCopy } from './stale-copies.ts';

/**
 * Corrects a memory in place: its new words are read as the old ones were, for what they state, mention and date,
 * except those of a record, which are kept as given. The new words are a document of their own, said now (where the
 * memory was superseded, when it was said), so that other statements of the attribute give way. Memories with the very
 * words of the former are corrected too, and the passages in which it was said; compactions that may hold these words
 * go, and streams withdraw them before this resolves.
 *
 * Throws `not_found`; `conflict` for an archived memory, for one of another content than the expected, and where
 * another memory says the same; `invalid_input` where nothing is corrected, for words of a kind that the configuration
 * excludes and a type that it does not remember, for another type of an episode, and for times that are no event.
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
    return rewriteMemory(deps, access, memory, { before, content, correction });
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
