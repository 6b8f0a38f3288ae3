import { describe, expect, test } from 'vitest';
import { expiryOf, isExpired, lastAccessOfExpired } from '../../../src/domain/memories/retention.ts';

const dayMs = 86_400_000;
const start = new Date('2026-01-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * dayMs);
const memory = { category: 'work', accessCount: 0, lastAccess: start, lastCall: null };

describe('a memory lives', () => {
  test.each([
    { accesses: 0, factor: 1.25, case: 'a quarter longer for its ingestion' },
    { accesses: 2, factor: 1.5, case: 'another quarter for each doubling' },
    { accesses: 14, factor: 2, case: 'twice the base at sixteen' },
    { accesses: 1_022, factor: 3.5, case: 'longer and longer' },
    { accesses: 4_094, factor: 4, case: 'four times the base' },
    { accesses: 1_000_000, factor: 4, case: 'and no longer' },
  ])('$case', ({ accesses, factor }) => {
    const expiry = expiryOf({ base_days: 100 }, { ...memory, accessCount: accesses });
    expect(expiry).toEqual(after(100 * factor));
    expect(isExpired({ base_days: 100 }, { ...memory, accessCount: accesses }, after(100 * factor))).toBe(true);
    expect(isExpired({ base_days: 100 }, { ...memory, accessCount: accesses }, after(100 * factor - 0.01))).toBe(false);
  });
});

test.each(['instruction', 'identity'])('what is %s waits for a base period without a call of its user', (category) => {
  const lasting = { ...memory, category };
  expect(expiryOf({ base_days: 100 }, lasting)).toBeNull();
  expect(isExpired({ base_days: 100 }, { ...lasting, lastCall: after(900) }, after(999))).toBe(false);
  expect(isExpired({ base_days: 100 }, { ...lasting, lastCall: after(900) }, after(1_000))).toBe(true);
  expect(isExpired({ base_days: 100 }, { ...lasting, lastCall: start }, after(124))).toBe(false);
});

test('nothing accessed since the bound is expired', () => {
  const bound = lastAccessOfExpired({ base_days: 100 }, after(1_000));
  const since = new Date(bound.getTime() + 1);
  expect(isExpired({ base_days: 100 }, { ...memory, lastAccess: bound }, after(1_000))).toBe(true);
  expect(isExpired({ base_days: 100 }, { ...memory, lastAccess: since }, after(1_000))).toBe(false);
});
