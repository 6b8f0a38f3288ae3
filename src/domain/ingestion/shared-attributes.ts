import { contentKey } from '../extraction/content-key.ts';
import type { SealedAttribute } from '../memories/statement-store.ts';
import type { NewMemory } from '../memories/memory-store.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemoryWithCandidate, MemoryUpdate } from './find-updates.ts';

/** Statements that came to share an attribute, since a later one replaces an earlier one. */
export interface SharedAttributes {
  readonly added: readonly NewMemoryWithCandidate[];
  /** The attributes given to stored memories that had none. */
  readonly stored: readonly SealedAttribute[];
  /** Memories that one statement replaces, and that do not replace one another. */
  readonly beside: readonly { readonly oldId: string; readonly newId: string }[];
}

/**
 * Puts each replaced memory and what replaces it under one attribute, of which they are two values: superseding, its
 * undoing and `as_of` then are those of any attribute. Two that have an attribute each are left alone: those are exact.
 */
export function assignSharedAttributes(
  { keys }: Pick<Access, 'keys'>,
  added: readonly NewMemoryWithCandidate[],
  updates: readonly MemoryUpdate[],
): SharedAttributes {
  const input = new Map<string, SealedAttribute>();
  const keyOf = ({ id, attributeKey }: Pick<NewMemory, 'id' | 'attributeKey'>) => input.get(id)?.key ?? attributeKey;
  const give = ({ id, content }: Pick<NewMemory, 'id' | 'content'>, key: Buffer<ArrayBuffer>) =>
    input.set(id, { id, key, value: keys.hash('attribute-value', contentKey(content)) });
  const replacedBy = new Map<string, string[]>();
  for (const { old, by } of updates) {
    const [ofOld, ofNew] = [keyOf(old), keyOf(by)];
    if (ofOld && ofNew && !ofOld.equals(ofNew)) continue;
    const key = ofOld ?? ofNew ?? keys.hash('attribute', `memory/${old.id}`);
    if (!ofOld) give(old, key);
    if (!ofNew) give(by, key);
    replacedBy.set(by.id, [...(replacedBy.get(by.id) ?? []), old.id]);
  }
  const addedIds = new Set(added.map(({ memory }) => memory.id));
  return {
    added: added.map(({ memory, candidate }) => {
      const own = input.get(memory.id);
      return { candidate, memory: own ? { ...memory, attributeKey: own.key, attributeValue: own.value } : memory };
    }),
    stored: [...input.values()].filter(({ id }) => !addedIds.has(id)),
    beside: [...replacedBy.values()].flatMap(([first, ...others]) =>
      others.flatMap((other) => [
        { oldId: first!, newId: other },
        { oldId: other, newId: first! },
      ]),
    ),
  };
}
