import type { AttributeAssignment } from '../memories/statement-store.ts';
import { attributesToShare, type MemoryWithAttribute } from '../memories/shared-attribute.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemoryWithCandidate, MemoryUpdate } from './find-updates.ts';

/** Statements that came to share an attribute, since a later one replaces an earlier one. */
export interface SharedAttributes {
  readonly added: readonly NewMemoryWithCandidate[];
  /** The attributes given to stored memories that had none. */
  readonly stored: readonly AttributeAssignment[];
  /** Memories that one statement replaces, and that do not replace one another. */
  readonly exclusions: readonly { readonly oldId: string; readonly newId: string }[];
}

/**
 * Puts each replaced memory and what replaces it under one attribute, of which they are two values: superseding, its
 * undoing and `as_of` then are those of any attribute. Two that have an attribute each are left alone: those are exact.
 */
export function assignSharedAttributes(
  access: Pick<Access, 'keys'>,
  added: readonly NewMemoryWithCandidate[],
  updates: readonly MemoryUpdate[],
): SharedAttributes {
  const givenAttributes = new Map<string, AttributeAssignment>();
  const asGiven = <M extends MemoryWithAttribute>(memory: M): M => {
    const own = givenAttributes.get(memory.id);
    return own ? { ...memory, attributeKey: own.key, attributeValue: own.value, attributeSense: own.sense } : memory;
  };
  const replacedBy = new Map<string, string[]>();
  for (const { old, by } of updates) {
    const shared = attributesToShare(access, asGiven(old), asGiven(by));
    if (!shared) continue;
    for (const attribute of shared) givenAttributes.set(attribute.id, attribute);
    replacedBy.set(by.id, [...(replacedBy.get(by.id) ?? []), old.id]);
  }
  const addedIds = new Set(added.map(({ memory }) => memory.id));
  return {
    added: added.map(({ memory, candidate }) => ({ candidate, memory: asGiven(memory) })),
    stored: [...givenAttributes.values()].filter(({ id }) => !addedIds.has(id)),
    exclusions: [...replacedBy.values()].flatMap(([first, ...others]) =>
      others.flatMap((other) => [
        { oldId: first!, newId: other },
        { oldId: other, newId: first! },
      ]),
    ),
  };
}
