import type { Tx } from '../../db/database.ts';
import { newUuid } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Principal } from '../tenancy/access.ts';

/** Every change by an administrator leaves a row, in the transaction of the change. */
export async function saveAudit(
  tx: Tx,
  { i, keys }: { i: bigint; keys: InstanceKeys },
  entry: { actor: Principal; action: string; target: string; at: Date; before?: unknown; after?: unknown },
): Promise<void> {
  const id = newUuid();
  const { actor } = entry;
  await tx.audit.create({
    data: {
      id,
      i,
      actor: actor.kind === 'admin' ? `admin:${actor.tokenId}` : `key:${actor.keyId}`,
      action: entry.action,
      target: entry.target,
      at: entry.at,
      before: entry.before === undefined ? null : keys.seal('audit.before', id, JSON.stringify(entry.before)),
      after: entry.after === undefined ? null : keys.seal('audit.after', id, JSON.stringify(entry.after)),
    },
  });
}
