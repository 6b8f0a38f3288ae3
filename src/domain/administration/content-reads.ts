import type { Db } from '../../db/database.ts';
import type { Access } from '../tenancy/access.ts';
import { requireContentReader } from '../tenancy/roles.ts';
import { saveAudit } from './store.ts';

/** The content of an instance that one request read: ids, by the kind of record. */
export interface ContentRead {
  /** The correlation id of the request, where it has one. */
  readonly request?: string | undefined;
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** An audit row keeps so many ids of a kind at most. */
const mostIds = 1_000;

/**
 * Leaves a row in the audit that tells what an administrator read, and never the content itself; to be awaited before
 * anything is shown. Throws `forbidden` for one who may not read content.
 */
export async function recordContentRead(
  deps: { readonly db: Db; readonly now: () => Date },
  access: Access,
  { request, ids }: ContentRead,
): Promise<void> {
  const { principal, instance } = access;
  requireContentReader(principal);
  const read = Object.entries(ids).map(([kind, of]) => [kind, { count: of.length, ids: of.slice(0, mostIds) }]);
  const after = { ...(request ? { request } : {}), ...Object.fromEntries(read) };
  await saveAudit(deps.db, access, {
    actor: principal,
    action: 'content.read',
    target: instance,
    at: deps.now(),
    after,
  });
}
