import { DomainError } from '../errors.ts';

/** Throws `conflict` for an event that the state does not know, and tells those that it does. */
export function nextState<S extends string, E extends string>(
  transitions: Record<S, Record<E, S | null>>,
  { what, state, event }: { what: string; state: S; event: E },
): S {
  const events = transitions[state];
  const next = events[event];
  if (next) return next;
  const possible = (Object.keys(events) as E[]).filter((each) => events[each]);
  const hint = possible.length ? `possible: ${possible.join(', ')}` : 'nothing can be done to it any more';
  throw new DomainError('conflict', `this ${what} is ${state}, so "${event}" does not apply; ${hint}`);
}
