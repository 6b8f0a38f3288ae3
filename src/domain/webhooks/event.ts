import type { SubjectIds } from '../tenancy/access.ts';

/** The types of events that a webhook may subscribe to. */
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

/** An event of an instance. */
export interface InstanceEvent {
  readonly type: EventType;
  readonly at: Date;
  /** Whom it is about: forgetting them removes it. Default: nobody. */
  readonly about?: SubjectIds;
  /** The payload for receivers, as JSON: ids and counts, never what was said. */
  readonly data: Readonly<Record<string, unknown>>;
}
