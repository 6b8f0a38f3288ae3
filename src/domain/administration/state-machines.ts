import { DomainError } from '../errors.ts';
import type { ClientState } from '../tenancy/client.ts';
import type { InstanceState } from '../tenancy/instance.ts';

/** Actions of an administrator on a client. */
export const clientEvents = ['activate', 'deactivate', 'archive', 'purge'] as const;
export type ClientEvent = (typeof clientEvents)[number];

/** `active ⇄ inactive → archived → purged` (docs/decisions/0027); null: a conflict. */
export const clientTransitions: Record<ClientState, Record<ClientEvent, ClientState | null>> = {
  active: { activate: null, deactivate: 'inactive', archive: null, purge: null },
  inactive: { activate: 'active', deactivate: null, archive: 'archived', purge: null },
  archived: { activate: null, deactivate: null, archive: null, purge: 'purged' },
  purged: { activate: null, deactivate: null, archive: null, purge: null },
};

/** Actions of an administrator on an instance; `complete` ends its provisioning. */
const instanceEvents = ['complete', 'suspend', 'resume', 'archive', 'purge'] as const;
export type InstanceEvent = (typeof instanceEvents)[number];

/**
 * `provisioning → active ⇄ suspended`, each `→ archived → purged`, and `archived → suspended` (docs/decisions/0027);
 * null: a conflict.
 */
export const instanceTransitions: Record<InstanceState, Record<InstanceEvent, InstanceState | null>> = {
  provisioning: { complete: 'active', suspend: null, resume: null, archive: 'archived', purge: null },
  active: { complete: null, suspend: 'suspended', resume: null, archive: 'archived', purge: null },
  suspended: { complete: null, suspend: null, resume: 'active', archive: 'archived', purge: null },
  archived: { complete: null, suspend: 'suspended', resume: null, archive: null, purge: 'purged' },
  purged: { complete: null, suspend: null, resume: null, archive: null, purge: null },
};

/** The state of a client after an event. Throws `conflict` for one that its state does not know. */
export const nextClientState = (state: ClientState, event: ClientEvent): ClientState =>
  nextState(clientTransitions, { what: 'client', state, event });

/** The state of an instance after an event. Throws `conflict` for one that its state does not know. */
export const nextInstanceState = (state: InstanceState, event: InstanceEvent): InstanceState =>
  nextState(instanceTransitions, { what: 'instance', state, event });

/** Tells in its error the events that the state knows. */
function nextState<S extends string, E extends string>(
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
