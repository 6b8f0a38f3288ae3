import { randomBytes } from 'node:crypto';
import type { EventType } from './event.ts';
import { dayMs } from '../time.ts';

export const webhookStates = ['active', 'disabled'] as const;
export type WebhookState = (typeof webhookStates)[number];

/** Why a webhook is disabled: somebody did it, its receiver answered 410, or nothing but failures for five days. */
export const disabledReasons = ['by_hand', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** An address that is told of events, as it is shown: never its secret. */
export interface Webhook {
  /** The public id, `wh_…`. */
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
  readonly state: WebhookState;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  /** The first failure after the last success; null while deliveries succeed. */
  readonly failingSince: Date | null;
  /** The time at which the last previous secret stops signing; null when none does. */
  readonly previousSecretExpiresAt: Date | null;
  readonly createdAt: Date;
}

/** The settings of a webhook that its owner chooses. */
export interface WebhookSettings {
  readonly url: string;
  readonly description: string | null;
  readonly eventTypes: readonly EventType[];
}

/** A secret signs beside the one that replaced it for this long. */
export const secretOverlapMs = dayMs;
/** A webhook is disabled when its deliveries have failed for so long, with no success among them. */
export const disabledAfterMs = 5 * dayMs;

/** A signing secret as Standard Webhooks prints it: `whsec_` and 32 random bytes in base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
