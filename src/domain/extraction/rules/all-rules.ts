import { emotions } from './emotions.ts';
import { facts } from './facts/facts.ts';
import { world } from './facts/world.ts';
import { instructions } from './instructions.ts';
import { opinions } from './opinions.ts';
import { commitments, decisions } from './plans.ts';
import { preferences } from './preferences.ts';
import type { Rule } from './rule.ts';
import { datedEvents } from './temporal-events.ts';

/** Signs that are not a pattern over the clause: an attribute's form, and what a sentence is announced with. */
const signs = [
  { name: 'attributes.stated', type: 'facts' },
  { name: 'world.announced', type: 'facts' },
  { name: 'opinions.announced', type: 'preferences' },
] as const;

/** Every rule by its name, and the type of what it finds: each has a measured confidence. */
export const allRules: readonly Pick<Rule, 'name' | 'type'>[] = [
  ...[facts, world, decisions, commitments, preferences, opinions, instructions, emotions, datedEvents].flat(),
  ...signs,
];
