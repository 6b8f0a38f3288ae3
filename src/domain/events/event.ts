/** What happens that others may want to hear of. Specification, "Events". */
const eventTypes = [
  'conversation.started',
  'conversation.ended',
  'context.retrieved',
  'config.applied',
  'compaction.completed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened in an instance. */
export interface InstanceEvent {
  readonly type: EventType;
  readonly at: Date;
  /** What a receiver is told; JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}
