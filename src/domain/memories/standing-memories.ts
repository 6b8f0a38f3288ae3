import type { Sql } from '../../db/database.ts';
import { dayMs } from '../time.ts';
import type { NarrowedAccess } from '../tenancy/access.ts';
import { readStandingCandidates, type StandingCandidate, type StandingKind } from './standing-store.ts';

/**
 * The most memories of each kind that are standing, the most important kind first: what harms somebody when it is not
 * minded, then instructions, which steer every answer.
 */
const places: Readonly<Record<StandingKind, number>> = {
  health: 6,
  instruction: 10,
  due: 4,
  identity: 6,
  preference: 4,
};
const order = Object.keys(places) as StandingKind[];

/** A commitment matters whatever is asked, from this long before it falls due until a day after. */
const [dueWithinMs, overdueMs] = [7 * dayMs, dayMs];
/** A preference is strong when it was said, returned or used this often. */
const strongTimes = 2;

/** The time within which a memory must fall due to be standing at `now`. */
export const dueWindow = (now: Date) => ({
  from: new Date(now.getTime() - overdueMs),
  until: new Date(now.getTime() + dueWithinMs),
});

/** A memory that matters whatever is asked. */
export type StandingMemory = Pick<StandingCandidate, 'id' | 'kind'>;

/**
 * The memories that matter whatever is asked, of those that `access` may read, the most important first; the same for a
 * stream, a prompt and a fetch without a query, except that without `due` only what lasts counts: neither a clock nor a
 * reading changes it.
 */
export async function readStandingMemories(
  sql: Sql,
  access: NarrowedAccess,
  wanted: Parameters<typeof readStandingCandidates>[2],
): Promise<StandingMemory[]> {
  return selectStandingMemories(await readStandingCandidates(sql, access, wanted));
}

/**
 * Health, standing instructions, what falls due (soonest first), who somebody is, and preferences that count at least
 * twice; of facts what states an attribute first, then what counts most often, then the newest.
 */
export function selectStandingMemories(candidates: readonly StandingCandidate[]): StandingMemory[] {
  const chosen = new Map<string, StandingMemory>();
  for (const kind of order) {
    const own = candidates.filter((each) => each.kind === kind && (kind !== 'preference' || each.times >= strongTimes));
    for (const { id } of own.toSorted(orderOf[kind] ?? mostOften).slice(0, places[kind])) {
      if (!chosen.has(id)) chosen.set(id, { id, kind });
    }
  }
  return [...chosen.values()];
}

const soonest = (one: StandingCandidate, other: StandingCandidate) => Number(one.dueAt) - Number(other.dueAt);

const mostOften = (one: StandingCandidate, other: StandingCandidate) =>
  other.times - one.times || Number(other.validFrom) - Number(one.validFrom);

const surest = (one: StandingCandidate, other: StandingCandidate) =>
  Number(other.hasAttribute) - Number(one.hasAttribute) || mostOften(one, other);

const orderOf: Partial<Record<StandingKind, typeof mostOften>> = { due: soonest, health: surest, identity: surest };
