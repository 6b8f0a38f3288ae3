import type { BuiltInCategory, MemoryType } from '../../memory-types.ts';
import type { Attribute } from '../candidate.ts';

interface Kind {
  type: MemoryType;
  category: BuiltInCategory;
}

// By what the attribute's name begins or ends with; the first that fits.
const kinds: readonly (readonly [RegExp, BuiltInCategory])[] = [
  [/^(?:answer |order |units$|nickname$)/u, 'instruction'],
  [/^(?:favourite|taste for) /u, 'likes'],
  [/^residence$/u, 'places'],
  [/^(?:employer|manager)\b/u, 'work'],
  [/^being (?:vegan|vegetarian|pescatarian|co?eliac|diabet)/u, 'health'],
  [/^(?:age|marital status|name|last name|being (?!with).*)$/u, 'identity'],
  [/^(?:car|.*(?:phone|email))$/u, 'possessions'],
  [/^allergy /u, 'health'],
  [/^(?:day of|going to) /u, 'plans'],
];

/** The type and category of a memory with this attribute. */
export function attributeKindOf({ name, value }: Attribute): Kind {
  const category = kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'relations';
  if (category === 'instruction') return { type: 'preferences', category };
  if (category === 'likes') return { type: 'preferences', category: value === 'dislikes' ? 'dislikes' : 'likes' };
  return { type: 'facts', category };
}
