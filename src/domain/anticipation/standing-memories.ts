import { dayMs } from '../time.ts';
import { dueWithinMs, type StandingKind, type StandingMemory } from '../memories/standing-store.ts';
import type { AnticipationReason } from './stream-messages.ts';

/** The most memories of each kind that are always sent: instructions steer every answer, so few are left out. */
const places: Readonly<Record<StandingKind, number>> = { instruction: 10, due: 4, identity: 4, preference: 4 };
/** Most are read of each kind. */
export const maxStandingMemories = 24;

/** A commitment is standing until a day after it fell due. */
const overdueMs = dayMs;
/** A preference is strong when it was said, returned or used this often. */
const strongTimes = 2;

/** The time within which a memory must fall due to be sent now. */
export const dueWindow = (now: Date) => ({
  dueFrom: new Date(now.getTime() - overdueMs),
  dueUntil: new Date(now.getTime() + dueWithinMs),
});

/** A memory that is sent whatever is said. */
export interface StandingChoice {
  readonly id: string;
  readonly reason: AnticipationReason;
}

const order: readonly StandingKind[] = ['instruction', 'due', 'identity', 'preference'];

/**
 * The memories that are sent whatever is said: standing instructions, what falls due (soonest first), who somebody is, and
 * preferences that were said, returned or used at least twice; the highest such count first, then the newest.
 */
export function selectStandingMemories(candidates: readonly StandingMemory[]): StandingChoice[] {
  const chosen = new Map<string, StandingChoice>();
  for (const kind of order) {
    const own = candidates.filter((each) => each.kind === kind && (kind !== 'preference' || each.times >= strongTimes));
    for (const { id } of own.toSorted(kind === 'due' ? soonest : mostOften).slice(0, places[kind])) {
      if (!chosen.has(id)) chosen.set(id, { id, reason: kind === 'due' ? 'due' : 'standing' });
    }
  }
  return [...chosen.values()];
}

const soonest = (one: StandingMemory, other: StandingMemory) => Number(one.dueAt) - Number(other.dueAt);

const mostOften = (one: StandingMemory, other: StandingMemory) =>
  other.times - one.times || Number(other.validFrom) - Number(one.validFrom);
