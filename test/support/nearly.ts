import { expect } from 'vitest';

/**
 * The same, with every number near its own: what is kept in memory sums in another order than the database, so that
 * scores differ in their last bits. Rounding both would tell them apart wherever they lie on either side of a step.
 */
export function nearly(value: unknown): any {
  if (typeof value === 'number') return expect.closeTo(value, 4);
  if (Array.isArray(value)) return value.map(nearly);
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nearly(each)]));
}

export function isNearly(one: unknown, other: unknown): boolean {
  try {
    expect(one).toEqual(nearly(other));
    return true;
  } catch {
    return false;
  }
}
