import type { Tx } from '../../db/database.ts';
import { newUuid } from '../ids.ts';
import type { InstanceKeys } from '../sealing/instance-keys.ts';
import type { Principal } from '../tenancy/access.ts';

/** Every change by an administrator leaves a row, in the transaction of the change; `of` null: of the whole service. */
export async function saveAudit(
  tx: Tx,
  of: { i: bigint; keys: InstanceKeys } | null,
  entry: { actor: Principal; action: string; target: string; at: Date; after?: unknown },
): Promise<void> {
  const id = newUuid();
  const { actor } = entry;
  await tx.audit.create({
    data: {
      id,
      i: of?.i ?? null,
      actor: actor.kind === 'admin' ? `admin:${actor.tokenId}` : `key:${actor.keyId}`,
      action: entry.action,
      target: entry.target,
      at: entry.at,
      after: entry.after === undefined || !of ? null : of.keys.seal('audit.after', id, JSON.stringify(entry.after)),
    },
  });
}
