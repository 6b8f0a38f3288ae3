import { z } from 'zod';
import { limits } from '../../domain/limits.ts';
import { deliveryStates } from '../../domain/webhooks/delivery.ts';
import { eventTypes } from '../../domain/webhooks/event.ts';
import { webhookStates } from '../../domain/webhooks/webhook.ts';
import { shortTextField, someOf } from '../http/fields.ts';
import { presageIdField, pageParameters, requestSchema, toPageRequest } from './fields.ts';
import { presentPage } from './present.ts';
import { presentDelivery, presentWebhook } from './present-webhook.ts';
import { defineRoute } from './route.ts';
import {
  DeletedWebhookRecord,
  DeliveryPage,
  DeliveryRecord,
  WebhookPage,
  WebhookRecord,
  WebhookWithSecretRecord,
} from './webhook-records.ts';

const settings = {
  url: shortTextField(limits.webhookUrl, 'Where events are sent: `https://`, and a public address.'),
  description: shortTextField(limits.webhookDescription, 'What it is for; kept sealed.').nullable(),
  event_types: someOf(eventTypes)
    .transform((types) => [...new Set(types)])
    .meta({ description: 'Which events are sent, from now on.' }),
};

const NewWebhook = requestSchema('NewWebhook', { ...settings, description: settings.description.default(null) });

const WebhookUpdate = requestSchema('WebhookUpdate', {
  url: settings.url.optional(),
  description: settings.description.optional(),
  event_types: settings.event_types.optional(),
  state: z.enum(webhookStates).optional().meta({
    description: '`active` enables it again, and sends the deliveries that were pending when it was disabled.',
  }),
});

const group = 'Webhooks';
const path = '/v1/webhooks';
const ofWebhook = z.object({ webhook_id: presageIdField('`wh_…`') });
const ofDelivery = z.object({ delivery_id: presageIdField('`dlv_…`') });

const signing =
  'Deliveries are signed by [Standard Webhooks](https://www.standardwebhooks.com): the headers `webhook-id`, ' +
  '`webhook-timestamp` and `webhook-signature`, over a body `{id, type, created_at, instance_id, data}`. `data` holds ids ' +
  'and counts, never what was said. An answer of 2xx within 15 s is success; after a failure the event is sent again ' +
  'after 5 s, 1 min, 5 min, 30 min, 2 h and 12 h, each time under the same `webhook-id`.';

export const webhookRoutes = [
  defineRoute({
    method: 'POST',
    path,
    operation: 'createWebhook',
    useCase: 'webhooks.create',
    group,
    summary: 'Subscribe a URL to events',
    description: signing,
    body: NewWebhook,
    answer: WebhookWithSecretRecord,
    statuses: [201],
    errors: ['conflict'],
    secrets: ['secret'],
    example: { url: 'https://example.com/hooks/presage', event_types: ['conversation.ended', 'compaction.completed'] },
    async handle(app, { access, body }) {
      const { url, description, event_types: types } = body;
      const { webhook, secret } = await app.webhooks.create(access, { url, description, eventTypes: types });
      return { body: { ...presentWebhook(webhook), secret } };
    },
  }),
  defineRoute({
    method: 'GET',
    path,
    operation: 'webhooks',
    useCase: 'webhooks.page',
    group,
    summary: 'List webhooks',
    description: 'The newest first, disabled ones too; never their secrets.',
    query: z.strictObject(pageParameters),
    answer: WebhookPage,
    async handle(app, { access, query }) {
      return { body: presentPage(await app.webhooks.page(access, toPageRequest(query)), presentWebhook) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/{webhook_id}`,
    operation: 'webhook',
    useCase: 'webhooks.read',
    group,
    summary: 'Read a webhook',
    params: ofWebhook,
    answer: WebhookRecord,
    errors: ['not_found'],
    handle: async (app, { access, params }) => ({
      body: presentWebhook(await app.webhooks.read(access, params.webhook_id)),
    }),
  }),
  defineRoute({
    method: 'PATCH',
    path: `${path}/{webhook_id}`,
    operation: 'updateWebhook',
    useCase: 'webhooks.update',
    group,
    summary: 'Change, disable or enable a webhook',
    description: 'What is left out stays as it is.',
    params: ofWebhook,
    body: WebhookUpdate,
    answer: WebhookRecord,
    errors: ['not_found'],
    example: { event_types: ['conversation.ended'], state: 'active' },
    async handle(app, { access, params, body }) {
      const { url, description, event_types: types, state } = body;
      const change = {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(types === undefined ? {} : { eventTypes: types }),
        state,
      };
      return { body: presentWebhook(await app.webhooks.update(access, params.webhook_id, change)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${path}/{webhook_id}`,
    operation: 'deleteWebhook',
    useCase: 'webhooks.remove',
    group,
    summary: 'Delete a webhook',
    description: 'With its deliveries; what was still to be sent is not.',
    params: ofWebhook,
    answer: DeletedWebhookRecord,
    errors: ['not_found'],
    async handle(app, { access, params }) {
      const deletedAt = await app.webhooks.remove(access, params.webhook_id);
      return { body: { webhook_id: params.webhook_id, deleted_at: deletedAt.toISOString() } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{webhook_id}/rotate-secret`,
    operation: 'rotateWebhookSecret',
    useCase: 'webhooks.rotateSecret',
    group,
    summary: 'Give a webhook another secret',
    description: 'For 24 hours the present one signs too, so that a receiver can change over without losing an event.',
    params: ofWebhook,
    answer: WebhookWithSecretRecord,
    errors: ['not_found'],
    secrets: ['secret'],
    async handle(app, { access, params }) {
      const { webhook, secret } = await app.webhooks.rotateSecret(access, params.webhook_id);
      return { body: { ...presentWebhook(webhook), secret } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/{webhook_id}/test`,
    operation: 'testWebhook',
    useCase: 'webhooks.test',
    group,
    summary: 'Send a test event',
    description:
      'Of type `webhook.test`, whatever is subscribed to. Read what came of it as `delivery_id`, a moment later.',
    params: ofWebhook,
    answer: DeliveryRecord,
    statuses: [202],
    errors: ['not_found', 'conflict'],
    handle: async (app, { access, params }) => ({
      body: presentDelivery(await app.webhooks.test(access, params.webhook_id)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/{webhook_id}/deliveries`,
    operation: 'webhookDeliveries',
    useCase: 'webhooks.deliveries',
    group,
    summary: 'List the deliveries of a webhook',
    description: 'The newest first, each with its attempts; of the last 30 days.',
    params: ofWebhook,
    query: z.strictObject({
      state: z.enum(deliveryStates).optional().meta({ description: 'Only these.' }),
      ...pageParameters,
    }),
    answer: DeliveryPage,
    errors: ['not_found'],
    async handle(app, { access, params, query }) {
      const of = { webhookId: params.webhook_id, state: query.state };
      return { body: presentPage(await app.webhooks.deliveries(access, of, toPageRequest(query)), presentDelivery) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${path}/deliveries/{delivery_id}`,
    operation: 'webhookDelivery',
    useCase: 'webhooks.delivery',
    group,
    summary: 'Read a delivery',
    params: ofDelivery,
    answer: DeliveryRecord,
    errors: ['not_found'],
    handle: async (app, { access, params }) => ({
      body: presentDelivery(await app.webhooks.delivery(access, params.delivery_id)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: `${path}/deliveries/{delivery_id}/redeliver`,
    operation: 'redeliverWebhook',
    useCase: 'webhooks.redeliver',
    group,
    summary: 'Deliver once more',
    description: 'At once and with all retries, under the same `webhook-id`, whether it succeeded before or not.',
    params: ofDelivery,
    answer: DeliveryRecord,
    statuses: [202],
    errors: ['not_found', 'conflict'],
    handle: async (app, { access, params }) => ({
      body: presentDelivery(await app.webhooks.redeliver(access, params.delivery_id)),
    }),
  }),
];
