import type { Sql, Tx } from '../../db/database.ts';
import { maxTotalCount, type KeysetQuery } from '../pagination.ts';
import type { WriteTx } from '../invalidation/write-transaction.ts';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import { lockInstance, saveEventTypes } from '../tenancy/instance-store.ts';
import { keysetArguments } from '../tenancy/keyset-store.ts';
import type { EventType } from './event.ts';
import { previousSecretsAtMost, openPreviousSecrets, sealPreviousSecrets } from './previous-secrets.ts';
import {
  secretOverlapMs,
  type DisabledReason,
  type Webhook,
  type WebhookSettings,
  type WebhookState,
} from './webhook.ts';

/** Reads a webhook by UUID; null when the instance has none. */
export async function readWebhook(sql: Sql, access: Access, id: string): Promise<Webhook | null> {
  const row = await sql.webhook.findFirst({ where: { id, instanceNumber: access.instanceNumber } });
  return row && fromRow(access, row);
}

/** A page of webhooks by their time of creation. */
export async function readWebhookRows(sql: Sql, access: Access, keysetQuery: KeysetQuery): Promise<Webhook[]> {
  const { instanceNumber } = access;
  const rows = await sql.webhook.findMany(keysetArguments(keysetQuery, { instanceNumber }));
  return rows.map((row) => fromRow(access, row));
}

/** At most one more than `maxTotalCount`. */
export const countWebhooks = (sql: Sql, { instanceNumber }: Access): Promise<number> =>
  sql.webhook.count({ where: { instanceNumber }, take: maxTotalCount + 1 });

/** Lets nobody else change the webhooks of the instance before the transaction ends. */
export const lockWebhooks = async (tx: Tx, { instanceNumber }: Access): Promise<void> =>
  void (await lockInstance(tx, instanceNumber));

/** Keeps a webhook, active. The webhooks must be locked. */
export async function saveWebhook(
  tx: WriteTx,
  access: Access,
  { id, secret, at, ...settings }: WebhookSettings & { id: string; secret: string; at: Date },
): Promise<Webhook> {
  const { instanceNumber, keys } = access;
  const row = await tx.webhook.create({
    data: {
      instanceNumber,
      id,
      ...columnsOf(access, id, settings),
      secret: keys.seal('webhook.secret', id, secret),
      state: 'active',
      createdAt: at,
    },
  });
  await keepEventTypes(tx, access);
  return fromRow(access, row);
}

/** Changes what its owner sets. The webhooks must be locked. */
export async function saveWebhookSettings(
  tx: WriteTx,
  access: Access,
  id: string,
  settings: WebhookSettings,
): Promise<Webhook> {
  const row = await tx.webhook.update({ where: whereId(access, id), data: columnsOf(access, id, settings) });
  await keepEventTypes(tx, access);
  return fromRow(access, row);
}

/** Disables a webhook; pending deliveries wait until it is enabled. The webhooks must be locked. */
export async function saveDisabled(
  tx: WriteTx,
  access: Access,
  id: string,
  { reason, at }: { reason: DisabledReason; at: Date },
): Promise<Webhook> {
  const data = { state: 'disabled', disabledReason: reason, disabledAt: at };
  const row = await tx.webhook.update({ where: whereId(access, id), data });
  await keepEventTypes(tx, access);
  return fromRow(access, row);
}

/** Enables a webhook as if it had never failed. The webhooks must be locked. */
export async function saveEnabled(tx: WriteTx, access: Access, id: string): Promise<Webhook> {
  const data = { state: 'active', disabledReason: null, disabledAt: null, failingSince: null };
  const row = await tx.webhook.update({ where: whereId(access, id), data });
  await keepEventTypes(tx, access);
  return fromRow(access, row);
}

/** Saves a secret, which signs from now on. The present one signs beside it for a day, former ones as before. */
export async function saveSecret(
  tx: Tx,
  access: Access,
  id: string,
  { secret, at }: { secret: string; at: Date },
): Promise<Webhook> {
  const { keys } = access;
  const { secret: present, ...former } = await tx.webhook.findUniqueOrThrow({
    where: whereId(access, id),
    select: { secret: true, previousSecret: true, previousSecretExpiresAt: true },
  });
  const until = new Date(at.getTime() + secretOverlapMs);
  const previousSecrets = [
    { secret: keys.open('webhook.secret', id, present), until },
    ...openPreviousSecrets(access, { webhookId: id, ...former }, at),
  ];
  const row = await tx.webhook.update({
    where: whereId(access, id),
    data: {
      secret: keys.seal('webhook.secret', id, secret),
      previousSecret: sealPreviousSecrets(access, id, previousSecrets.slice(0, previousSecretsAtMost)),
      previousSecretExpiresAt: until,
    },
  });
  return fromRow(access, row);
}

/** Removes a webhook with its deliveries. The webhooks must be locked. */
export async function removeWebhook(tx: WriteTx, access: Access, id: string): Promise<void> {
  await tx.webhook.delete({ where: whereId(access, id) });
  await keepEventTypes(tx, access);
}

/** Keeps the subscribed types of events with each credential, so that other events cost a call nothing. */
async function keepEventTypes(tx: WriteTx, { instanceNumber }: Access): Promise<void> {
  const active = await tx.webhook.findMany({
    where: { instanceNumber, state: 'active' },
    select: { eventTypes: true },
  });
  await saveEventTypes(tx, instanceNumber, [...new Set(active.flatMap(({ eventTypes }) => eventTypes))].toSorted());
}

const whereId = ({ instanceNumber }: Access, id: string) => ({ instanceNumber_id: { instanceNumber, id } });

const columnsOf = ({ keys }: Access, id: string, { url, description, eventTypes }: WebhookSettings) => ({
  url: keys.seal('webhook.url', id, url),
  description: description === null ? null : keys.seal('webhook.description', id, description),
  eventTypes: [...eventTypes],
});

type Row = NonNullable<Awaited<ReturnType<Tx['webhook']['findUnique']>>>;

const fromRow = ({ keys }: Access, row: Row): Webhook => ({
  id: toPublicId('webhook', row.id),
  url: keys.open('webhook.url', row.id, row.url),
  description: row.description && keys.open('webhook.description', row.id, row.description),
  eventTypes: row.eventTypes as EventType[],
  state: row.state as WebhookState,
  disabledReason: row.disabledReason as DisabledReason | null,
  disabledAt: row.disabledAt,
  failingSince: row.failingSince,
  previousSecretExpiresAt: row.previousSecretExpiresAt,
  createdAt: row.createdAt,
});
