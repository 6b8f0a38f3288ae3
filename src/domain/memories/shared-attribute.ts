import { contentKey } from '../extraction/content-key.ts';
import type { StatementSense } from '../extraction/candidate.ts';
import type { Access } from '../tenancy/access.ts';
import type { NewMemory } from './memory-store.ts';
import type { AttributeAssignment } from './statement-store.ts';

/** A memory with the attribute that it states, if it states one. */
export type MemoryWithAttribute = Pick<
  NewMemory,
  'id' | 'content' | 'attributeKey' | 'attributeValue' | 'attributeSense'
>;

/**
 * The attributes to assign to an older memory and to the one that replaces it, so that both state one attribute and its
 * timeline retires the older: that of one of them, else a new one; none where they share one already. Null where they
 * cannot share one: each has another attribute, or the form of one may replace nothing, or be replaced by nothing.
 */
export function attributesToShare(
  { keys }: Pick<Access, 'keys'>,
  old: MemoryWithAttribute,
  by: MemoryWithAttribute,
): AttributeAssignment[] | null {
  if (old.attributeKey && by.attributeKey) return old.attributeKey.equals(by.attributeKey) ? [] : null;
  const key = old.attributeKey ?? by.attributeKey ?? keys.hash('attribute', `memory/${old.id}`);
  const give = ({ id, content }: MemoryWithAttribute, { value, sense }: FittingValue): AttributeAssignment => ({
    id,
    key,
    value: value ?? hashContentAsValue({ keys }, content),
    sense,
  });
  const [replaced, replacing] = [valueReplacedBy(by), valueReplacing(old)];
  if (!replaced || !replacing) return null;
  return [...(old.attributeKey ? [] : [give(old, replaced)]), ...(by.attributeKey ? [] : [give(by, replacing)])];
}

/** The value of a memory of which no form tells one: all its words. */
export const hashContentAsValue = ({ keys }: Pick<Access, 'keys'>, content: string): Buffer<ArrayBuffer> =>
  keys.hash('attribute-value', contentKey(content));

/** A value to be given to a memory; without `value`, its own words. */
interface FittingValue {
  readonly value?: NewMemory['attributeValue'];
  readonly sense: StatementSense | null;
}

/**
 * A value that this statement replaces. One of several where it ends a value: "I left Airbus" ends "I test avionics at
 * the Airbus plant", which leaves a job at Boeing alone.
 */
function valueReplacedBy({ attributeSense: sense, attributeValue: value }: MemoryWithAttribute): FittingValue | null {
  if (sense === 'yields') return null;
  if (sense === 'also') return { value, sense: 'denies' };
  if (sense === 'denies' || sense === 'ends') return { value, sense: 'also' };
  return { sense: sense === 'ends-all' ? 'also' : null };
}

/** A value that replaces this statement: "emojis are fine again" gives what "never use emojis" denies. */
function valueReplacing({ attributeSense: sense, attributeValue: value }: MemoryWithAttribute): FittingValue | null {
  if (sense === 'ends' || sense === 'ends-all') return null;
  if (sense === 'also') return { value, sense: 'denies' };
  if (sense === 'denies') return { value, sense: 'also' };
  return { sense: null };
}
