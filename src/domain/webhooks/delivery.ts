import type { EventType, testEventType } from './event.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';

/** `dead_letter`: every attempt failed, or the receiver is gone; it is sent again on request only. */
export const deliveryStates = ['pending', 'delivered', 'dead_letter'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt failed. */
export const deliveryFailures = [
  'error_status',
  'redirect',
  'timeout',
  'private_address',
  'name_not_resolved',
  'tls_failed',
  'connection_failed',
] as const;
export type DeliveryFailure = (typeof deliveryFailures)[number];

/** One request to a receiver, and what came of it. */
export interface DeliveryAttempt {
  readonly at: Date;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Null: it succeeded. */
  readonly failure: DeliveryFailure | null;
  readonly milliseconds: number;
}

/** One event for one webhook. */
export interface Delivery {
  /** The public id, `dlv_…`. */
  readonly id: string;
  readonly webhookId: string;
  /** The `webhook-id` that it is sent under each time: what a receiver tells duplicates by. */
  readonly eventId: string;
  readonly type: EventType | typeof testEventType;
  readonly state: DeliveryState;
  /** The last of them, oldest first; at most `maxAttemptsKept`. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Null when it is not sent again, or its webhook is disabled. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** A delivery keeps this many of its last attempts: more than one round of retries. */
export const maxAttemptsKept = 20;

const second = 1_000;
/** The delays after the first, second, … failure of a delivery; after one more failure it is a dead letter. */
const retryDelaysMs = [5 * second, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 12 * hourMs];

export const answerTimeoutMs = 15 * second;
/** A worker that died keeps a delivery for so long: longer than a receiver may take. */
export const deliveryLeaseMs = answerTimeoutMs + 5 * second;
/** Events and their deliveries are kept this long. */
export const eventRetentionMs = 30 * dayMs;

const gone = 410;

/** The consequences of a delivery attempt. */
export interface AttemptVerdict {
  /** Null: no further attempt. */
  readonly retryInMs: number | null;
  /** The receiver wants nothing more: its webhook is to be disabled. */
  readonly isGone: boolean;
}

/** Decides what follows from an attempt after `failures` failed ones. */
export function judgeAttempt({ failure, status }: DeliveryAttempt, failures: number): AttemptVerdict {
  if (failure === null) return { retryInMs: null, isGone: false };
  const isGone = status === gone;
  return { retryInMs: isGone ? null : (retryDelaysMs[failures] ?? null), isGone };
}
