import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { DeliveryRecord, WebhookRecord } from './webhook-records.ts';
import type { Wire } from '../http/wire.ts';

export const presentWebhook = (webhook: Webhook): Wire<typeof WebhookRecord> => ({
  webhook_id: webhook.id,
  url: webhook.url,
  description: webhook.description,
  event_types: webhook.eventTypes,
  state: webhook.state,
  disabled_reason: webhook.disabledReason,
  disabled_at: webhook.disabledAt?.toISOString() ?? null,
  failing_since: webhook.failingSince?.toISOString() ?? null,
  previous_secret_expires_at: webhook.previousSecretExpiresAt?.toISOString() ?? null,
  created_at: webhook.createdAt.toISOString(),
});

export const presentDelivery = (delivery: Delivery): Wire<typeof DeliveryRecord> => ({
  delivery_id: delivery.id,
  webhook_id: delivery.webhookId,
  event_id: delivery.eventId,
  event_type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
});
