import { expect, test } from 'vitest';
import { selectStandingMemories } from '../../../src/domain/memories/standing-memories.ts';
import type { StandingCandidate } from '../../../src/domain/memories/standing-store.ts';

const candidate = (id: string, kind: StandingCandidate['kind'], more: Partial<StandingCandidate> = {}) => ({
  id,
  kind,
  hasAttribute: false,
  times: 1,
  validFrom: new Date(0),
  dueAt: null,
  ...more,
});
const idsOf = (candidates: readonly StandingCandidate[]) => selectStandingMemories(candidates).map(({ id }) => id);

test('what always holds is health, instructions, what falls due, identity, and preferences said more than once', () => {
  const chosen = idsOf([
    candidate('weak', 'preference'),
    candidate('strong', 'preference', { times: 3 }),
    candidate('name', 'identity'),
    candidate('later', 'due', { dueAt: new Date(2) }),
    candidate('sooner', 'due', { dueAt: new Date(1) }),
    candidate('rule', 'instruction'),
    candidate('allergy', 'health'),
  ]);
  expect(chosen).toEqual(['allergy', 'rule', 'sooner', 'later', 'name', 'strong']);
});

test('an allergy keeps its place however much is said of health', () => {
  const talk = Array.from({ length: 30 }, (_, n) =>
    candidate(`talk${n}`, 'health', { times: 2, validFrom: new Date(n + 1) }),
  );
  const chosen = idsOf([...talk, candidate('allergy', 'health', { hasAttribute: true })]);
  expect(chosen[0]).toBe('allergy');
  expect(chosen).toHaveLength(6);
});
