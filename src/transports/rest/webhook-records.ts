import { z } from 'zod';
import { deliveryFailures, deliveryStates } from '../../domain/webhooks/delivery.ts';
import { eventTypes, testEventType } from '../../domain/webhooks/event.ts';
import { disabledReasons, webhookStates } from '../../domain/webhooks/webhook.ts';
import { answerSchema, isoTimeField, pageFieldsOf } from './fields.ts';

export const WebhookRecord = answerSchema('Webhook', {
  webhook_id: z.string().meta({ description: '`wh_…`' }),
  url: z.string(),
  description: z.string().nullable(),
  event_types: z.array(z.enum(eventTypes)),
  state: z.enum(webhookStates).meta({ description: 'A disabled one is sent no events.' }),
  disabled_reason: z.enum(disabledReasons).nullable().meta({
    description:
      '`by_hand`: by an update. `gone`: its receiver answered 410. `failing`: for five days no delivery succeeded.',
  }),
  disabled_at: isoTimeField().nullable(),
  failing_since: isoTimeField('The first failure after the last success; null: deliveries succeed.').nullable(),
  previous_secret_expires_at: isoTimeField('Until when the previous secret signs too.').nullable(),
  created_at: isoTimeField(),
});

export const WebhookWithSecretRecord = answerSchema('WebhookWithSecret', {
  ...WebhookRecord.shape,
  secret: z.string().nullable().meta({
    description: 'What deliveries are signed with: `whsec_…`. Told once: null in a repetition.',
  }),
});

export const WebhookPage = answerSchema('WebhookPage', pageFieldsOf(WebhookRecord));

export const DeletedWebhookRecord = answerSchema('DeletedWebhook', {
  webhook_id: z.string(),
  deleted_at: isoTimeField(),
});

export const DeliveryRecord = answerSchema('WebhookDelivery', {
  delivery_id: z.string().meta({ description: '`dlv_…`' }),
  webhook_id: z.string(),
  event_id: z.string().meta({
    description: '`evt_…`: the `webhook-id` header, the same at each attempt, by which a receiver tells duplicates.',
  }),
  event_type: z.enum([...eventTypes, testEventType]),
  state: z.enum(deliveryStates).meta({ description: '`dead_letter`: no attempt is left; redeliver it by hand.' }),
  attempts: z
    .array(
      z.object({
        at: isoTimeField(),
        status: z.int().nullable().meta({ description: 'What the receiver answered; null: nothing.' }),
        failure: z.enum(deliveryFailures).nullable().meta({ description: 'Null: it succeeded.' }),
        milliseconds: z.int(),
      }),
    )
    .meta({ description: 'The last of them, oldest first.' }),
  next_attempt_at: isoTimeField('Null: none is due, or the webhook is disabled.').nullable(),
  created_at: isoTimeField(),
});

export const DeliveryPage = answerSchema('WebhookDeliveryPage', pageFieldsOf(DeliveryRecord));
