import type { Access } from '../tenancy/access.ts';
import type { DueDelivery } from './delivery-store.ts';

/** A secret that signs beside the present one for a while. */
export interface FormerSecret {
  readonly secret: string;
  readonly until: Date;
}

/** A message is signed by so many former secrets at most: whoever rotates more often ends the oldest early. */
export const formerSecretsAtMost = 4;

const column = 'webhook.former_secret';

export const sealFormerSecrets = (
  { keys }: Pick<Access, 'keys'>,
  webhookId: string,
  secrets: readonly FormerSecret[],
): Buffer<ArrayBuffer> => keys.seal(column, webhookId, JSON.stringify(secrets));

/** The former secrets that sign at a time, the latest first. */
export function openFormerSecrets(
  { keys }: Pick<Access, 'keys'>,
  { webhookId, formerSecret }: Pick<DueDelivery, 'webhookId' | 'formerSecret'>,
  at: Date,
): FormerSecret[] {
  if (!formerSecret) return [];
  const kept = JSON.parse(keys.open(column, webhookId, formerSecret)) as { secret: string; until: string }[];
  return kept.map(({ secret, until }) => ({ secret, until: new Date(until) })).filter(({ until }) => until > at);
}
