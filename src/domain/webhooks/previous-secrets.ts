import type { Access } from '../tenancy/access.ts';
import type { DueDelivery } from './delivery-store.ts';

/** A secret that signs beside the present one for a while. */
export interface PreviousSecret {
  readonly secret: string;
  readonly until: Date;
}

/** A message is signed by so many previous secrets at most: whoever rotates more often ends the oldest early. */
export const previousSecretsAtMost = 4;

/** The column as it was called when the first secrets were sealed: their ciphertexts are bound to it. */
const column = 'webhook.former_secret';

export const sealPreviousSecrets = (
  { keys }: Pick<Access, 'keys'>,
  webhookId: string,
  secrets: readonly PreviousSecret[],
): Buffer<ArrayBuffer> => keys.seal(column, webhookId, JSON.stringify(secrets));

/** The previous secrets that sign at a time, the latest first. */
export function openPreviousSecrets(
  { keys }: Pick<Access, 'keys'>,
  { webhookId, previousSecret }: Pick<DueDelivery, 'webhookId' | 'previousSecret'>,
  at: Date,
): PreviousSecret[] {
  if (!previousSecret) return [];
  const kept = JSON.parse(keys.open(column, webhookId, previousSecret)) as { secret: string; until: string }[];
  return kept.map(({ secret, until }) => ({ secret, until: new Date(until) })).filter(({ until }) => until > at);
}
