import { transaction, type Db, type Tx } from '../../db/database.ts';
import { pageFromRows, parsePageRequest, type Page, type PageRequest } from '../pagination.ts';
import { DomainError, invalidInputError, notFoundError } from '../errors.ts';
import { newUuid, parseId, toPublicId } from '../ids.ts';
import { writeTransaction, type WriteDependencies, type WriteTx } from '../invalidation/write-transaction.ts';
import { limits } from '../limits.ts';
import type { Access } from '../tenancy/access.ts';
import { mayReadContent } from '../tenancy/roles.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import { readDeliveryRows, readDelivery, saveRedelivery, type DeliveryFilter } from '../webhooks/delivery-store.ts';
import { saveTestEvent } from '../webhooks/event-store.ts';
import { newWebhookSecret, type Webhook, type WebhookSettings, type WebhookState } from '../webhooks/webhook.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.ts';
import {
  countWebhooks,
  lockWebhooks,
  readWebhookRows,
  readWebhook,
  removeWebhook,
  saveDisabled,
  saveEnabled,
  saveSecret,
  saveWebhook,
  saveWebhookSettings,
} from '../webhooks/webhook-store.ts';
import { saveInstanceAudit } from './audit-store.ts';

export interface WebhookDependencies extends WriteDependencies {
  readonly webhookSender: Pick<WebhookSender, 'refusalOf'>;
  readonly now: () => Date;
}

/** A webhook and its signing secret, which is returned only here. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/**
 * Subscribes a URL to events of the instance from now on. Throws `invalid_input` for a URL that nothing is sent to, and
 * `conflict` when the instance has as many webhooks as it may.
 */
export async function createWebhook(
  deps: WebhookDependencies,
  access: Access,
  settings: WebhookSettings,
): Promise<WebhookWithSecret> {
  await refuseTarget(deps, settings.url);
  const [id, secret, at] = [newUuid(), newWebhookSecret(), deps.now()];
  const webhook = await change(deps, access, async (tx) => {
    if ((await countWebhooks(tx, access)) >= limits.webhooks.max) throw tooMany();
    await audit(tx, access, { action: 'webhook.create', id, at, after: settings });
    return saveWebhook(tx, access, { ...settings, id, secret, at });
  });
  return { webhook, secret };
}

const tooMany = () =>
  new DomainError('conflict', `this instance has ${limits.webhooks.max} webhooks, which is the most: delete one first`);

/** Changes to a webhook; omitted settings stay as they are. */
export interface WebhookChange extends Partial<WebhookSettings> {
  readonly state?: WebhookState | undefined;
}

/**
 * Changes a webhook. One that is enabled is sent what waited meanwhile, and counts as one that never failed. Throws
 * `not_found`, and `invalid_input` for a URL that nothing is sent to.
 */
export async function updateWebhook(
  deps: WebhookDependencies,
  access: Access,
  publicId: string,
  { state, ...changed }: WebhookChange,
): Promise<Webhook> {
  const id = parseId('webhook', publicId);
  if (changed.url !== undefined) await refuseTarget(deps, changed.url);
  const at = deps.now();
  return change(deps, access, async (tx) => {
    const before = await existing(tx, access, id);
    await audit(tx, access, { action: 'webhook.update', id, at, before, after: { ...changed, state } });
    const { url, description, eventTypes } = before;
    let webhook = await saveWebhookSettings(tx, access, id, { url, description, eventTypes, ...changed });
    if (state === 'active' && webhook.state !== state) webhook = await saveEnabled(tx, access, id);
    if (state === 'disabled' && webhook.state !== state)
      webhook = await saveDisabled(tx, access, id, { reason: 'by_hand', at });
    return webhook;
  });
}

/** Removes a webhook with its deliveries, also those that are pending; returns when. Throws `not_found`. */
export async function deleteWebhook(deps: WebhookDependencies, access: Access, publicId: string): Promise<Date> {
  const [id, at] = [parseId('webhook', publicId), deps.now()];
  await change(deps, access, async (tx) => {
    const before = await existing(tx, access, id);
    await audit(tx, access, { action: 'webhook.delete', id, at, before });
    await removeWebhook(tx, access, id);
  });
  return at;
}

/** Gives a webhook another secret; the present one signs beside it for a day. Throws `not_found`. */
export async function rotateWebhookSecret(
  deps: WebhookDependencies,
  access: Access,
  publicId: string,
): Promise<WebhookWithSecret> {
  const id = parseId('webhook', publicId);
  const [secret, at] = [newWebhookSecret(), deps.now()];
  const webhook = await change(deps, access, async (tx) => {
    await existing(tx, access, id);
    await audit(tx, access, { action: 'webhook.rotate_secret', id, at });
    return saveSecret(tx, access, id, { secret, at });
  });
  return { webhook, secret };
}

/** Sends a test event to a webhook; returns its delivery. Throws `not_found`, and `conflict` while it is disabled. */
export async function testWebhook(deps: WebhookDependencies, access: Access, publicId: string): Promise<Delivery> {
  const id = parseId('webhook', publicId);
  return transaction(deps.db, async (tx) => {
    requireActive(await existing(tx, access, id));
    const deliveryId = await saveTestEvent(tx, access, id, deps.now());
    const delivery = deliveryId && (await readDelivery(tx, access, deliveryId));
    if (!delivery) throw notFoundError('webhook');
    return delivery;
  });
}

/**
 * Has a delivery sent again, under the same `webhook-id` and with all retries, whether it succeeded before or not.
 * Throws `not_found`, and `conflict` while its webhook is disabled.
 */
export async function redeliverWebhook(deps: WebhookDependencies, access: Access, publicId: string): Promise<Delivery> {
  const id = parseId('delivery', publicId);
  return transaction(deps.db, async (tx) => {
    const delivery = await existingDelivery(tx, access, id);
    requireActive(await existing(tx, access, parseId('webhook', delivery.webhookId)));
    await saveRedelivery(tx, access, id, deps.now());
    return existingDelivery(tx, access, id);
  });
}

/** Throws `not_found`. */
export const findWebhook = async (db: Db, access: Access, publicId: string): Promise<Webhook> =>
  shownTo(access, await existing(db, access, parseId('webhook', publicId)));

/** The webhooks of the instance, disabled ones too. */
export async function listWebhooks(db: Db, access: Access, request: PageRequest): Promise<Page<Webhook>> {
  const keysetQuery = parsePageRequest('webhooks', request);
  const rows = (await readWebhookRows(db, access, keysetQuery)).map((webhook) => shownTo(access, webhook));
  return pageFromRows(rows, keysetQuery, ({ id, createdAt }) => ({ at: createdAt, id: parseId('webhook', id) }));
}

/** The webhook as its reader may see it: a viewer sees the host alone, since the path of a URL may be a secret. */
const shownTo = ({ principal }: Access, webhook: Webhook): Webhook =>
  mayReadContent(principal) ? webhook : { ...webhook, url: `${new URL(webhook.url).origin}/…` };

/** Throws `not_found`. */
export const findDelivery = (db: Db, access: Access, publicId: string): Promise<Delivery> =>
  existingDelivery(db, access, parseId('delivery', publicId));

/** Lists the deliveries of a webhook, past and pending, with their outcome. Throws `not_found`. */
export async function listDeliveries(
  db: Db,
  access: Access,
  { webhookId, ...filter }: DeliveryFilter & { webhookId: string },
  request: PageRequest,
): Promise<Page<Delivery>> {
  const keysetQuery = parsePageRequest('webhook deliveries', request);
  const id = parseId('webhook', webhookId);
  await existing(db, access, id);
  const rows = await readDeliveryRows(db, access, id, { ...keysetQuery, ...filter });
  return pageFromRows(rows, keysetQuery, (row) => ({ at: row.createdAt, id: parseId('delivery', row.id) }));
}

/** Changes webhooks while nobody else changes those of the instance. */
const change = <T>(deps: WebhookDependencies, access: Access, work: (tx: WriteTx) => Promise<T>): Promise<T> =>
  writeTransaction(deps, async (tx) => {
    await lockWebhooks(tx, access);
    return work(tx);
  });

async function existing(sql: Db | Tx, access: Access, id: string): Promise<Webhook> {
  const webhook = await readWebhook(sql, access, id);
  if (!webhook) throw notFoundError('webhook');
  return webhook;
}

async function existingDelivery(sql: Db | Tx, access: Access, id: string): Promise<Delivery> {
  const delivery = await readDelivery(sql, access, id);
  if (!delivery) throw notFoundError('delivery');
  return delivery;
}

function requireActive({ state }: Webhook): void {
  if (state !== 'active') throw new DomainError('conflict', 'this webhook is disabled: enable it first');
}

async function refuseTarget({ webhookSender }: WebhookDependencies, url: string): Promise<void> {
  const refusal = await webhookSender.refusalOf(url);
  if (refusal !== null) throw invalidInputError('url', refusal);
}

const audit = (
  tx: Tx,
  access: Access,
  { id, ...entry }: { action: string; id: string; at: Date; before?: unknown; after?: unknown },
): Promise<void> => saveInstanceAudit(tx, access, { ...entry, target: toPublicId('webhook', id) });
