import { DomainError } from '../errors.ts';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { attributeTimelines, changedValidities } from './attribute-timeline.ts';
import { defineMemoryChange, type MemoryChangeDependencies, type MemoryToChange } from './change-memory.ts';
import { withOwnerRevision, changeValidities } from './with-owner-revision.ts';
import { decidePossibleSupersessions, findPossibleSuccessors } from './possible-supersession-store.ts';
import {
  findStatements,
  findStatementsOf,
  saveAttributes,
  saveSupersessionExclusions,
  type AttributeAssignment,
} from './statement-store.ts';
import { attributesToShare } from './shared-attribute.ts';
import { findUpdatableMemories } from './updatable-store.ts';

/**
 * Confirms that a newer memory replaced this one, which might have been outdated: it is superseded as if that had been
 * sure from the start, and `undoSupersede` takes it back. Throws `not_found`, and `conflict` where it is not possibly
 * outdated, or what it states cannot be replaced by the newer one.
 */
export const confirmSupersession = defineMemoryChange(async (deps, access, memory) => {
  const [newId] = await laterThan(deps, access, memory);
  const shared = await sharedAttribute(deps, access, memory, newId);
  if (!shared) return null; // one of them went a moment ago
  const statements = [
    ...(await findStatements(deps.db, access, memory.ownerNo, [shared.key])),
    ...(await findStatementsOf(deps.db, access, memory.ownerNo, shared.given)),
  ];
  const timeline = attributeTimelines(statements);
  if (!timeline.get(memory.id)?.supersededBy) throw cannotReplace(newId);
  const statementValidities = changedValidities(statements, timeline);
  return changeValidities(deps, access, { ...memory, statementValidities }, async (tx) => {
    const decision = { status: 'confirmed', decidedAt: deps.now() } as const;
    await decidePossibleSupersessions(tx, access, [{ oldId: memory.id, newId }], decision);
    await saveAttributes(tx, access, shared.given);
  });
});

/**
 * Answers that this memory still holds: none of the newer ones that might have replaced it ever will. Throws
 * `not_found`, and `conflict` where it is not possibly outdated.
 */
export const rejectSupersession = defineMemoryChange(async (deps, access, memory) => {
  const newIds = await laterThan(deps, access, memory);
  const pairs = newIds.map((newId) => ({ oldId: memory.id, newId }));
  return withOwnerRevision(deps, access, memory, async (tx) => {
    await saveSupersessionExclusions(tx, access, pairs, deps.now());
    await decidePossibleSupersessions(tx, access, pairs, { status: 'rejected', decidedAt: deps.now() });
    return true as const;
  });
});

async function laterThan(
  { db }: Pick<MemoryChangeDependencies, 'db'>,
  access: Access,
  { id }: MemoryToChange,
): Promise<[string, ...string[]]> {
  const [latest, ...others] = await findPossibleSuccessors(db, access, id);
  if (!latest) throw new DomainError('conflict', 'this memory is not possibly outdated');
  return [latest, ...others];
}

const cannotReplace = (newId: string) =>
  new DomainError('conflict', `${toPublicId('memory', newId)} cannot take its place: correct or forget it instead`);

/**
 * The attribute under which the two are put, and to which of them it is given. Null when one of them is gone. Throws
 * `conflict` where each has one of its own, on which other statements rest, and where what one states forbids it.
 */
async function sharedAttribute(
  { db }: Pick<MemoryChangeDependencies, 'db'>,
  access: Access,
  { id, ownerNo }: MemoryToChange,
  newId: string,
): Promise<{ key: Buffer<ArrayBuffer>; given: AttributeAssignment[] } | null> {
  const found = await findUpdatableMemories(db, access, ownerNo, [id, newId], ['active', 'superseded']);
  const [old, newer] = [id, newId].map((wanted) => found.find((memory) => memory.id === wanted));
  if (!old || !newer) return null;
  const given = attributesToShare(access, old, newer);
  const key = old.attributeKey ?? given?.[0]?.key;
  if (!given || !key) throw cannotReplace(newId);
  return { key, given };
}
