import type { Dependencies } from '../dependencies.ts';
import {
  createWebhook,
  deleteWebhook,
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type WebhookChange,
} from '../domain/administration/webhooks.ts';
import type { PageRequest } from '../domain/cursor.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { parseId } from '../domain/ids.ts';
import { countDeliveries, type DeliveryFilter } from '../domain/webhooks/delivery-store.ts';
import { countWebhooks } from '../domain/webhooks/webhook-store.ts';
import type { WebhookSettings } from '../domain/webhooks/webhook.ts';

/** The use cases of an instance's webhooks and their deliveries. */
export const createWebhooks = (d: Dependencies) => ({
  /** The secret is returned here and by `rotateSecret`, and never again. */
  create: (access: Access, settings: WebhookSettings) => createWebhook(d, access, settings),
  update: (access: Access, id: string, change: WebhookChange) => updateWebhook(d, access, id, change),
  remove: (access: Access, id: string) => deleteWebhook(d, access, id),
  rotateSecret: (access: Access, id: string) => rotateWebhookSecret(d, access, id),
  test: (access: Access, id: string) => testWebhook(d, access, id),
  redeliver: (access: Access, deliveryId: string) => redeliver(d, access, deliveryId),
  read: (access: Access, id: string) => findWebhook(d.db, access, id),
  page: (access: Access, page: PageRequest) => listWebhooks(d.db, access, page),
  count: (access: Access) => countWebhooks(d.db, access),
  delivery: (access: Access, id: string) => findDelivery(d.db, access, id),
  deliveries: (access: Access, of: DeliveryFilter & { webhookId: string }, page: PageRequest) =>
    listDeliveries(d.db, access, of, page),
  countDeliveries: (access: Access, { webhookId, ...filter }: DeliveryFilter & { webhookId: string }) =>
    countDeliveries(d.db, access, parseId('webhook', webhookId), filter),
});
