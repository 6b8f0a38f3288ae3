import { createHmac } from 'node:crypto';
import { toPublicId } from '../ids.ts';
import type { Access } from '../tenancy/access.ts';
import type { DueDelivery } from './delivery-store.ts';
import { openPreviousSecrets } from './previous-secrets.ts';
import type { WebhookRequest } from './webhook-sender.ts';

/** The request of a delivery, signed as of now by the secret, and by each before it for as long as that is valid. */
export function signedRequestOf(access: Access, delivery: DueDelivery, at: Date): WebhookRequest {
  const { instance, keys } = access;
  const { webhookId, eventId } = delivery;
  const id = toPublicId('event', eventId);
  const body = JSON.stringify({
    id,
    type: delivery.type,
    created_at: delivery.eventAt.toISOString(),
    instance_id: instance,
    data: JSON.parse(keys.open('event.data', eventId, delivery.data)) as unknown,
  });
  const former = openPreviousSecrets(access, delivery, at).map(({ secret }) => secret);
  const secrets = [keys.open('webhook.secret', webhookId, delivery.secret), ...former];
  return {
    url: keys.open('webhook.url', webhookId, delivery.url),
    headers: { 'content-type': 'application/json', ...signatureHeaders({ id, at, body }, secrets) },
    body,
  };
}

/**
 * The headers of Standard Webhooks, with a signature by each of these secrets: a receiver that knows one of them
 * accepts the message. `id`: of the event, equal at each attempt.
 */
function signatureHeaders(
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const hmac = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(content)
    .digest('base64');
