/** The memory types, as they are named on the wire and in rows. */
export const memoryTypes = ['facts', 'preferences', 'episodes', 'emotions', 'temporal_events'] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** The categories that extraction knows; a configuration may name others. */
export const builtInCategories = [
  'identity',
  'relations',
  'work',
  'places',
  'possessions',
  'health',
  'plans',
  'habits',
  'likes',
  'dislikes',
  'instruction',
  'other',
] as const;
export type BuiltInCategory = (typeof builtInCategories)[number];
