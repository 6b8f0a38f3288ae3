import { DomainError } from '../errors.ts';

/** The states of a version. */
export const configurationStates = ['draft', 'pending_review', 'approved', 'rejected', 'active', 'superseded'] as const;
export type ConfigurationState = (typeof configurationStates)[number];

/** Events of a version's lifecycle. `init` and `rollback` make a version, so no state takes them. */
export const configurationEvents = ['update', 'submit', 'approve', 'reject', 'apply', 'supersede'] as const;
export type ConfigurationEvent = (typeof configurationEvents)[number];

/** Steps that the history of a version may hold. */
export const configurationSteps = ['init', ...configurationEvents, 'rollback'] as const;
export type ConfigurationStep = (typeof configurationSteps)[number];

type Next = ConfigurationState | null;

/** The state after an event; null: it cannot happen. What was in force never changes (docs/decisions/0026). */
export const configurationTransitions: Readonly<
  Record<ConfigurationState, Readonly<Record<ConfigurationEvent, Next>>>
> = {
  draft: { update: 'draft', submit: 'pending_review', approve: null, reject: null, apply: null, supersede: null },
  pending_review: { update: null, submit: null, approve: 'approved', reject: 'rejected', apply: null, supersede: null },
  approved: { update: null, submit: null, approve: null, reject: null, apply: 'active', supersede: null },
  rejected: { update: 'draft', submit: null, approve: null, reject: null, apply: null, supersede: null },
  active: { update: null, submit: null, approve: null, reject: null, apply: null, supersede: 'superseded' },
  superseded: { update: null, submit: null, approve: null, reject: null, apply: null, supersede: null },
};

/** Throws `conflict`, which tells what can happen instead. */
export function nextConfigurationState(
  version: number,
  state: ConfigurationState,
  event: ConfigurationEvent,
): ConfigurationState {
  const next = configurationTransitions[state][event];
  if (next) return next;
  const possible = configurationEvents.filter((each) => each !== 'supersede' && configurationTransitions[state][each]);
  const instead = possible.length > 0 ? `allowed now: ${possible.join(' or ')}` : 'make another version instead';
  throw new DomainError('conflict', `version ${version} is ${state}: ${event} is not possible; ${instead}`);
}

/** Whether the version was or is in force: it never changes again, and can be gone back to. */
export const wasEverActive = (state: ConfigurationState) => state === 'active' || state === 'superseded';

/** The semantic version of a version: `3` is `3.0.0`. */
export const semanticVersion = (version: number) => `${version}.0.0`;

/** The number of a version as a path gives it: `3` or `3.0.0`; null for what is neither. */
export function parseVersionNumber(text: string): number | null {
  const [, major] = /^([1-9]\d{0,8})(?:\.0\.0)?$/.exec(text) ?? [];
  return major ? Number(major) : null;
}
