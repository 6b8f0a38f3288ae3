import { family, rx } from '../rule.ts';

/** What is so of the speaker's things, where the words tell no finer kind. */
export const things = family(
  { type: 'facts', name: 'things' },
  {
    mine: {
      pattern: rx(`^(?:my|our) \\p{Ll}+(?: \\p{Ll}+){0,3} (?:is|are|was|were|has|have|costs?|changed|moved)\\b .{2,}`),
      strength: 0.76,
      except: /^(?:my|our) (?:question|problem|issue|apolog\p{L}+|bad|point|mistake|code|understanding|pleasure)\b/u,
    },
  },
);
