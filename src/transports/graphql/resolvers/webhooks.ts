import type { Resolvers, UpdateWebhookInput } from '../../../generated/graphql.ts';
import { nullIfNotFound } from '../../../domain/errors.ts';
import { toCountedConnection, pageRequest, recordWithReader, withReader } from '../connections.ts';
import { parseInput, parseInputWithNulls, NewWebhookInput, WebhookUpdateInput } from '../inputs.ts';
import { problemsAsResult } from '../outcomes.ts';

export const webhookResolvers: Resolvers = {
  Query: {
    async webhook(_, { id, instanceId }, context) {
      const reader = await context.reader(instanceId);
      return recordWithReader(reader, nullIfNotFound(context.app.webhooks.read(reader.access, id)));
    },
    async webhooks(_, { instanceId, ...args }, context) {
      const reader = await context.reader(instanceId);
      const page = await context.app.webhooks.page(reader.access, pageRequest(args));
      return toCountedConnection(withReader(reader, page), args, () => context.app.webhooks.count(reader.access));
    },
    async webhookDelivery(_, { id, instanceId }, context) {
      const access = await context.access(instanceId);
      return nullIfNotFound(context.app.webhooks.delivery(access, id));
    },
  },
  Mutation: {
    createWebhook: async (_, { input, instanceId }, context) =>
      problemsAsResult('WebhookWithSecret', ['invalid_input', 'conflict', 'not_found'], async () => {
        const reader = await context.reader(instanceId);
        const { url, description, eventTypes } = parseInput(NewWebhookInput, input);
        const settings = { url, description: description ?? null, eventTypes: [...new Set(eventTypes)] };
        const { webhook, secret } = await context.app.webhooks.create(reader.access, settings);
        return { webhook: { ...webhook, reader }, secret };
      }),
    updateWebhook: async (_, { id, input, instanceId }, context) =>
      problemsAsResult('Webhook', ['invalid_input', 'not_found'], async () => {
        const reader = await context.reader(instanceId);
        return { ...(await context.app.webhooks.update(reader.access, id, changeOf(input))), reader };
      }),
    deleteWebhook: async (_, { id, instanceId }, context) =>
      problemsAsResult('WebhookDeleted', ['not_found'], async () => {
        const access = await context.access(instanceId);
        return { id, deletedAt: await context.app.webhooks.remove(access, id) };
      }),
    rotateWebhookSecret: async (_, { id, instanceId }, context) =>
      problemsAsResult('WebhookWithSecret', ['not_found'], async () => {
        const reader = await context.reader(instanceId);
        const { webhook, secret } = await context.app.webhooks.rotateSecret(reader.access, id);
        return { webhook: { ...webhook, reader }, secret };
      }),
    testWebhook: async (_, { id, instanceId }, context) =>
      problemsAsResult('WebhookDelivery', ['not_found', 'conflict'], async () =>
        context.app.webhooks.test(await context.access(instanceId), id),
      ),
    redeliverWebhook: async (_, { id, instanceId }, context) =>
      problemsAsResult('WebhookDelivery', ['not_found', 'conflict'], async () =>
        context.app.webhooks.redeliver(await context.access(instanceId), id),
      ),
  },
  Webhook: {
    async deliveries({ id, reader }, { state, ...args }, { app }) {
      const of = { webhookId: id, state: state ?? undefined };
      const page = await app.webhooks.deliveries(reader.access, of, pageRequest(args));
      return toCountedConnection(page, args, () => app.webhooks.countDeliveries(reader.access, of));
    },
  },
  WebhookDelivery: { eventType: ({ type }) => type },
};

/**
 * Converts the input: omitted fields stay as they are, and so do null ones, except the description, which null clears.
 */
function changeOf(input: UpdateWebhookInput) {
  const { url, description, eventTypes } = parseInputWithNulls(WebhookUpdateInput, input);
  return {
    ...(url == null ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(eventTypes == null ? {} : { eventTypes: [...new Set(eventTypes)] }),
    state: input.state ?? undefined,
  };
}
