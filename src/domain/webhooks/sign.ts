import { createHmac } from 'node:crypto';

/** A message to be signed, by the specification of Standard Webhooks. */
interface SignedMessage {
  /** The event, the same at each attempt. */
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers of a message, signed by each of these secrets: a receiver accepts it that knows one of them. */
export function signatureHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => `v1,${hmac(secret, `${id}.${timestamp}.${body}`)}`);
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

const hmac = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(content)
    .digest('base64');
