import type { Dependencies } from '../dependencies.ts';
import {
  createWebhook,
  deleteWebhook,
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type WebhookChange,
} from '../domain/administration/webhooks.ts';
import type { PageRequest } from '../domain/pagination.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { parseId } from '../domain/ids.ts';
import { countDeliveries, type DeliveryFilter } from '../domain/webhooks/delivery-store.ts';
import { countWebhooks } from '../domain/webhooks/webhook-store.ts';
import type { WebhookSettings } from '../domain/webhooks/webhook.ts';

/** The use cases of an instance's webhooks and their deliveries. */
export const createWebhookUseCases = (deps: Dependencies) => ({
  /** The secret is returned only here and by `rotateSecret`. */
  create: (access: Access, settings: WebhookSettings) => createWebhook(deps, access, settings),
  update: (access: Access, id: string, change: WebhookChange) => updateWebhook(deps, access, id, change),
  remove: (access: Access, id: string) => deleteWebhook(deps, access, id),
  rotateSecret: (access: Access, id: string) => rotateWebhookSecret(deps, access, id),
  test: (access: Access, id: string) => testWebhook(deps, access, id),
  redeliver: (access: Access, deliveryId: string) => redeliverWebhook(deps, access, deliveryId),
  read: (access: Access, id: string) => findWebhook(deps.db, access, id),
  page: (access: Access, page: PageRequest) => listWebhooks(deps.db, access, page),
  count: (access: Access) => countWebhooks(deps.db, access),
  delivery: (access: Access, id: string) => findDelivery(deps.db, access, id),
  deliveries: (access: Access, of: DeliveryFilter & { webhookId: string }, page: PageRequest) =>
    listDeliveries(deps.db, access, of, page),
  countDeliveries: (access: Access, { webhookId, ...filter }: DeliveryFilter & { webhookId: string }) =>
    countDeliveries(deps.db, access, parseId('webhook', webhookId), filter),
});
