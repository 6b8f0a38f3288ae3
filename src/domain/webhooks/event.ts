import type { Named } from '../tenancy/access.ts';

/** What a webhook may subscribe to. Specification, "Events". */
export const eventTypes = [
  'conversation.started',
  'conversation.ended',
  'context.retrieved',
  'config.applied',
  'compaction.completed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The event that a webhook is sent on request, whatever it subscribes to. */
export const testEventType = 'webhook.test';

/** Something that happened in an instance. */
export interface InstanceEvent {
  readonly type: EventType;
  readonly at: Date;
  /** Whom it is about: forgetting them removes it. Default: nobody. */
  readonly about?: Named;
  /** What a receiver is told: ids and counts, as JSON; never what was said. */
  readonly data: Readonly<Record<string, unknown>>;
}
